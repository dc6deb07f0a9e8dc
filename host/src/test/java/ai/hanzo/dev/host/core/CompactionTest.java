package ai.hanzo.dev.host.core;

import static ai.hanzo.dev.host.core.Driver.asked;
import static ai.hanzo.dev.host.core.Driver.dones;
import static ai.hanzo.dev.host.core.Driver.exec;
import static ai.hanzo.dev.host.core.Driver.ops;
import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.Config.Limits;
import ai.hanzo.dev.protocol.Event.FailureCode;
import ai.hanzo.dev.protocol.Event.Family;
import ai.hanzo.dev.protocol.Op;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** How a conversation is kept within its budget (D4). */
final class CompactionTest {
    /** 1,000 tokens are 4,000 bytes, of which the system message and the tools take some 500. */
    private static final Limits SMALL = new Limits(0, 0, 0, 0, 0, 1_000, 0, 0, 0, 0);

    private static Cores cores;

    @BeforeAll
    static void load() {
        cores = new WasmCores(CoreLimits.DEFAULTS);
    }

    @AfterAll
    static void unload() {
        cores.close();
    }

    /** Two turns that together fill the budget; the second prompt asks for a summary. */
    private static List<Action> fill(Driver driver) {
        driver.turn(1, "x".repeat(1_500));
        driver.says(1, "y".repeat(1_500));
        return driver.turn(2, "z".repeat(1_000));
    }

    @Test
    void d04TheOldestSpanIsSummarisedBeforeTheModelIsAsked() {
        try (Driver driver = Driver.open(cores, SMALL)) {
            Op.ModelAsk ask = asked(fill(driver));
            assertThat(ask.purpose()).isEqualTo(Op.Purpose.COMPACT);
            assertThat(ask.from()).isEqualTo(1);
            assertThat(ask.count()).isEqualTo(2);
            assertThat(ask.tools()).isEmpty();
            assertThat(ask.edits()).hasSize(2);
            List<Action> next = driver.says(5, "They said x, then y.");
            Op.ModelAsk again = asked(next);
            assertThat(again.purpose()).isEqualTo(Op.Purpose.TURN);
            assertThat(again.edits()).hasSize(1);
            Op.Edit.Replace replace = (Op.Edit.Replace) again.edits().getFirst();
            assertThat(replace.from()).isEqualTo(1);
            assertThat(replace.count()).isEqualTo(2);
            assertThat(replace.message().role()).isEqualTo(Op.Role.USER);
            assertThat(replace.message().body()).endsWith("They said x, then y.");
            assertThat(ops(driver.says(6, "done"))).containsExactly("7 Emit", "8 Save", "9 Done");
        }
    }

    /** The system message is the Config's own entry, prelude and AGENTS.md as they were given. */
    @Test
    void d04TheInstructionsSurviveEverySummaryWordForWord() {
        var transcripts = new Transcripts();
        try (Driver driver = Driver.open(cores, SMALL)) {
            int context = 0;
            int summaries = 0;
            for (int turn = 1; turn <= 12; turn++) {
                List<Action> actions = driver.turn(turn, "x".repeat(1_500));
                transcripts.apply(actions);
                while (asked(actions).purpose() == Op.Purpose.COMPACT) {
                    summaries++;
                    actions = driver.says(actions.getLast().id().value(), "They said x.");
                    transcripts.apply(actions);
                }
                Op.ModelAsk ask = asked(actions);
                context = ask.context();
                Op.Message system = transcripts.messages(context).getFirst();
                assertThat(system.role()).isEqualTo(Op.Role.SYSTEM);
                assertThat(system.entry().value()).as("turn %s", turn).isEqualTo(1);
                assertThat(system.body()).isEmpty();
                driver.says(actions.getLast().id().value(), "y".repeat(1_500));
            }
            assertThat(summaries).isGreaterThan(3);
        }
    }

    @Test
    void d04ACompactionInterruptedByADeathOfTheHostGoesOn() {
        try (Driver driver = Driver.open(cores, SMALL)) {
            List<Action> asked = fill(driver);
            driver.restart();
            assertThat(driver.resume(5)).isEqualTo(asked);
            assertThat(asked(driver.says(5, "short")).purpose()).isEqualTo(Op.Purpose.TURN);
        }
    }

    @Test
    void d04WithinATurnThePromptStaysAndCallsKeepTheirResults() {
        try (Driver driver = Driver.open(cores, SMALL)) {
            driver.turn(1, "the prompt");
            long ask = 1;
            Op.ModelAsk compact;
            while (true) {
                driver.calls(ask, "", exec("a"), exec("b"));
                driver.result(Family.EXEC, ask + 1, "r".repeat(600));
                List<Action> next = driver.result(Family.EXEC, ask + 2, "r".repeat(600));
                ask = next.getFirst().id().value();
                if (asked(next).purpose() == Op.Purpose.COMPACT) {
                    compact = asked(next);
                    break;
                }
            }
            // 0 system, 1 prompt, then groups of three: a call of two, and its results.
            assertThat(compact.from()).isEqualTo(2);
            assertThat(compact.count() % 3).isZero();
            assertThat(compact.count()).isPositive();
            assertThat(asked(driver.says(ask, "so far so good")).purpose())
                    .isEqualTo(Op.Purpose.TURN);
        }
    }

    @Test
    void d04ASummaryThatGainsNothingEndsTheTurnAfterTheSecond() {
        try (Driver driver = Driver.open(cores, SMALL)) {
            fill(driver);
            Op.ModelAsk second = asked(driver.says(5, "w".repeat(4_000)));
            assertThat(second.purpose()).isEqualTo(Op.Purpose.COMPACT);
            assertThat(second.edits()).isEmpty();
            List<Action> ended = driver.says(6, "w".repeat(4_000));
            assertThat(dones(ended).getFirst().code()).isEqualTo("context_overflow");
        }
    }

    @Test
    void d04AnEmptySummaryGainsNothing() {
        try (Driver driver = Driver.open(cores, SMALL)) {
            fill(driver);
            driver.says(5, "");
            List<Action> ended = driver.says(6, "");
            assertThat(dones(ended).getFirst().code()).isEqualTo("context_overflow");
        }
    }

    @Test
    void d04APromptThatAloneIsTooLongEndsItsTurn() {
        try (Driver driver = Driver.open(cores, SMALL)) {
            List<Action> ended = driver.turn(1, "x".repeat(5_000));
            assertThat(dones(ended).getFirst().code()).isEqualTo("context_overflow");
            assertThat(ops(ended)).containsExactly("1 Save", "2 Done");
        }
    }

    @Test
    void d02AProviderThatFindsItTooLongGetsASummaryOnce() {
        try (Driver driver = Driver.open(cores)) {
            driver.turn(1, "x".repeat(1_500));
            driver.says(1, "y".repeat(1_500));
            driver.turn(2, "z");
            Op.ModelAsk compact = asked(driver.modelFailed(5, FailureCode.CONTEXT_OVERFLOW));
            assertThat(compact.purpose()).isEqualTo(Op.Purpose.COMPACT);
            assertThat(asked(driver.says(6, "short")).purpose()).isEqualTo(Op.Purpose.TURN);
            List<Action> ended = driver.modelFailed(7, FailureCode.CONTEXT_OVERFLOW);
            assertThat(dones(ended).getFirst().code()).isEqualTo("context_overflow");
        }
    }

    @Test
    void d02AnOverflowWithNothingToGiveUpEndsTheTurn() {
        try (Driver driver = Driver.open(cores)) {
            driver.turn(1, "x");
            List<Action> ended = driver.modelFailed(1, FailureCode.CONTEXT_OVERFLOW);
            assertThat(dones(ended).getFirst().code()).isEqualTo("context_overflow");
        }
    }

    @Test
    void d04ACancelledCompactionLeavesTheConversationAsItWas() {
        try (Driver driver = Driver.open(cores, SMALL)) {
            fill(driver);
            assertThat(dones(driver.cancel(2))).hasSize(1);
            assertThat(driver.says(5, "late")).isEmpty();
            Op.ModelAsk again = asked(driver.turn(3, "small"));
            assertThat(again.purpose()).isEqualTo(Op.Purpose.COMPACT);
            assertThat(again.from()).isEqualTo(1);
        }
    }

    @Test
    void d04ASummaryIsNotSummarisedAloneAndTheNextOneTakesItIn() {
        try (Driver driver = Driver.open(cores, SMALL)) {
            fill(driver);
            driver.says(5, "first summary");
            driver.says(6, "y".repeat(1_500));
            // 0 system, 1 summary, 2 prompt, 3 answer, 4 prompt
            Op.ModelAsk second = asked(driver.turn(3, "z".repeat(1_500)));
            assertThat(second.purpose()).isEqualTo(Op.Purpose.COMPACT);
            assertThat(second.from()).isEqualTo(1);
            assertThat(second.count()).isGreaterThan(1);
        }
    }
}
