package ai.hanzo.dev.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.ArchiveRow;
import ai.hanzo.dev.ledger.Archives.Taken;
import ai.hanzo.dev.ledger.DecisionRow;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.Seq;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class DecidedActionsTest {
    private static final Sha256 DIGEST = Sha256.of(Bytes.utf8("d"));

    private final DecidedActions decided = new DecidedActions(new Seq(3));

    @Test
    void eachActionIsGivenWithWhatWasSaidOfIt() {
        ArchiveRow.OfDecision second = decision(2);
        assertThat(decided.take(action(1))).isTrue();
        assertThat(decided.take(action(2))).isTrue();
        assertThat(decided.take(second)).isTrue();

        assertThat(decided.drain())
                .containsExactly(
                        new DecidedActions.Decided(action(1), Optional.empty()),
                        new DecidedActions.Decided(action(2), Optional.of(second.decision())));
        assertThat(decided.drain()).isEmpty();
    }

    @Test
    void aDecisionOfNoActionIsNotAsWritten() {
        assertThat(decided.take(action(1))).isTrue();

        refused(decision(2), 0, "There is a decision of action 2, which is not there.");
    }

    @Test
    void aSecondDecisionIsNotAsWritten() {
        assertThat(decided.take(action(7))).isTrue();
        assertThat(decided.take(decision(7))).isTrue();

        refused(decision(7), 70, "Action 7 was decided twice.");
    }

    @Test
    void aSecondActionOfThatNumberIsNotAsWritten() {
        assertThat(decided.take(action(7))).isTrue();

        refused(action(7), 70, "Action 7 is there twice.");
    }

    @Test
    void thereAreNoMoreActionsThanEntries() {
        for (int i = 1; i <= 3; i++) {
            assertThat(decided.take(action(i))).isTrue();
        }

        refused(action(4), 40, "There are more actions than entries.");
    }

    private void refused(ArchiveRow row, long seq, String reason) {
        assertThatThrownBy(() -> decided.take(row))
                .isInstanceOfSatisfying(
                        ArchiveWriting.NotAsWritten.class,
                        e ->
                                assertThat(e.broken())
                                        .isEqualTo(new Taken.Broken(new Seq(seq), reason)));
    }

    private static ArchiveRow.OfAction action(long id) {
        return new ArchiveRow.OfAction(
                new ActionId(id),
                Optional.empty(),
                new Seq(10 * id),
                "exec",
                DIGEST,
                ActionStatus.DISPATCHED,
                Optional.empty(),
                Optional.empty(),
                new ArchiveRow.Times(Instant.EPOCH, Optional.empty(), Optional.empty()));
    }

    private static ArchiveRow.OfDecision decision(long action) {
        return new ArchiveRow.OfDecision(
                new ActionId(action),
                new DecisionRow(
                        DecisionRow.Verdict.ALLOW,
                        DecisionRow.Mode.ENFORCE,
                        List.of("rule"),
                        "because",
                        DIGEST),
                Instant.EPOCH);
    }
}
