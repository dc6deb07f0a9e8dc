package ai.hanzo.dev.host.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.host.tool.Calls;
import ai.hanzo.dev.host.tool.Configs;
import ai.hanzo.dev.host.tool.Tools;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Call;
import ai.hanzo.dev.protocol.Config;
import ai.hanzo.dev.protocol.Content;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.Op.Edit;
import ai.hanzo.dev.protocol.Op.Purpose;
import ai.hanzo.dev.protocol.Op.Role;
import ai.hanzo.dev.protocol.Outcome;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.TurnId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class TranscriptsTest {
    private static final Config CONFIG =
            new Configs(Tools.bundled()).coding("Use tabs.", "", Config.Limits.DEFAULTS);

    private final Map<Long, Event> journal = new HashMap<>();
    private final Transcripts transcripts = new Transcripts(this::entry);

    @Test
    void aFirstAskShowsTheInstructionsAndThePrompt() {
        journal.put(1L, new Event.Configure(CONFIG));
        journal.put(2L, new Event.Turn(new TurnId(1), "Fix it", List.of()));
        Op.ModelAsk ask = ask(0, append(Role.SYSTEM, 1), append(Role.USER, 2));
        transcripts.apply(new ActionId(1), ask);
        ModelRequest request = transcripts.request(new ActionId(1), ask, CONFIG, 0);
        assertThat(request.messages()).hasSize(2);
        assertThat(request.messages().getFirst())
                .isInstanceOfSatisfying(
                        ModelMessage.Standing.class,
                        standing ->
                                assertThat(standing.text())
                                        .startsWith(CONFIG.prelude())
                                        .endsWith("Use tabs."));
        assertThat(request.messages().get(1)).isEqualTo(new ModelMessage.User("Fix it"));
        assertThat(request.tools()).extracting(Config.Tool::name).containsExactly("read", "exec");
    }

    @Test
    void aCallAndItsResultStandUnderOneIdWithTheNameOfTheTool() {
        journal.put(4L, reply(1, "I look.", call("read", "{\"path\":\"a.txt\"}")));
        journal.put(
                5L,
                new Event.Result(
                        Event.Family.FILE, new ActionId(2), Outcome.ok(Bytes.utf8("hello"))));
        Op.ModelAsk ask =
                ask(
                        0,
                        new Edit.Append(
                                new Op.Message(Role.ASSISTANT, new Seq(4), "", 1, List.of(2L))),
                        new Edit.Append(new Op.Message(Role.TOOL, new Seq(5), "", 2, List.of())));
        transcripts.apply(new ActionId(3), ask);
        assertThat(transcripts.request(new ActionId(3), ask, CONFIG, 0).messages())
                .containsExactly(
                        new ModelMessage.Assistant(
                                Optional.of("I look."),
                                List.of(
                                        new ModelMessage.Called(
                                                "call_2", "read", "{\"path\":\"a.txt\"}"))),
                        new ModelMessage.ToolResult("call_2", "read", "hello"));
    }

    @Test
    void aReplacedSpanIsGone() {
        for (long seq = 1; seq <= 4; seq++) {
            journal.put(seq, new Event.Turn(new TurnId(seq), "turn " + seq, List.of()));
        }
        Op.ModelAsk first =
                ask(
                        0,
                        append(Role.USER, 1),
                        append(Role.USER, 2),
                        append(Role.USER, 3),
                        append(Role.USER, 4));
        Op.ModelAsk second =
                ask(0, new Edit.Replace(1, 2, body(Role.USER, "summary")), append(Role.USER, 4));
        transcripts.apply(new ActionId(1), first);
        transcripts.apply(new ActionId(2), second);
        assertThat(transcripts.request(new ActionId(2), second, CONFIG, 0).messages())
                .containsExactly(
                        new ModelMessage.User("turn 1"),
                        new ModelMessage.User("summary"),
                        new ModelMessage.User("turn 4"),
                        new ModelMessage.User("turn 4"));
    }

    @Test
    void anEditThatDoesNotFitIsRefused() {
        Op.ModelAsk ask = ask(0, new Edit.Replace(0, 1, body(Role.USER, "x")));
        assertThatThrownBy(() -> transcripts.apply(new ActionId(1), ask))
                .isInstanceOfSatisfying(
                        ModelException.class,
                        e -> assertThat(e.code()).isEqualTo(ModelException.Code.BAD_EDIT));
        Op.ModelAsk overflowing =
                ask(0, new Edit.Replace(Integer.MAX_VALUE, 2, body(Role.USER, "")));
        assertThatThrownBy(() -> transcripts.apply(new ActionId(1), overflowing))
                .isInstanceOf(ModelException.class);
    }

    @Test
    void anAskThatIsNamedAgainAfterARestoreIsAppliedOnce() {
        Op.ModelAsk ask = ask(0, new Edit.Append(body(Role.USER, "once")));
        transcripts.apply(new ActionId(5), ask);
        transcripts.apply(new ActionId(5), ask);
        assertThat(transcripts.request(new ActionId(5), ask, CONFIG, 0).messages())
                .containsExactly(new ModelMessage.User("once"));
    }

    @Test
    void contextsDoNotSeeEachOtherAndOrdinalsCountAllOfThem() {
        Op.ModelAsk own = ask(0, new Edit.Append(body(Role.USER, "mine")));
        Op.ModelAsk nested = ask(1, new Edit.Append(body(Role.USER, "task")));
        transcripts.apply(new ActionId(3), own);
        transcripts.apply(new ActionId(8), nested);
        ModelRequest request = transcripts.request(new ActionId(8), nested, CONFIG, 2);
        assertThat(request.messages()).containsExactly(new ModelMessage.User("task"));
        assertThat(request.ordinal()).isEqualTo(1);
        assertThat(request.parked()).isEqualTo(2);
        assertThat(transcripts.request(new ActionId(3), own, CONFIG, 0).ordinal()).isZero();
    }

    @Test
    void aSummaryIsAskedForWithTheSpanAsOneText() {
        journal.put(2L, reply(1, "I run.", call("exec", "{\"argv\":[\"ls\"]}")));
        Op.ModelAsk ask =
                new Op.ModelAsk(
                        0,
                        0,
                        Purpose.COMPACT,
                        "",
                        List.of(
                                new Edit.Append(body(Role.USER, "first")),
                                new Edit.Append(
                                        new Op.Message(
                                                Role.ASSISTANT, new Seq(2), "", 1, List.of(2L))),
                                new Edit.Append(body(Role.USER, "last"))),
                        List.of(),
                        0,
                        2);
        transcripts.apply(new ActionId(4), ask);
        ModelRequest request = transcripts.request(new ActionId(4), ask, CONFIG, 0);
        assertThat(request.tools()).isEmpty();
        assertThat(request.messages()).hasSize(2);
        assertThat(request.messages().get(1))
                .isInstanceOfSatisfying(
                        ModelMessage.User.class,
                        user ->
                                assertThat(user.text())
                                        .contains("first", "I run.", "agent calls exec")
                                        .doesNotContain("last"));
    }

    /** The core may have taken fewer calls than the reply had. */
    @Test
    void aCallWithoutAnIdIsNotShown() {
        journal.put(
                2L,
                reply(1, "", call("read", "{\"path\":\"a\"}"), call("read", "{\"path\":\"b\"}")));
        Op.ModelAsk ask =
                ask(
                        0,
                        new Edit.Append(
                                new Op.Message(Role.ASSISTANT, new Seq(2), "", 1, List.of(2L))));
        transcripts.apply(new ActionId(3), ask);
        assertThat(transcripts.request(new ActionId(3), ask, CONFIG, 0).messages())
                .containsExactly(
                        new ModelMessage.Assistant(
                                Optional.empty(),
                                List.of(
                                        new ModelMessage.Called(
                                                "call_2", "read", "{\"path\":\"a\"}"))));
    }

    @Test
    void whatWasReplacedIsNotReadAgainOnReplay() {
        Transcripts replayed =
                new Transcripts(seq -> {
                    throw new IllegalStateException("entry " + seq + " was read");
                });
        replayed.apply(new ActionId(1), ask(0, append(Role.USER, 1), append(Role.USER, 2)));
        Op.ModelAsk ask = ask(0, new Edit.Replace(0, 2, body(Role.USER, "summary")));
        replayed.apply(new ActionId(2), ask);
        assertThat(replayed.request(new ActionId(2), ask, CONFIG, 0).messages())
                .containsExactly(new ModelMessage.User("summary"));
    }

    private Event entry(Seq seq) {
        return Optional.ofNullable(journal.get(seq.value())).orElseThrow();
    }

    private static Op.ModelAsk ask(int context, Edit... edits) {
        return new Op.ModelAsk(
                context, 0, Purpose.TURN, "", List.of(edits), List.of("exec", "read"), 0, 0);
    }

    private static Edit append(Role role, long seq) {
        return new Edit.Append(new Op.Message(role, new Seq(seq), "", 0, List.of()));
    }

    private static Op.Message body(Role role, String body) {
        return new Op.Message(role, new Seq(0), body, 0, List.of());
    }

    private static Event reply(long id, String text, Call... calls) {
        return new Event.ModelReply(
                new ActionId(id), Optional.of(text), List.of(calls), Event.Usage.NONE);
    }

    private static Call call(String tool, String arguments) {
        return new Calls(Content::of).read("theirs", tool, arguments, Tools.bundled().all());
    }
}
