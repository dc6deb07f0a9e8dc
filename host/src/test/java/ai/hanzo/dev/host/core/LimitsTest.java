package ai.hanzo.dev.host.core;

import static ai.hanzo.dev.host.core.Driver.dones;
import static ai.hanzo.dev.host.core.Driver.exec;
import static ai.hanzo.dev.host.core.Driver.messages;
import static ai.hanzo.dev.host.core.Driver.ops;
import static ai.hanzo.dev.host.core.Driver.read;
import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.Call;
import ai.hanzo.dev.protocol.Config.Limits;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.Event.Family;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.id.ActionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Every limit of the Config ends a turn in good order (D11), and repeated failures are noticed. */
final class LimitsTest {
    private static Cores cores;

    @BeforeAll
    static void load() {
        cores = new WasmCores(CoreLimits.DEFAULTS);
    }

    @AfterAll
    static void unload() {
        cores.close();
    }

    private static void assertFailed(List<Action> actions, long turn, String code) {
        Op.Done done = dones(actions).getFirst();
        assertThat(done.turn().value()).isEqualTo(turn);
        assertThat(done.outcome()).isEqualTo(Op.TurnOutcome.FAILED);
        assertThat(done.code()).isEqualTo(code);
        assertThat(done.message()).isNotEmpty();
    }

    @Test
    void d11APromptTooManyIsTurnedAwayAndTheTurnGoesOn() {
        try (Driver driver = Driver.open(cores, Driver.limits(2, 0, 0, 0))) {
            driver.turn(1, "a");
            driver.turn(2, "b");
            driver.turn(3, "c");
            List<Action> refused = driver.turn(4, "d");
            assertThat(ops(refused)).containsExactly("4 Save", "5 Done");
            assertFailed(refused, 4, "limit_queue");
            assertThat(ops(driver.says(1, "one"))).contains("9 ModelAsk");
            assertThat(driver.turn(4, "d")).isEmpty();
        }
    }

    @Test
    void d11AskingTooOftenEndsTheTurn() {
        try (Driver driver = Driver.open(cores, Driver.limits(0, 2, 0, 0))) {
            driver.turn(1, "go");
            driver.calls(1, "", exec("a"));
            driver.result(Family.EXEC, 2, "");
            driver.calls(3, "", exec("b"));
            List<Action> ended = driver.result(Family.EXEC, 4, "");
            assertThat(ops(ended)).containsExactly("5 Save", "6 Done");
            assertFailed(ended, 1, "limit_steps");
            assertThat(ops(driver.turn(2, "new budget"))).containsExactly("7 ModelAsk");
        }
    }

    @Test
    void d11SpendingTooManyTokensEndsTheTurn() {
        var limits = new Limits(0, 0, 0, 0, 0, 0, 0, 1_000, 0, 0);
        try (Driver driver = Driver.open(cores, limits)) {
            driver.turn(1, "go");
            var costly =
                    new Event.ModelReply(
                            new ActionId(1),
                            Optional.empty(),
                            List.of(read("a")),
                            new Event.Usage(900, 101));
            driver.feed(costly);
            assertFailed(driver.result(Family.FILE, 2, ""), 1, "limit_tokens");
        }
    }

    @Test
    void d11ASessionThatTookInEnoughEndsItsTurns() {
        var limits = new Limits(0, 0, 0, 0, 0, 0, 10_000, 0, 0, 0);
        try (Driver driver = Driver.open(cores, limits)) {
            driver.turn(1, "x".repeat(6_000));
            driver.says(1, "y".repeat(3_000));
            driver.turn(2, "z".repeat(500));
            driver.says(5, "ok");
            assertFailed(driver.turn(3, "x".repeat(6_000)), 3, "limit_transcript");
            assertFailed(driver.turn(4, "more"), 4, "limit_transcript");
        }
    }

    @Test
    void d11AMessageThatIsTooLongEndsTheTurn() {
        var limits = new Limits(0, 0, 0, 0, 10_000, 0, 0, 0, 0, 0);
        try (Driver driver = Driver.open(cores, limits)) {
            List<Action> refused = driver.turn(1, "x".repeat(10_000));
            assertThat(ops(refused)).containsExactly("1 Save", "2 Done");
            assertFailed(refused, 1, "limit_message");
            driver.turn(2, "go");
            assertFailed(driver.says(3, "x".repeat(10_000)), 2, "limit_message");
            driver.turn(3, "go");
            driver.calls(6, "", exec("a"), exec("b"));
            assertFailed(driver.result(Family.EXEC, 7, "x".repeat(10_000)), 3, "limit_message");
            List<Op.Message> told = messages(driver.turn(4, "go"));
            assertThat(told.stream().map(Op.Message::id)).containsExactly(6L, 7L, 8L, 0L);
        }
    }

    @Test
    void d11TooManyCallsInAReplyEndTheTurn() {
        var limits = new Limits(0, 0, 0, 0, 0, 0, 0, 0, 0, 2);
        try (Driver driver = Driver.open(cores, limits)) {
            driver.turn(1, "go");
            List<Action> ended = driver.calls(1, "", exec("a"), exec("b"), exec("c"));
            assertFailed(ended, 1, "limit_calls");
            assertThat(ops(ended)).containsExactly("2 Save", "3 Done");
        }
    }

    @Test
    void d11ACallThatFailsAgainAndAgainIsToldThenEndsTheTurn() {
        try (Driver driver = Driver.open(cores)) {
            driver.turn(1, "go");
            long ask = 1;
            for (int i = 0; i < 2; i++) {
                driver.calls(ask, "", exec("make"));
                List<Action> next = driver.failed(Family.EXEC, ask + 1);
                assertThat(messages(next).getLast().role()).isEqualTo(Op.Role.TOOL);
                ask += 2;
            }
            driver.calls(ask, "", exec("make"));
            List<Op.Message> told = messages(driver.failed(Family.EXEC, ask + 1));
            assertThat(told.getLast().role()).isEqualTo(Op.Role.USER);
            assertThat(told.getLast().body()).contains("exec").contains("3 times");
            ask += 2;
            driver.calls(ask, "", exec("make"));
            assertFailed(driver.failed(Family.EXEC, ask + 1), 1, "limit_failures");
        }
    }

    @Test
    void d11ACallThatWorksAgainIsForgiven() {
        try (Driver driver = Driver.open(cores)) {
            driver.turn(1, "go");
            long ask = 1;
            for (int i = 0; i < 8; i++) {
                driver.calls(ask, "", exec("make"));
                List<Action> next =
                        i % 3 == 2
                                ? driver.result(Family.EXEC, ask + 1, "")
                                : driver.failed(Family.EXEC, ask + 1);
                assertThat(ops(next)).containsExactly((ask + 2) + " ModelAsk");
                ask += 2;
            }
        }
    }

    @Test
    void d11ACallThatIsRefusedAgainAndAgainEndsTheTurnToo() {
        try (Driver driver = Driver.open(cores)) {
            driver.turn(1, "go");
            long ask = 1;
            for (int i = 0; i < 3; i++) {
                driver.calls(ask, "", read("../x"));
                ask += 2;
            }
            List<Action> ended = driver.calls(ask, "", read("../x"), exec("ls"));
            assertFailed(ended, 1, "limit_failures");
            assertThat(ops(ended)).hasSize(2);
        }
    }

    /** However many calls of one reply fail: the turn ends only after the model was told. */
    @Test
    void d11CallsOfOneReplyThatFailAreToldFirst() {
        try (Driver driver = Driver.open(cores)) {
            driver.turn(1, "go");
            driver.calls(1, "", exec("x"), exec("x"), exec("x"), exec("x"), exec("x"));
            for (int id = 2; id < 6; id++) {
                assertThat(driver.failed(Family.EXEC, id)).isEmpty();
            }
            List<Op.Message> told = messages(driver.failed(Family.EXEC, 6));
            assertThat(told.getLast().role()).isEqualTo(Op.Role.USER);
            assertThat(told.getLast().body()).contains("5 times");
            driver.calls(7, "", exec("x"));
            assertFailed(driver.failed(Family.EXEC, 8), 1, "limit_failures");
        }
    }

    @Test
    void d11RefusedCallsOfOneReplyDoNotKeepAGoodOneBack() {
        try (Driver driver = Driver.open(cores)) {
            driver.turn(1, "go");
            Call bad = read("../x");
            List<Action> actions = driver.calls(1, "", bad, bad, bad, bad, read("a"));
            assertThat(ops(actions)).containsExactly("6 Read");
            List<Op.Message> told = messages(driver.result(Family.FILE, 6, "text"));
            assertThat(told.getLast().body()).contains("4 times");
            assertFailed(driver.calls(7, "", bad), 1, "limit_failures");
        }
    }

    @Test
    void d11ASessionThatIsFullGrowsNoMore() {
        var limits = new Limits(0, 0, 0, 0, 0, 0, 1_000, 0, 0, 0);
        try (Driver driver = Driver.open(cores, limits)) {
            assertFailed(driver.turn(1, "x".repeat(1_200)), 1, "limit_transcript");
            int bytes = driver.snapshot().length();
            for (int turn = 2; turn < 200; turn++) {
                assertFailed(driver.turn(turn, "abc"), turn, "limit_transcript");
            }
            assertThat(driver.snapshot().length()).isEqualTo(bytes);
        }
    }

    /** Summaries are sent back with the next ask, and are kept until that is answered. */
    @Test
    void d11TooMuchThatIsNotAnsweredEndsTheTurnAndNotTheCore() {
        var limits = new Limits(0, 0, 0, 0, 0, 3_000_000, 1L << 40, 1L << 40, 0, 0);
        String result = "r".repeat(4 << 20);
        try (Driver driver = Driver.open(cores, limits)) {
            driver.turn(1, "go");
            driver.calls(1, "", Driver.agent("one"), Driver.agent("two"));
            List<Long> compactions = new ArrayList<>();
            for (long ask : List.of(3L, 5L)) {
                long next = ask;
                for (int i = 0; i < 3; i++) {
                    long call = ask(driver.calls(next, "", read("a"))).id().value();
                    next = ask(driver.result(Family.FILE, call, result)).id().value();
                }
                compactions.add(next);
            }
            String summary = "s".repeat(7 << 20);
            assertThat(driver.says(compactions.get(0), summary)).hasSize(1);
            assertFailed(driver.says(compactions.get(1), summary), 1, "limit_outstanding");
            assertThat(driver.snapshot().length()).isLessThan(10_000);
            assertThat(driver.turn(2, "go on")).hasSize(1);
        }
    }

    private static Action ask(List<Action> actions) {
        assertThat(actions).hasSize(1);
        return actions.getFirst();
    }

    @Test
    void anotherCallThatFailsIsCountedApart() {
        try (Driver driver = Driver.open(cores)) {
            driver.turn(1, "go");
            long ask = 1;
            for (int i = 0; i < 10; i++) {
                Call call = exec("make", Integer.toString(i % 4));
                driver.calls(ask, "", call);
                assertThat(driver.failed(Family.EXEC, ask + 1)).hasSize(1);
                ask += 2;
            }
        }
    }

    /**
     * What is told of it is kept until the next ask: it must not be as long as what was written.
     */
    @Test
    void aRefusedCallIsToldInBriefHoweverLongItWas() {
        try (Driver driver = Driver.open(cores)) {
            driver.turn(1, "go");
            List<Action> back = driver.calls(1, "", Driver.read("/" + "\u00e9".repeat(1 << 20)));
            assertThat(messages(back).getLast().body())
                    .startsWith("refused: the path \"/\u00e9")
                    .endsWith("\u00e9\" leaves the workspace")
                    .hasSizeLessThan(600);
        }
    }
}
