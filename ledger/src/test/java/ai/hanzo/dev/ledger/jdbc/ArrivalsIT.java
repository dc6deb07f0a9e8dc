package ai.hanzo.dev.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.ArchiveRow;
import ai.hanzo.dev.ledger.Archives;
import ai.hanzo.dev.ledger.Given;
import ai.hanzo.dev.ledger.Lease;
import ai.hanzo.dev.ledger.Purges.Purged;
import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.ledger.Workspace;
import ai.hanzo.dev.ledger.testing.TestPostgres;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Sessions that come as rows, some of which nobody has written. */
@ExtendWith(TestPostgres.class)
final class ArrivalsIT {
    private final PostgresStore here;
    private final PostgresStore there;
    private final List<ArchiveRow> rows = new ArrayList<>();
    private Optional<Lease> lease = Optional.empty();
    private Optional<Archives.Head> head = Optional.empty();

    ArrivalsIT(DatabaseConfig here, DatabaseConfig there) {
        this.here = TestPostgres.open(here);
        this.there = TestPostgres.open(there);
    }

    @BeforeEach
    void work() {
        lease = Optional.of(Given.leased(here));
        here.ledger().step(lease(), Given.step(2, Given.action(1, ActionStatus.DISPATCHED)));
        read();
        assertThat(rows).hasAtLeastOneElementOfType(ArchiveRow.OfDecision.class);
    }

    private void read() {
        rows.clear();
        boolean found =
                here.archives()
                        .read(
                                Given.ORG,
                                lease().session(),
                                all -> head = Optional.of(all),
                                rows::add);
        assertThat(found).isTrue();
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
    }

    @Test
    void decisionsComeAfterTheirActionsAndGoIntoTheirRows() {
        assertThat(take(_ -> true)).isInstanceOf(Archives.Taken.Here.class);

        List<ArchiveRow> arrived = new ArrayList<>();
        boolean found =
                there.archives()
                        .read(Given.ORG, head.orElseThrow().session().id(), _ -> {}, arrived::add);
        assertThat(found).isTrue();
        assertThat(arrived).containsAll(rows);
    }

    @Test
    void anActionWithoutItsDecisionIsRefusedByItsRule() {
        assertThat(take(row -> !(row instanceof ArchiveRow.OfDecision)))
                .isInstanceOfSatisfying(
                        Archives.Taken.Broken.class,
                        broken ->
                                assertThat(broken.reason())
                                        .isEqualTo(
                                                "Its rows do not fit together (rule"
                                                        + " actions_decided)."));
        assertThat(there.journal().session(Given.ORG, head.orElseThrow().session().id())).isEmpty();
    }

    @Test
    void whatWasRemovedMayComeAgainAndBeRemovedAgain() {
        here.ledger().step(lease(), Given.step(3, SessionState.STOPPED));
        read();
        for (int i = 0; i < 2; i++) {
            assertThat(take(_ -> true)).isInstanceOf(Archives.Taken.Here.class);
            assertThat(there.purges().purge(Given.ORG, lease().session(), "a test"))
                    .isInstanceOf(Purged.Gone.class);
        }
    }

    private Lease lease() {
        return lease.orElseThrow();
    }

    private Archives.Taken take(Predicate<ArchiveRow> which) {
        return there.archives()
                .take(
                        new Archives.Arrival(
                                head.orElseThrow(),
                                Given.directory(1, Workspace.Access.WRITE),
                                Given.RUNNER,
                                Optional.of(Given.snapshot(2)),
                                Given.note("from elsewhere")),
                        rows.stream().filter(which).iterator());
    }
}
