package ai.hanzo.dev.host.model;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.model.MockModelServer.Wire;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Call;
import ai.hanzo.dev.protocol.Content;
import ai.hanzo.dev.protocol.Event.FailureCode;
import ai.hanzo.dev.protocol.Event.Usage;
import ai.hanzo.dev.protocol.Op;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Both protocols over real HTTP, against the server that plays scripts. */
final class ProviderTest {

    @ParameterizedTest
    @EnumSource(Provider.class)
    void textComesInOrderAndWhole(Provider provider) throws Exception {
        String text =
                "One by one the pieces come, and in the end they are the whole text. ".repeat(9);
        try (Asking asking = Asking.of(provider, reply(text))) {
            ModelOutcome outcome = asking.ask();
            assertThat(Asking.replied(outcome).text()).contains(text);
            assertThat(asking.deltas().text()).isEqualTo(text);
            assertThat(asking.deltas().pieces()).isGreaterThan(10);
        }
    }

    /** Field case O2. */
    @ParameterizedTest
    @EnumSource(Provider.class)
    void charactersThatAreCutBetweenTwoChunksStayWhole(Provider provider) throws Exception {
        String text = "你好 😀 né ".repeat(40);
        for (int pieceBytes : new int[] {1, 3, 4_095}) {
            try (Asking asking = Asking.of(provider, reply(text), new Wire(pieceBytes, 7))) {
                assertThat(Asking.replied(asking.ask()).text()).contains(text);
                assertThat(asking.deltas().text()).isEqualTo(text).doesNotContain("\uFFFD");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void callsThatComeInPiecesAreReadWhole(Provider provider) throws Exception {
        String script =
                """
                [{"text": "Both.", "calls": [
                  {"tool": "write", "args": {"path": "ä.txt", "text": "你好\\n😀"}},
                  {"tool": "exec", "args": {"argv": ["sh", "-c", "echo \\"x\\""], "timeoutMs": 5}}
                ]}]\
                """;
        try (Asking asking = Asking.of(provider, script, new Wire(1, 2))) {
            var reply = Asking.replied(asking.ask());
            assertThat(reply.text()).contains("Both.");
            assertThat(reply.calls().stream().map(Call::request))
                    .containsExactly(
                            new Call.Operation(
                                    new Op.Write(
                                            "ä.txt",
                                            Content.of(Bytes.utf8("你好\n😀")),
                                            Optional.empty(),
                                            Optional.empty())),
                            new Call.Operation(
                                    new Op.Exec(
                                            List.of("sh", "-c", "echo \"x\""),
                                            "",
                                            Content.NONE,
                                            List.of(),
                                            5,
                                            false)));
            assertThat(asking.deltas().arguments(1)).contains("echo");
        }
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void tokensAreCounted(Provider provider) throws Exception {
        String script = "[{\"text\": \"x\", \"usage\": {\"input\": 1234, \"output\": 56}}]";
        try (Asking asking = Asking.of(provider, script)) {
            assertThat(Asking.replied(asking.ask()).usage()).isEqualTo(new Usage(1234, 56));
        }
    }

    /** Field case C1, first half. */
    @ParameterizedTest
    @EnumSource(Provider.class)
    void afterARateLimitTheNextRequestComesNoEarlierThanAllowed(Provider provider)
            throws Exception {
        String script = "[{\"error\": {\"status\": 429, \"retryAfter\": 17}}, {\"text\": \"now\"}]";
        try (Asking asking = Asking.of(provider, script)) {
            assertThat(Asking.replied(asking.ask()).text()).contains("now");
            assertThat(asking.pauses()).containsExactly(Duration.ofSeconds(17));
            assertThat(asking.server().requests()).hasSize(2);
        }
    }

    /** Field case C1, second half: a reset clock in the body. */
    @ParameterizedTest
    @EnumSource(Provider.class)
    void aLongWaitParksTheAskWithoutAnotherRequest(Provider provider) throws Exception {
        String script =
                "[{\"error\": {\"status\": 429, \"message\": \"limit reached, try again in 2h30m\"}}]";
        try (Asking asking = Asking.of(provider, script)) {
            assertThat(asking.ask())
                    .isInstanceOfSatisfying(
                            ModelOutcome.Parked.class,
                            parked ->
                                    assertThat(parked.pause()).isEqualTo(Duration.ofMinutes(150)));
            assertThat(asking.server().requests()).hasSize(1);
            assertThat(asking.pauses()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void serverErrorsAreRetriedWithGrowingPauses(Provider provider) throws Exception {
        String script =
                """
                [{"error": {"status": 500}}, {"error": {"status": 503}},
                 {"error": {"status": 529}}, {"text": "up"}]\
                """;
        try (Asking asking = Asking.of(provider, script)) {
            assertThat(Asking.replied(asking.ask()).text()).contains("up");
            assertThat(asking.pauses()).hasSize(3).isSorted();
        }
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void serverErrorsWithoutEndAreGivenUp(Provider provider) throws Exception {
        String script = "[" + "{\"error\": {\"status\": 500}},".repeat(20) + "{\"text\": \"\"}]";
        try (Asking asking = Asking.of(provider, script)) {
            var failure = Asking.failed(asking.ask());
            assertThat(failure.code()).isEqualTo(FailureCode.UNAVAILABLE);
            assertThat(asking.server().requests()).hasSize(RetryPolicy.MOST_TRIES);
        }
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void aBrokenConnectionIsRetried(Provider provider) throws Exception {
        String script = "[{\"error\": {\"status\": 0}}, {\"text\": \"again\"}]";
        try (Asking asking = Asking.of(provider, script)) {
            assertThat(Asking.replied(asking.ask()).text()).contains("again");
        }
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void aStreamThatBreaksOffIsNoReply(Provider provider) throws Exception {
        String script = "[{\"text\": \"half\", \"error\": {\"status\": 0}}, {\"text\": \"whole\"}]";
        try (Asking asking = Asking.of(provider, script)) {
            assertThat(Asking.replied(asking.ask()).text()).contains("whole");
            assertThat(asking.deltas().text()).isEqualTo("whole");
            assertThat(asking.deltas().restarts()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void anErrorInTheMiddleOfAStreamIsRetried(Provider provider) throws Exception {
        String script =
                """
                [{"text": "half", "error": {"status": 529, "code": "overloaded_error", "message": "busy"}},
                 {"text": "whole"}]\
                """;
        try (Asking asking = Asking.of(provider, script)) {
            assertThat(Asking.replied(asking.ask()).text()).contains("whole");
        }
    }

    /** Field case C5. */
    @ParameterizedTest
    @EnumSource(Provider.class)
    void aConversationThatIsTooLongIsNamedSo(Provider provider) throws Exception {
        String script =
                "[{\"error\": {\"status\": 400, \"message\": \"prompt is too long: 9 > 8 tokens\"}}]";
        try (Asking asking = Asking.of(provider, script)) {
            var failure = Asking.failed(asking.ask());
            assertThat(failure.code()).isEqualTo(FailureCode.CONTEXT_OVERFLOW);
            assertThat(asking.server().requests()).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void aRefusedRequestIsNotRetried(Provider provider) throws Exception {
        String script = "[{\"error\": {\"status\": 403, \"message\": \"no\"}}]";
        try (Asking asking = Asking.of(provider, script)) {
            var failure = Asking.failed(asking.ask());
            assertThat(failure.code()).isEqualTo(FailureCode.REFUSED);
            assertThat(failure.message()).contains(provider.variable()).doesNotContain(Asking.KEY);
            assertThat(asking.server().requests()).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void argumentsThatAreNoJsonBecomeAnInvalidCall(Provider provider) throws Exception {
        String script = "[{\"calls\": [{\"tool\": \"read\", \"raw\": \"{\\\"path\\\": \"}]}]";
        try (Asking asking = Asking.of(provider, script)) {
            var reply = Asking.replied(asking.ask());
            assertThat(reply.calls().getFirst().request())
                    .isInstanceOfSatisfying(
                            Call.Invalid.class,
                            invalid -> assertThat(invalid.message()).contains("not JSON"));
        }
    }

    /** Field case S8: the server is as strict as the real ones. */
    @ParameterizedTest
    @EnumSource(Provider.class)
    void aCallWithoutItsResultIsRefusedByTheServer(Provider provider) throws Exception {
        List<ModelMessage> messages =
                List.of(
                        new ModelMessage.User("go"),
                        new ModelMessage.Assistant(
                                Optional.empty(),
                                List.of(
                                        new ModelMessage.Called(
                                                "call_2", "read", "{\"path\":\"a\"}"),
                                        new ModelMessage.Called(
                                                "call_3", "read", "{\"path\":\"b\"}"))),
                        new ModelMessage.ToolResult("call_2", "read", "a"),
                        new ModelMessage.User("go on"));
        try (Asking asking = Asking.of(provider, reply("x"))) {
            var failure = Asking.failed(asking.ask(messages));
            assertThat(failure.message()).contains("call_3");
        }
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void aConversationWithCallsAndResultsIsAccepted(Provider provider) throws Exception {
        List<ModelMessage> messages =
                List.of(
                        new ModelMessage.Standing("Be good."),
                        new ModelMessage.User("go"),
                        new ModelMessage.Assistant(
                                Optional.of("I look."),
                                List.of(
                                        new ModelMessage.Called(
                                                "call_2", "read", "{\"path\":\"a\"}"),
                                        new ModelMessage.Called("call_3", "plan", "{}"))),
                        new ModelMessage.ToolResult("call_2", "read", "a"),
                        new ModelMessage.ToolResult("call_3", "plan", " "),
                        new ModelMessage.Assistant(Optional.empty(), List.of()),
                        new ModelMessage.User(""));
        try (Asking asking = Asking.of(provider, reply("x"))) {
            assertThat(Asking.replied(asking.ask(messages)).text()).contains("x");
            var sent = asking.server().requests().getFirst().body();
            assertThat(sent.toString()).contains("Be good.", "call_2", "minLength");
        }
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void aCancelledAskEndsAtOnce(Provider provider) throws Exception {
        String script = "[{\"text\": \"late\", \"delayMs\": 600000}]";
        try (Asking asking = Asking.of(provider, script)) {
            assertThat(asking.askAndCancelWhenTheServerHasIt())
                    .isEqualTo(new ModelOutcome.Cancelled());
        }
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void anAskThatTakesTooLongIsStopped(Provider provider) throws Exception {
        String script = "[{\"text\": \"late\", \"delayMs\": 600000}]";
        try (Asking asking = Asking.limited(provider, script, Duration.ofMillis(300))) {
            assertThat(Asking.failed(asking.ask()).code()).isEqualTo(FailureCode.TIMED_OUT);
        }
    }

    private static String reply(String text) {
        return "[{\"text\": \"" + text + "\"}]";
    }
}
