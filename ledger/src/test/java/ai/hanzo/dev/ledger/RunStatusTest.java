package ai.hanzo.dev.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class RunStatusTest {
    @Test
    void threeStatusesAreEnds() {
        assertThat(EnumSet.allOf(RunStatus.class))
                .hasSize(13)
                .filteredOn(RunStatus::isFinal)
                .containsExactly(RunStatus.COMPLETED, RunStatus.FAILED, RunStatus.CANCELLED);
    }

    @ParameterizedTest
    @EnumSource(RunStatus.class)
    void noStatusBecomesItself(RunStatus status) {
        assertThat(status.mayBecome(status)).isFalse();
    }

    @ParameterizedTest
    @EnumSource(
            value = RunStatus.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"COMPLETED", "FAILED", "CANCELLED"})
    void whatRunsCanBeCancelledAndCanFail(RunStatus status) {
        assertThat(status.next()).contains(RunStatus.CANCELLED, RunStatus.FAILED);
    }
}
