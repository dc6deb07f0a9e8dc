package ai.hanzo.dev.host.core;

import static ai.hanzo.dev.host.core.Driver.agent;
import static ai.hanzo.dev.host.core.Driver.ask;
import static ai.hanzo.dev.host.core.Driver.asked;
import static ai.hanzo.dev.host.core.Driver.dones;
import static ai.hanzo.dev.host.core.Driver.exec;
import static ai.hanzo.dev.host.core.Driver.messages;
import static ai.hanzo.dev.host.core.Driver.ops;
import static ai.hanzo.dev.host.core.Driver.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Config;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.Event.FailureCode;
import ai.hanzo.dev.protocol.Event.Family;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.Outcome;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.Seq;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the core does beyond its model: improvements D1 to D14 of docs/core.md, by their names. */
final class BetterTest {
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
    void d01ACancelAnswersEveryCallThatHadNoResult() {
        try (Driver driver = Driver.open(cores)) {
            driver.turn(1, "go");
            driver.calls(1, "", exec("a"), exec("b"), exec("c"));
            driver.result(Family.EXEC, 3, "");
            driver.cancel(1);
            List<Op.Message> told = messages(driver.turn(2, "again"));
            assertThat(told.stream().map(Op.Message::role))
                    .containsExactly(
                            Op.Role.ASSISTANT,
                            Op.Role.TOOL,
                            Op.Role.TOOL,
                            Op.Role.TOOL,
                            Op.Role.USER);
            assertThat(told.stream().skip(1).limit(3).map(Op.Message::id))
                    .containsExactly(3L, 2L, 4L);
            assertThat(told.get(2).body()).startsWith("cancelled");
            assertThat(told.get(3).body()).startsWith("cancelled");
        }
    }

    @Test
    void d02AModelThatFailsEndsTheTurnAndSaysWhy() {
        try (Driver driver = Driver.open(cores)) {
            driver.turn(1, "go");
            List<Action> ended = driver.modelFailed(1, FailureCode.UNAVAILABLE);
            assertThat(ops(ended)).containsExactly("2 Save", "3 Done");
            Op.Done done = dones(ended).getFirst();
            assertThat(done.outcome()).isEqualTo(Op.TurnOutcome.FAILED);
            assertThat(done.code()).isEqualTo("model_failed");
            assertThat(done.message()).isEqualTo("unavailable: as it says");
            assertThat(ops(driver.turn(2, "again"))).containsExactly("4 ModelAsk");
        }
    }

    @Test
    void d02AReplyThatCannotBeReadIsAskedForOnceMore() {
        try (Driver driver = Driver.open(cores)) {
            driver.turn(1, "go");
            List<Action> again = driver.modelFailed(1, FailureCode.MALFORMED);
            assertThat(ops(again)).containsExactly("2 ModelAsk");
            assertThat(asked(again).edits()).isEmpty();
            List<Action> ended = driver.modelFailed(2, FailureCode.MALFORMED);
            assertThat(dones(ended).getFirst().code()).isEqualTo("model_failed");
        }
    }

    @Test
    void d02TheChainOfWaitingTurnsGoesOnAfterAFailure() {
        try (Driver driver = Driver.open(cores)) {
            driver.turn(1, "go");
            driver.turn(2, "next");
            List<Action> ended = driver.modelFailed(1, FailureCode.REFUSED);
            assertThat(ops(ended)).containsExactly("3 Save", "4 Done", "5 ModelAsk");
        }
    }

    @Test
    void d03AQuestionIsAnsweredByAnAnswer() {
        try (Driver driver = Driver.open(cores)) {
            driver.turn(1, "go");
            assertThat(ops(driver.calls(1, "", ask("Tabs or spaces?")))).containsExactly("2 Ask");
            List<Action> next = driver.feed(new Event.Answer(new ActionId(2), "tabs"));
            assertThat(messages(next).getLast())
                    .isEqualTo(new Op.Message(Op.Role.TOOL, new Seq(4), "", 2, List.of()));
        }
    }

    @Test
    void d06AResultAmongSiblingsMakesTheStateWorthSaving() {
        try (Driver driver = Driver.open(cores)) {
            driver.turn(1, "go");
            driver.calls(1, "", exec("a"), exec("b"));
            driver.timer();
            driver.result(Family.EXEC, 2, "");
            assertThat(ops(driver.timer())).containsExactly("5 Save");
        }
    }

    @Test
    void d07TheSnapshotAfterABatchHoldsTheBatch() {
        try (Driver driver = Driver.open(cores)) {
            driver.turn(1, "go");
            driver.calls(1, "", exec("a"));
            try (Driver other = driver.restored()) {
                assertThat(ops(other.result(Family.EXEC, 2, ""))).containsExactly("3 ModelAsk");
            }
        }
    }

    @Test
    void d08AStateThatIsOlderThanTheLedgerIsRefused() {
        try (Driver driver = Driver.open(cores)) {
            driver.turn(1, "go");
            Bytes state = driver.snapshot();
            assertThatThrownBy(() -> driver.resume(2))
                    .isInstanceOfSatisfying(
                            CoreException.class,
                            e -> assertThat(e.code()).isEqualTo(CoreException.Code.MALFORMED));
            assertThat(driver.snapshot()).isEqualTo(state);
            assertThat(ops(driver.resume(1))).containsExactly("1 ModelAsk");
        }
    }

    @Test
    void d09AResultThatIsInDoubtReachesTheModelByItsEntry() {
        try (Driver driver = Driver.open(cores)) {
            driver.turn(1, "go");
            driver.calls(1, "", exec("a"));
            Outcome doubt = Outcome.of(Outcome.Status.IN_DOUBT, "the cell died");
            List<Action> next = driver.feed(new Event.Result(Family.EXEC, new ActionId(2), doubt));
            assertThat(messages(next).getLast().entry()).isEqualTo(new Seq(4));
        }
    }

    @Test
    void d10TextBesideCallsIsShown() {
        try (Driver driver = Driver.open(cores)) {
            driver.turn(1, "go");
            List<Action> acts = driver.calls(1, "I look first.", read("a"));
            assertThat(ops(acts)).containsExactly("2 Emit", "3 Read");
            assertThat(acts.getFirst().op())
                    .isEqualTo(new Op.Emit(Op.EmitKind.SAY, 0, "I look first.", List.of()));
        }
    }

    @Test
    void d13TheStateDoesNotHoldTheConversation() {
        try (Driver driver = Driver.open(cores)) {
            driver.turn(1, "x".repeat(200_000));
            driver.calls(1, "", exec("a"));
            driver.result(Family.EXEC, 2, "y".repeat(90_000));
            driver.says(3, "z".repeat(100_000));
            assertThat(driver.snapshot().length()).isLessThan(1_024);
        }
    }

    @Test
    void d14ResumeAsksAgainForAllThatIsOutstanding() {
        try (Driver driver = Driver.open(cores)) {
            driver.turn(1, "go");
            List<Action> acts = driver.calls(1, "", exec("a"), read("b"), agent("look around"));
            driver.result(Family.FILE, 3, "");
            driver.restart();
            Bytes state = driver.snapshot();
            List<Action> again = driver.resume(5);
            assertThat(again).containsExactly(acts.get(0), acts.get(2));
            assertThat(driver.snapshot()).isEqualTo(state);
        }
    }

    @Test
    void aChangedConfigReplacesTheSystemMessageAndTheTools() {
        try (Driver driver = Driver.open(cores)) {
            driver.turn(1, "go");
            driver.says(1, "done");
            var changed =
                    new Config(
                            "You are brief.",
                            "Use spaces.",
                            "other",
                            Driver.TOOLS.subList(0, 2),
                            Config.Limits.DEFAULTS);
            assertThat(ops(driver.feed(new Event.Configure(changed)))).containsExactly("5 Save");
            Op.ModelAsk ask = asked(driver.turn(2, "more"));
            assertThat(ask.tools()).containsExactly("read", "write");
            assertThat(ask.model()).isEqualTo("other");
            assertThat(ask.edits().getFirst())
                    .isEqualTo(
                            new Op.Edit.Replace(
                                    0,
                                    1,
                                    new Op.Message(Op.Role.SYSTEM, new Seq(4), "", 0, List.of())));
        }
    }
}
