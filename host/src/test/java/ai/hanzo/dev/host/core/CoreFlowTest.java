package ai.hanzo.dev.host.core;

import static ai.hanzo.dev.host.core.Driver.asked;
import static ai.hanzo.dev.host.core.Driver.dones;
import static ai.hanzo.dev.host.core.Driver.exec;
import static ai.hanzo.dev.host.core.Driver.messages;
import static ai.hanzo.dev.host.core.Driver.ops;
import static ai.hanzo.dev.host.core.Driver.read;
import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Call;
import ai.hanzo.dev.protocol.Config;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.Event.Family;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.TurnId;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The life of a turn: invariants 1 to 14 of docs/core.md, by their numbers. */
final class CoreFlowTest {
    private static Cores cores;
    private Driver driver;

    @BeforeAll
    static void load() {
        cores = new WasmCores(CoreLimits.DEFAULTS);
    }

    @AfterAll
    static void unload() {
        cores.close();
    }

    @BeforeEach
    void open() {
        driver = Driver.open(cores);
    }

    @AfterEach
    void close() {
        driver.close();
    }

    private static Op.Edit append(Op.Role role, long entry) {
        return new Op.Edit.Append(new Op.Message(role, new Seq(entry), "", 0, List.of()));
    }

    @Test
    void invariant01ATurnTakesSixIdsInOrder() {
        assertThat(ops(driver.turn(1, "fix the test"))).containsExactly("1 ModelAsk");
        assertThat(ops(driver.calls(1, "", exec("make")))).containsExactly("2 Exec");
        assertThat(ops(driver.result(Family.EXEC, 2, "ok"))).containsExactly("3 ModelAsk");
        List<Action> last = driver.says(3, "done");
        assertThat(ops(last)).containsExactly("4 Emit", "5 Save", "6 Done");
        assertThat(dones(last))
                .containsExactly(new Op.Done(new TurnId(1), Op.TurnOutcome.COMPLETE, "", ""));
    }

    @Test
    void invariant02TheModelIsAskedAfterTheLastResult() {
        driver.turn(1, "go");
        assertThat(ops(driver.calls(1, "", exec("a"), read("b"), exec("c"))))
                .containsExactly("2 Exec", "3 Read", "4 Exec");
        assertThat(driver.result(Family.EXEC, 4, "")).isEmpty();
        assertThat(driver.result(Family.FILE, 3, "")).isEmpty();
        assertThat(ops(driver.result(Family.EXEC, 2, ""))).containsExactly("5 ModelAsk");
    }

    @Test
    void invariant03ARestoredSessionGivesTheSameAnswers() {
        driver.turn(1, "go");
        driver.calls(1, "I look", exec("a"), exec("b"));
        driver.failed(Family.EXEC, 3);
        try (Driver other = driver.restored()) {
            assertThat(other.snapshot()).isEqualTo(driver.snapshot());
            assertThat(other.result(Family.EXEC, 4, "x"))
                    .isEqualTo(driver.result(Family.EXEC, 4, "x"));
            assertThat(other.says(5, "bye")).isEqualTo(driver.says(5, "bye"));
            assertThat(other.snapshot()).isEqualTo(driver.snapshot());
        }
    }

    @Test
    void invariant04ATimerSavesOnceUntilTheStateMoves() {
        assertThat(driver.timer()).isEmpty();
        driver.turn(1, "go");
        assertThat(ops(driver.timer())).containsExactly("2 Save");
        assertThat(driver.timer()).isEmpty();
        driver.calls(1, "", exec("a"), exec("b"));
        assertThat(ops(driver.timer())).containsExactly("5 Save");
        assertThat(driver.timer()).isEmpty();
        driver.result(Family.EXEC, 3, "");
        assertThat(ops(driver.timer())).containsExactly("6 Save");
        driver.result(Family.EXEC, 4, "");
        driver.says(7, "done");
        assertThat(driver.timer()).isEmpty();
    }

    @Test
    void invariant05ACancelSavesAndEndsTheTurnOnce() {
        driver.turn(1, "go");
        driver.calls(1, "", exec("a"));
        List<Action> ended = driver.cancel(1);
        assertThat(ops(ended)).containsExactly("3 Save", "4 Done");
        assertThat(dones(ended).getFirst().outcome()).isEqualTo(Op.TurnOutcome.CANCELLED);
        Bytes state = driver.snapshot();
        assertThat(driver.result(Family.EXEC, 2, "late")).isEmpty();
        assertThat(driver.cancel(1)).isEmpty();
        assertThat(driver.snapshot()).isEqualTo(state);
    }

    @Test
    void invariant06AnAnswerToWhatWasNotAskedIsIgnored() {
        driver.turn(1, "go");
        Bytes asked = driver.snapshot();
        assertThat(driver.says(99, "hello")).isEmpty();
        assertThat(driver.snapshot()).isEqualTo(asked);
        driver.calls(1, "", exec("a"));
        Bytes acting = driver.snapshot();
        assertThat(driver.says(2, "I am the tool")).isEmpty();
        assertThat(driver.snapshot()).isEqualTo(acting);
        assertThat(ops(driver.result(Family.EXEC, 2, ""))).containsExactly("3 ModelAsk");
    }

    @Test
    void invariant07AFailedResultReachesTheModelByItsEntry() {
        driver.turn(1, "go");
        driver.calls(1, "", exec("a"));
        List<Action> asked = driver.failed(Family.EXEC, 2);
        assertThat(messages(asked).getLast())
                .isEqualTo(new Op.Message(Op.Role.TOOL, new Seq(4), "", 2, List.of()));
    }

    @Test
    void invariant08AResultOfAnotherFamilyIsIgnored() {
        driver.turn(1, "go");
        driver.calls(1, "", exec("a"));
        Bytes state = driver.snapshot();
        for (Family wrong : List.of(Family.FILE, Family.GIT, Family.BROWSE)) {
            assertThat(driver.result(wrong, 2, "")).isEmpty();
        }
        assertThat(driver.feed(new Event.Answer(new ActionId(2), "yes"))).isEmpty();
        assertThat(driver.snapshot()).isEqualTo(state);
        assertThat(ops(driver.result(Family.EXEC, 2, ""))).containsExactly("3 ModelAsk");
    }

    @Test
    void invariant09ARepeatedResultOrTurnDoesNothing() {
        driver.turn(1, "go");
        assertThat(driver.turn(1, "go")).isEmpty();
        driver.calls(1, "", exec("a"), exec("b"));
        driver.result(Family.EXEC, 2, "");
        Bytes state = driver.snapshot();
        assertThat(driver.result(Family.EXEC, 2, "again")).isEmpty();
        assertThat(driver.turn(1, "go")).isEmpty();
        assertThat(driver.snapshot()).isEqualTo(state);
    }

    @Test
    void invariant10ToolMessagesCarryTheIdsOfTheirCallsInOrderOfArrival() {
        driver.turn(1, "go");
        driver.calls(1, "", exec("a"), exec("b"), exec("c"));
        driver.result(Family.EXEC, 4, "");
        driver.result(Family.EXEC, 2, "");
        List<Op.Message> told = messages(driver.result(Family.EXEC, 3, ""));
        assertThat(told.getFirst().callIds()).containsExactly(2L, 3L, 4L);
        assertThat(told.stream().skip(1).map(Op.Message::id)).containsExactly(4L, 2L, 3L);
        assertThat(told.stream().skip(1).map(m -> m.entry().value())).containsExactly(4L, 5L, 6L);
    }

    @Test
    void invariant11APromptInMidTurnWaitsForItsOwn() {
        driver.turn(1, "first");
        assertThat(ops(driver.turn(2, "second"))).containsExactly("2 Save");
        List<Action> chained = driver.says(1, "one");
        assertThat(ops(chained)).containsExactly("3 Emit", "4 Save", "5 Done", "6 ModelAsk");
        assertThat(messages(chained).getLast().entry()).isEqualTo(new Seq(3));
        List<Action> last = driver.says(6, "two");
        assertThat(dones(last).getFirst().turn().value()).isEqualTo(2);
    }

    @Test
    void invariant12ACancelEndsTheTurnAndAllThatWait() {
        driver.turn(1, "first");
        driver.turn(3, "second");
        driver.turn(7, "third");
        List<Action> ended = driver.cancel(1);
        assertThat(ops(ended)).containsExactly("4 Save", "5 Done", "6 Done", "7 Done");
        assertThat(dones(ended).stream().map(d -> d.turn().value())).containsExactly(1L, 3L, 7L);
        assertThat(ops(driver.turn(8, "later"))).containsExactly("8 ModelAsk");
        assertThat(driver.cancel(1)).isEmpty();
        assertThat(ops(driver.says(8, "done"))).hasSize(3);
    }

    @Test
    void invariant13ACancelOfAnotherTurnChangesNothing() {
        driver.turn(5, "go");
        Bytes state = driver.snapshot();
        assertThat(driver.cancel(4)).isEmpty();
        assertThat(driver.cancel(6)).isEmpty();
        assertThat(driver.cancel(Long.MAX_VALUE)).isEmpty();
        assertThat(driver.snapshot()).isEqualTo(state);
        assertThat(ops(driver.turn(6, "still free"))).containsExactly("2 Save");
    }

    @Test
    void invariant14AnEscapingPathIsNeverSent() {
        driver.turn(1, "go");
        assertThat(ops(driver.calls(1, "", read("../secret"), read("src/a"))))
                .containsExactly("3 Read");
        List<Op.Message> told = messages(driver.result(Family.FILE, 3, ""));
        assertThat(told.get(0).callIds()).containsExactly(2L, 3L);
        assertThat(told.get(1).id()).isEqualTo(2);
        assertThat(told.get(1).body()).contains("../secret");
        assertThat(told.get(2).id()).isEqualTo(3);
    }

    @Test
    void aReplyWhoseCallsAreAllRefusedAsksAgainAtOnce() {
        driver.turn(1, "go");
        List<Action> again = driver.calls(1, "", read("/etc/passwd"), read("a/../../b"));
        assertThat(ops(again)).containsExactly("4 ModelAsk");
        assertThat(messages(again)).hasSize(3);
    }

    @Test
    void aCancelOfATurnThatWaitsTakesItOut() {
        driver.turn(1, "first");
        driver.turn(2, "second");
        driver.turn(3, "third");
        assertThat(ops(driver.cancel(2))).containsExactly("4 Save", "5 Done");
        List<Action> chained = driver.says(1, "one");
        assertThat(messages(chained).getLast().entry()).isEqualTo(new Seq(4));
    }

    @Test
    void anEmptyReplyCompletesTheTurnWithoutAWord() {
        driver.turn(1, "go");
        assertThat(ops(driver.says(1, ""))).containsExactly("2 Save", "3 Done");
    }

    @Test
    void theFirstAskBringsSystemAndPromptAndTheToolsInOrder() {
        Op.ModelAsk ask = asked(driver.turn(1, "go"));
        assertThat(ask.edits()).containsExactly(append(Op.Role.SYSTEM, 1), append(Op.Role.USER, 2));
        assertThat(ask.tools())
                .containsExactlyElementsOf(Driver.TOOLS.stream().map(Config.Tool::name).toList());
        assertThat(ask.purpose()).isEqualTo(Op.Purpose.TURN);
    }

    @Test
    void anAskBringsOnlyWhatIsNew() {
        driver.turn(1, "go");
        driver.says(1, "done");
        var said = new Op.Message(Op.Role.ASSISTANT, new Seq(3), "", 1, List.of());
        assertThat(asked(driver.turn(2, "more")).edits())
                .containsExactly(new Op.Edit.Append(said), append(Op.Role.USER, 4));
    }

    @Test
    void aCallThatTheHostCouldNotReadIsAnsweredWithItsReason() {
        driver.turn(1, "go");
        Call broken = Driver.call(Config.ToolKind.INVALID, new Call.Invalid("path is missing"));
        List<Action> again = driver.calls(1, "", broken);
        assertThat(messages(again).getLast().body()).contains("path is missing");
    }
}
