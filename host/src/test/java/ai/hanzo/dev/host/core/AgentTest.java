package ai.hanzo.dev.host.core;

import static ai.hanzo.dev.host.core.Driver.agent;
import static ai.hanzo.dev.host.core.Driver.asked;
import static ai.hanzo.dev.host.core.Driver.dones;
import static ai.hanzo.dev.host.core.Driver.exec;
import static ai.hanzo.dev.host.core.Driver.messages;
import static ai.hanzo.dev.host.core.Driver.ops;
import static ai.hanzo.dev.host.core.Driver.plan;
import static ai.hanzo.dev.host.core.Driver.read;
import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.Config;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.Event.FailureCode;
import ai.hanzo.dev.protocol.Event.Family;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.id.Seq;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the core answers by itself: nested agents (D5) and plans. */
final class AgentTest {
    private static Cores cores;

    @BeforeAll
    static void load() {
        cores = new WasmCores(CoreLimits.DEFAULTS);
    }

    @AfterAll
    static void unload() {
        cores.close();
    }

    @Test
    void d05AnAgentIsAConversationOfItsOwnWhoseLastWordsAnswerTheCall() {
        try (Driver driver = Driver.open(cores)) {
            driver.turn(1, "go");
            List<Action> begun = driver.calls(1, "", agent("count the files"));
            assertThat(ops(begun)).containsExactly("3 ModelAsk");
            Op.ModelAsk ask = asked(begun);
            assertThat(ask.context()).isEqualTo(1);
            assertThat(ask.parent()).isZero();
            assertThat(ask.purpose()).isEqualTo(Op.Purpose.AGENT);
            assertThat(messages(begun))
                    .containsExactly(
                            new Op.Message(Op.Role.SYSTEM, new Seq(1), "", 0, List.of()),
                            new Op.Message(
                                    Op.Role.USER, new Seq(0), "count the files", 0, List.of()));
            assertThat(ops(driver.calls(3, "", exec("ls")))).containsExactly("4 Exec");
            assertThat(asked(driver.result(Family.EXEC, 4, "a b")).context()).isEqualTo(1);
            List<Action> back = driver.says(5, "Two files.");
            assertThat(ops(back)).containsExactly("6 ModelAsk");
            assertThat(asked(back).context()).isZero();
            assertThat(messages(back))
                    .containsExactly(
                            new Op.Message(Op.Role.ASSISTANT, new Seq(3), "", 1, List.of(2L)),
                            new Op.Message(Op.Role.TOOL, new Seq(6), "", 2, List.of()));
            assertThat(ops(driver.says(6, "Done."))).containsExactly("7 Emit", "8 Save", "9 Done");
        }
    }

    @Test
    void d05AgentsRunBesideOtherCalls() {
        try (Driver driver = Driver.open(cores)) {
            driver.turn(1, "go");
            List<Action> begun = driver.calls(1, "", agent("one"), exec("ls"), agent("two"));
            assertThat(ops(begun)).containsExactly("3 ModelAsk", "4 Exec", "6 ModelAsk");
            assertThat(driver.says(6, "second")).isEmpty();
            assertThat(driver.result(Family.EXEC, 4, "")).isEmpty();
            List<Action> back = driver.says(3, "first");
            assertThat(messages(back).getFirst().callIds()).containsExactly(2L, 4L, 5L);
            assertThat(messages(back).stream().skip(1).map(Op.Message::id))
                    .containsExactly(5L, 4L, 2L);
        }
    }

    @Test
    void d05ACancelEndsAgentsAtEveryDepth() {
        try (Driver driver = Driver.open(cores)) {
            driver.turn(1, "go");
            driver.calls(1, "", agent("one"));
            driver.calls(3, "", agent("one of one"), exec("ls"));
            assertThat(ops(driver.cancel(1))).containsExactly("7 Save", "8 Done");
            assertThat(driver.says(5, "late")).isEmpty();
            assertThat(driver.result(Family.EXEC, 6, "late")).isEmpty();
            List<Op.Message> told = messages(driver.turn(2, "again"));
            assertThat(told.stream().map(Op.Message::id)).containsExactly(1L, 2L, 0L);
            assertThat(told.get(1).body()).startsWith("cancelled");
        }
    }

    @Test
    void d05AnAgentAtTheLastDepthHasNoToolToCallAnother() {
        try (Driver driver = Driver.open(cores, Driver.limits(0, 0, 2, 0))) {
            driver.turn(1, "go");
            Op.ModelAsk first = asked(driver.calls(1, "", agent("one")));
            assertThat(first.tools()).contains("agent");
            Op.ModelAsk second = asked(driver.calls(3, "", agent("two")));
            assertThat(second.tools()).doesNotContain("agent").contains("exec");
            List<Action> ended = driver.calls(5, "", agent("three"));
            assertThat(dones(ended).getFirst().code()).isEqualTo("limit_depth");
        }
    }

    @Test
    void d05AnAgentMayBeGivenFewerTools() {
        try (Driver driver = Driver.open(cores)) {
            driver.turn(1, "go");
            List<Action> begun = driver.calls(1, "", agent("look", "search", "read"));
            assertThat(asked(begun).tools()).containsExactly("read", "search");
            List<Action> refused = driver.calls(3, "", exec("rm", "-r", "."));
            assertThat(ops(refused)).containsExactly("5 ModelAsk");
            assertThat(messages(refused).getLast().body()).contains("there is no tool exec");
        }
    }

    @Test
    void d05AToolThatTheCallerLacksCannotBeGivenAway() {
        try (Driver driver = Driver.open(cores)) {
            driver.turn(1, "go");
            List<Action> refused = driver.calls(1, "", agent("look", "rocket"));
            assertThat(ops(refused)).containsExactly("3 ModelAsk");
            assertThat(messages(refused).getLast().body()).contains("rocket");
        }
    }

    @Test
    void d05AnAgentOutOfStepsIsAFailedCall() {
        try (Driver driver = Driver.open(cores, Driver.limits(0, 0, 0, 1))) {
            driver.turn(1, "go");
            driver.calls(1, "", agent("one"));
            driver.calls(3, "", exec("ls"));
            List<Action> back = driver.result(Family.EXEC, 4, "");
            assertThat(ops(back)).containsExactly("5 ModelAsk");
            assertThat(asked(back).context()).isZero();
            assertThat(messages(back).getLast().body()).contains("limit_agent_steps");
        }
    }

    @Test
    void d05AnAgentWhoseModelFailsIsAFailedCall() {
        try (Driver driver = Driver.open(cores)) {
            driver.turn(1, "go");
            driver.calls(1, "", agent("one"));
            List<Action> back = driver.modelFailed(3, FailureCode.REFUSED);
            assertThat(asked(back).context()).isZero();
            assertThat(messages(back).getLast().body()).contains("model_failed");
        }
    }

    /**
     * Each caller has seen its call fail once before; when the deepest agent fails, all of them
     * fail in one step, one inside the other. The stack must hold that at the greatest depth.
     */
    @Test
    void d05AFailureGoesUpThroughSixteenAgentsInOneStep() {
        var limits = new Config.Limits(0, 0, 16, 0, 0, 0, 0, 0, /* sameFailures= */ 1, 0);
        try (Driver driver = Driver.open(cores, limits)) {
            Op.ModelAsk[] asked = {asked(driver.turn(1, "go"))};
            long ask = 1;
            for (int depth = 1; depth <= 16; depth++) {
                List<Action> begun = driver.calls(ask, "", agent("dig"));
                List<Action> back = driver.modelFailed(last(begun), FailureCode.REFUSED);
                begun = driver.calls(last(back), "", agent("dig"));
                asked[0] = asked(begun);
                assertThat(asked[0].context()).isEqualTo(2 * depth);
                ask = last(begun);
            }
            List<Action> end = driver.modelFailed(ask, FailureCode.REFUSED);
            assertThat(dones(end))
                    .singleElement()
                    .extracting(Op.Done::code)
                    .isEqualTo("limit_failures");
        }
    }

    private static long last(List<Action> actions) {
        return actions.getLast().id().value();
    }

    @Test
    void d05ATaskThatIsTooLongIsRefusedAndCounted() {
        var limits = new Config.Limits(0, 0, 0, 0, 0, 5_000, 0, 0, 0, 0);
        try (Driver driver = Driver.open(cores, limits)) {
            driver.turn(1, "go");
            long ask = 1;
            for (int i = 0; i < 3; i++) {
                List<Action> next = driver.calls(ask, "", agent("x".repeat(30_000)));
                assertThat(messages(next).stream().map(Op.Message::body))
                        .contains("refused: the task is too long for an agent");
                ask = next.getLast().id().value();
            }
            List<Action> ended = driver.calls(ask, "", agent("x".repeat(30_000)), exec("ls"));
            assertThat(dones(ended).getFirst().code()).isEqualTo("limit_failures");
            assertThat(ops(ended)).hasSize(2);
        }
    }

    @Test
    void d05AToolThatIsTakenAwayIsTakenFromAgentsToo() {
        Config all = Driver.config(Driver.limits(0, 0, 1, 0));
        try (Driver driver = Driver.open(cores, all)) {
            driver.turn(1, "go");
            driver.calls(1, "", agent("count"));
            List<Config.Tool> fewer =
                    all.tools().stream().filter(t -> t.name().equals("read")).toList();
            driver.feed(
                    new Event.Configure(
                            new Config(
                                    all.prelude(),
                                    all.instructions(),
                                    all.model(),
                                    fewer,
                                    all.limits())));
            List<Action> refused = driver.calls(3, "", exec("rm"), read("a"));
            assertThat(ops(refused)).containsExactly("6 Read");
            assertThat(asked(driver.result(Family.FILE, 6, "")).tools()).containsExactly("read");
        }
    }

    @Test
    void d05StepsOfAgentsCountForTheTurn() {
        try (Driver driver = Driver.open(cores, Driver.limits(0, 2, 0, 0))) {
            driver.turn(1, "go");
            driver.calls(1, "", agent("one"));
            List<Action> ended = driver.says(3, "that was it");
            assertThat(dones(ended).getFirst().code()).isEqualTo("limit_steps");
        }
    }

    @Test
    void d05AgentsThatTheBudgetDoesNotHoldAreNotBegun() {
        try (Driver driver = Driver.open(cores, Driver.limits(0, 2, 0, 0))) {
            driver.turn(1, "go");
            List<Action> ended = driver.calls(1, "", exec("ls"), agent("one"), agent("two"));
            assertThat(ops(ended)).containsExactly("2 Save", "3 Done");
        }
    }

    @Test
    void aPlanIsShownAndAnsweredAtOnce() {
        try (Driver driver = Driver.open(cores)) {
            driver.turn(1, "go");
            List<Action> acts = driver.calls(1, "", plan("look", "fix"), read("a"));
            assertThat(ops(acts)).containsExactly("2 Emit", "3 Read");
            Op.Emit emit = (Op.Emit) acts.getFirst().op();
            assertThat(emit.kind()).isEqualTo(Op.EmitKind.PLAN);
            assertThat(emit.items().stream().map(Op.PlanItem::text)).containsExactly("look", "fix");
            List<Op.Message> told = messages(driver.result(Family.FILE, 3, ""));
            assertThat(told.get(1).id()).isEqualTo(2);
            assertThat(told.get(1).body()).isEqualTo("the plan is noted");
        }
    }

    @Test
    void aPlanAloneAsksTheModelOn() {
        try (Driver driver = Driver.open(cores)) {
            driver.turn(1, "go");
            assertThat(ops(driver.calls(1, "", plan("look"))))
                    .containsExactly("2 Emit", "3 ModelAsk");
        }
    }
}
