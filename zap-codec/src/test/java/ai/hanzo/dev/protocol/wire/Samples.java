package ai.hanzo.dev.protocol.wire;

import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.Blob;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Call;
import ai.hanzo.dev.protocol.Config;
import ai.hanzo.dev.protocol.Content;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.Outcome;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.TurnId;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** Random records of the protocol: every case of every sealed type, edge values more often. */
public final class Samples {
    /** The number of cases of {@link Event} and of {@link Op}. */
    static final int EVENT_CASES = 9;

    static final int OP_CASES = 15;

    private static final String[] ALPHABET = {
        "a", "Z", "0", " ", "\n", "\"", "\0", "é", "ß", "→", "\uFEFF", "😀", "\uD7FF", "/", ".."
    };

    private final RandomGenerator random;

    public Samples(RandomGenerator random) {
        this.random = random;
    }

    public Event event() {
        return event(random.nextInt(EVENT_CASES));
    }

    Event event(int index) {
        return switch (index) {
            case 0 -> new Event.Turn(turn(), text(), list(this::blob));
            case 1 ->
                    new Event.ModelReply(
                            action(),
                            optional(this::text),
                            list(this::call),
                            new Event.Usage(count(), count()));
            case 2 -> new Event.ModelFailed(action(), any(Event.FailureCode.values()), text());
            case 3 -> new Event.Result(any(Event.Family.values()), action(), outcome());
            case 4 -> new Event.Answer(action(), text());
            case 5 -> new Event.Timer();
            case 6 -> new Event.Cancel(turn());
            case 7 -> new Event.Resume(count());
            default -> new Event.Configure(config());
        };
    }

    public Config config() {
        return new Config(text(), text(), text(), list(this::tool), limits());
    }

    private Config.Tool tool() {
        return new Config.Tool(any(Config.ToolKind.values()), text(), text(), text());
    }

    private Config.Limits limits() {
        return new Config.Limits(
                small(), small(), small(), small(), small(), small(), count(), count(), small(),
                small());
    }

    private Outcome outcome() {
        return new Outcome(
                any(Outcome.Status.values()),
                optional(random::nextInt),
                bytes(),
                bytes(),
                count(),
                count(),
                random.nextBoolean(),
                list(this::blob),
                text());
    }

    private Call call() {
        Call.Request request =
                switch (random.nextInt(4)) {
                    case 0 -> new Call.Agent(text(), list(this::text));
                    case 1 -> new Call.Plan(list(this::item));
                    case 2 -> new Call.Invalid(text());
                    default -> operation();
                };
        return new Call(text(), text(), small(), request);
    }

    private Call.Operation operation() {
        return new Call.Operation(
                Stream.generate(this::op).filter(Samples::isTool).findFirst().orElseThrow());
    }

    private static boolean isTool(Op of) {
        return switch (of) {
            case Op.ModelAsk _, Op.Emit _, Op.Save _, Op.Done _ -> false;
            case Op.Effect _, Op.Look _, Op.Ask _ -> true;
        };
    }

    public Action action(Op op) {
        return new Action(action(), op);
    }

    public Action randomAction() {
        return action(op());
    }

    Op op() {
        return op(random.nextInt(OP_CASES));
    }

    Op op(int index) {
        return switch (index) {
            case 0 ->
                    new Op.ModelAsk(
                            small(),
                            small(),
                            any(Op.Purpose.values()),
                            text(),
                            list(this::edit),
                            list(this::text),
                            small(),
                            small());
            case 1 -> new Op.Read(text(), count(), count());
            case 2 ->
                    new Op.Write(text(), content(), optional(this::small), optional(this::digest));
            case 3 -> new Op.Patch(patch());
            case 4 ->
                    new Op.Exec(
                            list(this::text),
                            text(),
                            content(),
                            list(this::variable),
                            small(),
                            random.nextBoolean());
            case 5 -> new Op.Git(list(this::text), text());
            case 6 -> new Op.Browse(text(), text(), list(this::variable), content(), text());
            case 7 -> new Op.Ask(text(), list(this::text), text());
            case 8 -> new Op.Send(text(), text(), text());
            case 9 -> new Op.Emit(any(Op.EmitKind.values()), small(), text(), list(this::item));
            case 10 -> new Op.Save();
            case 11 -> new Op.Done(turn(), any(Op.TurnOutcome.values()), text(), text());
            case 12 -> new Op.ListFiles(text(), small(), small());
            case 13 -> new Op.Search(text(), text(), text(), small());
            default -> new Op.Stat(text());
        };
    }

    private Op.Edit edit() {
        var message =
                new Op.Message(
                        any(Op.Role.values()),
                        new Seq(count()),
                        text(),
                        count(),
                        list(this::count));
        return random.nextBoolean()
                ? new Op.Edit.Append(message)
                : new Op.Edit.Replace(small(), small(), message);
    }

    private Op.PlanItem item() {
        return new Op.PlanItem(text(), any(Op.PlanStatus.values()));
    }

    private Op.Variable variable() {
        return new Op.Variable(text(), text());
    }

    private Content content() {
        return random.nextBoolean() ? Content.of(bytes()) : new Content.Stored(blob());
    }

    private Content patch() {
        return random.nextBoolean() ? Content.of(Bytes.utf8(text())) : new Content.Stored(blob());
    }

    private Blob blob() {
        return new Blob(digest(), count(), text(), text());
    }

    private Sha256 digest() {
        byte[] digest = new byte[Sha256.LENGTH_BYTES];
        random.nextBytes(digest);
        return new Sha256(Bytes.wrap(digest));
    }

    private Bytes bytes() {
        byte[] bytes = new byte[random.nextInt(40)];
        random.nextBytes(bytes);
        return Bytes.wrap(bytes);
    }

    private String text() {
        var text = new StringBuilder();
        int length = random.nextInt(4) == 0 ? random.nextInt(200) : random.nextInt(8);
        for (int i = 0; i < length; i++) {
            text.append(ALPHABET[random.nextInt(ALPHABET.length)]);
        }
        return text.toString();
    }

    private ActionId action() {
        return new ActionId(Math.max(1, count()));
    }

    private TurnId turn() {
        return new TurnId(Math.max(1, count()));
    }

    private long count() {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextInt(3);
            case 1 -> Long.MAX_VALUE;
            default -> random.nextLong() >>> 1;
        };
    }

    private int small() {
        return random.nextInt(4) == 0 ? Integer.MAX_VALUE : random.nextInt(1000);
    }

    private <T> T any(T[] values) {
        return values[random.nextInt(values.length)];
    }

    private <T> Optional<T> optional(Supplier<T> value) {
        return random.nextBoolean() ? Optional.of(value.get()) : Optional.empty();
    }

    private <T> List<T> list(Supplier<T> element) {
        int count = random.nextInt(3) == 0 ? 0 : random.nextInt(5);
        return Stream.generate(element).limit(count).toList();
    }
}
