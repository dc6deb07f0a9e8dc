package ai.hanzo.dev.host.model;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.model.RetryingModel.Surroundings;
import ai.hanzo.dev.host.tool.Calls;
import ai.hanzo.dev.host.tool.Tools;
import ai.hanzo.dev.protocol.Content;
import ai.hanzo.dev.protocol.Event.FailureCode;
import ai.hanzo.dev.protocol.id.ActionId;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ScriptEndpointTest {

    @Test
    void repliesArePlayedInOrderAndThenEmptyTexts() throws Exception {
        String script = "[{\"text\": \"a\"}, {\"text\": \"b\"}]";
        assertThat(text(script, 0)).isEqualTo("a");
        assertThat(text(script, 1)).isEqualTo("b");
        assertThat(text(script, 2)).isEmpty();
        assertThat(text(script, 99)).isEmpty();
    }

    /** Each host begins anew and plays on where the last one was. */
    @Test
    void thePlaceFollowsFromTheNumberOfTheAskAlone() throws Exception {
        String script =
                """
                [{"error": {"status": 500}}, {"error": {"status": 429, "retryAfter": 1}}, {"text": "a"},
                 {"error": {"status": 400}}, {"text": "b"}, {"error": {"status": 0}}, {"text": "c"}]\
                """;
        assertThat(text(script, 0)).isEqualTo("a");
        assertThat(Asking.failed(ask(script, 1, 0)).code()).isEqualTo(FailureCode.REFUSED);
        assertThat(text(script, 2)).isEqualTo("b");
        assertThat(text(script, 3)).isEqualTo("c");
        assertThat(text(script, 4)).isEmpty();
    }

    @Test
    void anAskThatWasParkedGoesOnBehindWhatParkedIt() throws Exception {
        String script =
                """
                [{"error": {"status": 500}}, {"error": {"status": 429, "retryAfter": 9000}},
                 {"error": {"status": 429, "retryAfter": 100}}, {"text": "a"}, {"text": "b"}]\
                """;
        assertThat(ask(script, 0, 0))
                .isInstanceOfSatisfying(
                        ModelOutcome.Parked.class,
                        parked -> assertThat(parked.pause()).isEqualTo(Duration.ofMinutes(150)));
        assertThat(ask(script, 0, 1)).isInstanceOf(ModelOutcome.Parked.class);
        assertThat(Asking.replied(ask(script, 0, 2)).text()).contains("a");
        assertThat(text(script, 1)).isEqualTo("b");
    }

    @Test
    void anAskThatGivesUpTakesTheErrorsOfItsTries() throws Exception {
        String errors = "{\"error\": {\"status\": 500}},".repeat(RetryPolicy.MOST_TRIES);
        String script = "[" + errors + "{\"text\": \"next\"}]";
        assertThat(Asking.failed(ask(script, 0, 0)).code()).isEqualTo(FailureCode.UNAVAILABLE);
        assertThat(text(script, 1)).isEqualTo("next");
    }

    @Test
    void anOverflowAndAGarbledReplyCanBePlayed() throws Exception {
        assertThat(Asking.failed(ask("[{\"error\": {\"status\": 413}}]", 0, 0)).code())
                .isEqualTo(FailureCode.CONTEXT_OVERFLOW);
        String garbled =
                "[" + "{\"error\": {\"status\": 502, \"code\": \"malformed\"}},".repeat(9) + "{}]";
        assertThat(Asking.failed(ask(garbled, 0, 0)).code()).isEqualTo(FailureCode.MALFORMED);
    }

    @Test
    void aDelayEndsWhenTheAskIsCancelled() throws Exception {
        Cancellation cancellation = new Cancellation();
        cancellation.cancel();
        ModelOutcome outcome =
                model("[{\"text\": \"a\", \"delayMs\": 600000}]", Pauses.REAL)
                        .ask(request(0, 0), DeltaListener.NONE, cancellation);
        assertThat(outcome).isEqualTo(new ModelOutcome.Cancelled());
    }

    private static String text(String script, int ordinal) throws Exception {
        return Asking.replied(ask(script, ordinal, 0)).text().orElse("");
    }

    private static ModelOutcome ask(String script, int ordinal, int parked) throws Exception {
        return model(script, (_, stop) -> stop.isCancelled())
                .ask(request(ordinal, parked), DeltaListener.NONE, new Cancellation());
    }

    private static ModelProvider model(String script, Pauses pauses) {
        return new RetryingModel(
                new ScriptEndpoint(Script.parse(script), pauses),
                new Calls(Content::of),
                Duration.ofMinutes(10),
                new Surroundings(InstantSource.system(), pauses, new Random(1)));
    }

    private static ModelRequest request(int ordinal, int parked) {
        return new ModelRequest(
                new ActionId(1),
                List.of(new ModelMessage.User("go")),
                Tools.bundled().all(),
                ordinal,
                parked);
    }
}
