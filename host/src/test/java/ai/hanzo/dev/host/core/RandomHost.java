package ai.hanzo.dev.host.core;

import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Call;
import ai.hanzo.dev.protocol.Config;
import ai.hanzo.dev.protocol.Content;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.Outcome;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.TurnId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A host that does something likely or odd at each step: answers what is outstanding, in any order,
 * with success or failure, sends prompts, cancels, repeats itself, answers what was never asked.
 * The same seed gives the same events for the same actions.
 */
final class RandomHost {
    private final RandomGenerator random;
    private final List<Action> outstanding = new ArrayList<>();
    private long turn;

    RandomHost(RandomGenerator random) {
        this.random = random;
    }

    /** Takes note of what the core wants. What a cancel overtook is answered all the same, late. */
    void see(List<Action> actions) {
        for (Action action : actions) {
            switch (action.op()) {
                case Op.Done _, Op.Emit _, Op.Save _ -> {}
                default -> outstanding.add(action);
            }
        }
    }

    /** The next event. */
    Event next() {
        int dice = random.nextInt(100);
        if (outstanding.isEmpty() || dice < 6) {
            return prompt();
        }
        if (dice < 10) {
            return new Event.Cancel(new TurnId(1 + random.nextLong(turn + 1)));
        }
        if (dice < 14) {
            return new Event.Timer();
        }
        if (dice < 18) {
            return answer(new Action(new ActionId(1 + random.nextInt(500)), new Op.Save()));
        }
        return answer(outstanding.remove(random.nextInt(outstanding.size())));
    }

    private Event prompt() {
        turn += random.nextInt(3);
        return new Event.Turn(new TurnId(Math.max(1, turn)), text(400), List.of());
    }

    private Event answer(Action action) {
        ActionId id = action.id();
        return switch (action.op()) {
            case Op.ModelAsk ask -> reply(id, ask);
            case Op.Ask _ -> new Event.Answer(id, text(50));
            default ->
                    new Event.Result(
                            Event.Family.of(action.op()).orElse(Event.Family.EXEC), id, outcome());
        };
    }

    private Event reply(ActionId id, Op.ModelAsk ask) {
        if (random.nextInt(100) < 6) {
            Event.FailureCode[] codes = Event.FailureCode.values();
            return new Event.ModelFailed(id, codes[random.nextInt(codes.length)], text(20));
        }
        Optional<String> text = random.nextInt(3) > 0 ? Optional.of(text(300)) : Optional.empty();
        var calls = new ArrayList<Call>();
        if (ask.purpose() != Op.Purpose.COMPACT && random.nextInt(100) < 70) {
            int count = 1 + random.nextInt(4);
            for (int i = 0; i < count; i++) {
                calls.add(call());
            }
        }
        var usage = new Event.Usage(random.nextInt(2_000), random.nextInt(200));
        return new Event.ModelReply(id, text, calls, usage);
    }

    private Call call() {
        return switch (random.nextInt(12)) {
            case 0 -> Driver.read("../" + text(5));
            case 1 -> Driver.read("src/a");
            case 2 -> Driver.git("status");
            case 3 -> Driver.ask("which?");
            case 4 -> Driver.agent(text(100));
            case 5 -> Driver.agent("look", "read", "exec");
            case 6 -> Driver.plan(text(10), text(10));
            case 7 -> Driver.call(Config.ToolKind.INVALID, new Call.Invalid("no such thing"));
            case 8 ->
                    Driver.call(
                            Config.ToolKind.WRITE,
                            new Op.Write(
                                    "out.txt",
                                    Content.of(Bytes.utf8(text(200))),
                                    Optional.of(0644),
                                    Optional.empty()));
            case 9 ->
                    Driver.call(Config.ToolKind.SEARCH, new Op.Search("main", "src", "*.java", 10));
            default -> Driver.exec("make", Integer.toString(random.nextInt(3)));
        };
    }

    private Outcome outcome() {
        Outcome.Status[] statuses = Outcome.Status.values();
        Outcome.Status status =
                random.nextInt(3) > 0
                        ? Outcome.Status.OK
                        : statuses[random.nextInt(statuses.length)];
        return status == Outcome.Status.OK
                ? Outcome.ok(Bytes.utf8(text(600)))
                : Outcome.of(status, text(40));
    }

    /** Up to this many characters of a few kinds. */
    private String text(int most) {
        var text = new StringBuilder("t");
        int length = random.nextInt(most);
        for (int i = 0; i < length; i++) {
            text.appendCodePoint("ab \n\"\u00e9\u4f60".codePointAt(random.nextInt(7)));
        }
        return text.toString();
    }
}
