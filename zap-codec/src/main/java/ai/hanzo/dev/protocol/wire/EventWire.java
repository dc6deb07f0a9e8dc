package ai.hanzo.dev.protocol.wire;

import static ai.hanzo.dev.protocol.wire.Checks.hasBit;
import static ai.hanzo.dev.protocol.wire.Checks.long63;
import static ai.hanzo.dev.protocol.wire.Checks.present;
import static ai.hanzo.dev.protocol.wire.Checks.same;
import static ai.hanzo.dev.protocol.wire.Checks.unsigned;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.Outcome;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.zap.CodecException;
import ai.hanzo.dev.zap.ZapReader;
import ai.hanzo.dev.zap.dev.AnswerBuilder;
import ai.hanzo.dev.zap.dev.AnswerView;
import ai.hanzo.dev.zap.dev.CancelBuilder;
import ai.hanzo.dev.zap.dev.EventBuilder;
import ai.hanzo.dev.zap.dev.EventKind;
import ai.hanzo.dev.zap.dev.EventView;
import ai.hanzo.dev.zap.dev.FailureCode;
import ai.hanzo.dev.zap.dev.ModelFailedBuilder;
import ai.hanzo.dev.zap.dev.ModelFailedView;
import ai.hanzo.dev.zap.dev.ModelReplyBuilder;
import ai.hanzo.dev.zap.dev.ModelReplyView;
import ai.hanzo.dev.zap.dev.ResultBuilder;
import ai.hanzo.dev.zap.dev.ResultStatus;
import ai.hanzo.dev.zap.dev.ResultView;
import ai.hanzo.dev.zap.dev.ResumeBuilder;
import ai.hanzo.dev.zap.dev.TurnBuilder;
import ai.hanzo.dev.zap.dev.TurnView;
import ai.hanzo.dev.zap.dev.UsageBuilder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/** Events as ZAP messages: the payload of an input entry and the input of {@code dev_step}. */
public final class EventWire {
    /** Where the entry stands in the struct Event. */
    private static final int ENTRY_OFFSET = 8;

    private EventWire() {}

    /** The message of {@code event} before it has an entry: its entry is 0. */
    public static Bytes encode(Event event) {
        return encode(event, new Seq(0));
    }

    /**
     * The message of {@code event} as the journal entry {@code entry} brings it to the core.
     *
     * @throws IllegalArgumentException if it holds a negative number
     */
    public static Bytes encode(Event event, Seq entry) {
        return Bytes.wrap(builder(event).entry(entry.value()).toMessage());
    }

    /**
     * A copy of an encoded event with another entry. Only the header is looked at.
     *
     * @throws CodecException if {@code message} cannot be an event
     */
    public static Bytes withEntry(Bytes message, Seq entry) {
        byte[] copy = message.toArray();
        int at = entryPosition(copy);
        ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN).putLong(at, entry.value());
        return Bytes.wrap(copy);
    }

    /**
     * The event in {@code message}; its entry is not looked at.
     *
     * @throws CodecException if it is not one
     */
    public static Event decode(Bytes message) {
        return event(EventView.open(message.toArray()));
    }

    /**
     * The entry of the event in {@code message}; only the header is looked at.
     *
     * @throws CodecException if it cannot be an event
     */
    public static Seq entryOf(Bytes message) {
        byte[] bytes = message.toArray();
        int at = entryPosition(bytes);
        return Checks.seq(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(at));
    }

    private static int entryPosition(byte[] message) {
        ZapReader reader = ZapReader.open(message, ZapReader.Mode.STRICT);
        long at = reader.root() + ENTRY_OFFSET;
        if (at + Long.BYTES > reader.sizeBytes()) {
            throw CodecException.badValue("too short for an event");
        }
        return (int) at;
    }

    private static EventBuilder builder(Event of) {
        var builder = new EventBuilder();
        return switch (of) {
            case Event.Turn event -> builder.kind(EventKind.TURN).turn(turn(event));
            case Event.ModelReply event -> builder.kind(EventKind.MODEL).model(reply(event));
            case Event.ModelFailed event ->
                    builder.kind(EventKind.MODEL_FAILED)
                            .modelFailed(
                                    new ModelFailedBuilder()
                                            .id(event.id().value())
                                            .code(same(FailureCode.class, event.code()))
                                            .message(event.message()));
            case Event.Result event ->
                    builder.kind(same(EventKind.class, event.family())).result(result(event));
            case Event.Answer event ->
                    builder.kind(EventKind.ANSWER)
                            .answer(new AnswerBuilder().id(event.id().value()).text(event.text()));
            case Event.Timer _ -> builder.kind(EventKind.TIMER);
            case Event.Cancel event ->
                    builder.kind(EventKind.CANCEL)
                            .cancel(new CancelBuilder().turn(event.turn().value()));
            case Event.Resume(long highest) ->
                    builder.kind(EventKind.RESUME)
                            .resume(
                                    new ResumeBuilder()
                                            .highestAction(unsigned(highest, "highestAction")));
            case Event.Configure event ->
                    builder.kind(EventKind.CONFIGURE).configure(ConfigWire.builder(event.config()));
        };
    }

    private static TurnBuilder turn(Event.Turn event) {
        return new TurnBuilder()
                .id(event.id().value())
                .prompt(event.prompt())
                .attachments(OpWriter.blobs(event.attachments()));
    }

    private static ModelReplyBuilder reply(Event.ModelReply event) {
        return new ModelReplyBuilder()
                .id(event.id().value())
                .has(event.text().isPresent() ? 1 : 0)
                .text(event.text().orElse(""))
                .calls(event.calls().stream().map(CallWire::builder).toList())
                .usage(
                        new UsageBuilder()
                                .inputTokens(unsigned(event.usage().inputTokens(), "inputTokens"))
                                .outputTokens(
                                        unsigned(event.usage().outputTokens(), "outputTokens")));
    }

    private static ResultBuilder result(Event.Result event) {
        Outcome outcome = event.outcome();
        return new ResultBuilder()
                .id(event.id().value())
                .status(same(ResultStatus.class, outcome.status()))
                .has(outcome.exit().isPresent() ? 1 : 0)
                .exit(outcome.exit().orElse(0))
                .stdout(outcome.stdout().toArray())
                .stderr(outcome.stderr().toArray())
                .stdoutBytes(unsigned(outcome.stdoutBytes(), "stdoutBytes"))
                .stderrBytes(unsigned(outcome.stderrBytes(), "stderrBytes"))
                .truncated(outcome.truncated())
                .artifacts(OpWriter.blobs(outcome.artifacts()))
                .message(outcome.message());
    }

    private static Event event(EventView view) {
        EventKind kind = view.kind();
        present(hasCase(view, kind), kind.name());
        return switch (kind) {
            case TURN -> turn(view.turn());
            case MODEL -> reply(view.model());
            case MODEL_FAILED -> failed(view.modelFailed());
            case EXEC, FILE, GIT, BROWSE -> result(same(Event.Family.class, kind), view.result());
            case ANSWER -> answer(view.answer());
            case TIMER -> new Event.Timer();
            case CANCEL -> new Event.Cancel(Checks.turnId(view.cancel().turn()));
            case RESUME -> new Event.Resume(long63(view.resume().highestAction(), "highestAction"));
            case CONFIGURE -> new Event.Configure(ConfigWire.config(view.configure()));
        };
    }

    private static boolean hasCase(EventView view, EventKind kind) {
        return switch (kind) {
            case TURN -> view.hasTurn();
            case MODEL -> view.hasModel();
            case MODEL_FAILED -> view.hasModelFailed();
            case EXEC, FILE, GIT, BROWSE -> view.hasResult();
            case ANSWER -> view.hasAnswer();
            case TIMER -> true;
            case CANCEL -> view.hasCancel();
            case RESUME -> view.hasResume();
            case CONFIGURE -> view.hasConfigure();
        };
    }

    private static Event.Turn turn(TurnView view) {
        return new Event.Turn(
                Checks.turnId(view.id()),
                view.prompt(),
                OpReader.blobs(view.attachmentsCount(), view::attachments));
    }

    private static Event.ModelReply reply(ModelReplyView view) {
        Optional<String> text = hasBit(view.has(), 0) ? Optional.of(view.text()) : Optional.empty();
        var usage =
                new Event.Usage(
                        long63(view.usage().inputTokens(), "inputTokens"),
                        long63(view.usage().outputTokens(), "outputTokens"));
        return new Event.ModelReply(
                Checks.actionId(view.id()),
                text,
                Checks.list(view.callsCount(), i -> CallWire.call(view.calls(i))),
                usage);
    }

    private static Event.ModelFailed failed(ModelFailedView view) {
        return new Event.ModelFailed(
                Checks.actionId(view.id()),
                same(Event.FailureCode.class, view.code()),
                view.message());
    }

    private static Event.Answer answer(AnswerView view) {
        return new Event.Answer(Checks.actionId(view.id()), view.text());
    }

    private static Event.Result result(Event.Family family, ResultView view) {
        Optional<Integer> exit =
                hasBit(view.has(), 0) ? Optional.of(view.exit()) : Optional.empty();
        var outcome =
                new Outcome(
                        same(Outcome.Status.class, view.status()),
                        exit,
                        Bytes.wrap(view.stdout()),
                        Bytes.wrap(view.stderr()),
                        long63(view.stdoutBytes(), "stdoutBytes"),
                        long63(view.stderrBytes(), "stderrBytes"),
                        view.truncated(),
                        OpReader.blobs(view.artifactsCount(), view::artifacts),
                        view.message());
        return new Event.Result(family, Checks.actionId(view.id()), outcome);
    }
}
