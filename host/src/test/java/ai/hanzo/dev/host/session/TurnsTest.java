package ai.hanzo.dev.host.session;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.ledger.RunStatus;
import ai.hanzo.dev.ledger.StepCommit.RunChange;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.id.TurnId;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TurnsTest {
    private static final TurnId TURN = new TurnId(1);

    static Stream<Arguments> ends() {
        return Arrays.stream(RunStatus.values())
                .filter(status -> !status.isFinal() && status != RunStatus.CREATED)
                .flatMap(status ->
                        Arrays.stream(Op.TurnOutcome.values())
                                .map(outcome -> Arguments.of(status, outcome)));
    }

    /** A turn may end whatever its run was about: the database refuses a move that is not legal. */
    @ParameterizedTest
    @MethodSource("ends")
    void aTurnEndsByMovesThatAreLegal(RunStatus before, Op.TurnOutcome outcome) {
        Turns turns = new Turns();
        turns.put(TURN, before);

        List<RunChange> moves = turns.end(new Op.Done(TURN, outcome, "", ""));

        RunStatus at = before;
        for (RunChange move : moves) {
            assertThat(at.mayBecome(move.to())).as(at + " to " + move.to()).isTrue();
            at = move.to();
        }
        assertThat(at.isFinal()).isTrue();
        assertThat(turns.isEmpty()).isTrue();
    }
}
