package ai.hanzo.dev.ledger.jdbc;

import static ai.hanzo.dev.ledger.Given.ORG;
import static ai.hanzo.dev.ledger.Given.OTHER_ORG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.Given;
import ai.hanzo.dev.ledger.Lease;
import ai.hanzo.dev.ledger.Purges.Ended;
import ai.hanzo.dev.ledger.Purges.Purged;
import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.ledger.Timers;
import ai.hanzo.dev.ledger.testing.TestPostgres;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Sessions that are over can be removed, by one door. */
@ExtendWith(TestPostgres.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PurgesIT {
    private final DatabaseConfig config;
    private final PostgresStore store;

    PurgesIT(DatabaseConfig config) {
        this.config = config;
        store = TestPostgres.open(config);
    }

    @AfterAll
    void close() {
        store.close();
    }

    /** A session with a row in every table, in a state. */
    private Lease worked(SessionState state) {
        Lease lease = Given.leased(store);
        store.ledger()
                .step(
                        lease,
                        Given.step(
                                2,
                                SessionState.RUNNING,
                                Given.action(1, ActionStatus.WAITING_APPROVAL),
                                Given.action(2, ActionStatus.DISPATCHED)));
        store.ledger()
                .append(
                        ORG,
                        lease.session(),
                        Given.note("later").with(Given.sealed("key", "body")));
        store.timers()
                .schedule(
                        ORG,
                        lease.session(),
                        new Timers.Timer("t", Instant.now().plusSeconds(3600), Bytes.utf8("x")));
        store.ledger().append(ORG, lease.session(), Given.turn("more"));
        store.ledger().complete(lease, Given.result(2, "long", Given.artifact(2, "stdout")));
        long last = store.journal().session(ORG, lease.session()).orElseThrow().lastSeq().value();
        store.ledger().step(lease, Given.step(last, state));
        return lease;
    }

    private List<String> tablesThatKnow(SessionId session) throws SQLException {
        List<String> found = new ArrayList<>();
        try (Connection db =
                        DriverManager.getConnection(
                                config.url(), config.owner().user(), config.owner().password());
                Statement statement = db.createStatement()) {
            for (String table : TableDump.TABLES) {
                try (ResultSet rows =
                        statement.executeQuery(
                                "SELECT count(*) FROM "
                                        + table
                                        + " t WHERE t::text LIKE '%"
                                        + session
                                        + "%'")) {
                    rows.next();
                    if (rows.getInt(1) > 0) {
                        found.add(table);
                    }
                }
            }
        }
        return found;
    }

    @Test
    void nothingOfASessionThatWasRemovedIsLeftButALine() throws SQLException {
        Lease lease = worked(SessionState.STOPPED);
        store.leases().release(lease);
        long entries =
                store.journal().session(ORG, lease.session()).orElseThrow().lastSeq().value();
        assertThat(tablesThatKnow(lease.session())).contains("artifacts", "bodies", "approvals");
        assertThat(store.purges().ended(Duration.ZERO, 1000))
                .contains(new Ended(ORG, lease.session()));

        Purged purged = store.purges().purge(ORG, lease.session(), "a test");

        assertThat(purged).isEqualTo(new Purged.Gone(entries));
        assertThat(tablesThatKnow(lease.session())).containsExactly("purges");
        assertThat(store.journal().entries(ORG, lease.session(), new Seq(0), 10)).isEmpty();
        assertThat(store.purges().purge(ORG, lease.session(), "a test"))
                .isEqualTo(new Purged.NoSession());
    }

    @Test
    void aSessionThatLivesOrIsHeldOrAnothersStays() {
        for (SessionState state :
                Set.of(SessionState.IDLE, SessionState.SUSPENDED, SessionState.RUNNING)) {
            Lease lease = worked(state);
            store.leases().release(lease);
            assertThat(store.purges().purge(ORG, lease.session(), "a test"))
                    .as(state.toString())
                    .isEqualTo(new Purged.NotOver());
            assertThat(store.purges().ended(Duration.ZERO, 1000))
                    .doesNotContain(new Ended(ORG, lease.session()));
        }
        Lease held = worked(SessionState.STOPPED);
        assertThat(store.purges().purge(ORG, held.session(), "a test"))
                .isEqualTo(new Purged.NotOver());
        store.leases().release(held);
        assertThat(store.purges().purge(OTHER_ORG, held.session(), "a test"))
                .isEqualTo(new Purged.NoSession());
        assertThat(store.purges().ended(Duration.ofHours(1), 1000)).isEmpty();
        assertThat(store.journal().session(ORG, held.session())).isPresent();
    }

    @Test
    void theApplicationCannotRemoveAnEntryWhateverItSets() throws SQLException {
        Lease lease = worked(SessionState.STOPPED);
        try (Connection db =
                        DriverManager.getConnection(
                                config.url(), config.app().user(), config.app().password());
                Statement statement = db.createStatement()) {
            db.setAutoCommit(false);
            Database.see(db, ORG);
            statement.execute("SET LOCAL hanzo.purging = '" + lease.session() + "'");
            assertThatThrownBy(() -> statement.execute("DELETE FROM entries"))
                    .hasMessageContaining("permission denied");
        }
    }

    @Test
    void aSweepIsDueOnceAndNotBesideABackup() {
        Lease lease = worked(SessionState.FAILED);
        store.leases().release(lease);
        store.purges().purge(ORG, lease.session(), "a test");
        AtomicInteger sweeps = new AtomicInteger();
        try (TableDump _ = TableDump.open(config)) {
            assertThat(store.purges().sweep(Duration.ZERO, sweeps::incrementAndGet)).isFalse();
        }
        assertThat(store.purges().sweep(Duration.ofHours(1), sweeps::incrementAndGet)).isTrue();
        assertThat(store.purges().sweep(Duration.ofSeconds(-1), sweeps::incrementAndGet)).isTrue();
        assertThat(store.purges().sweep(Duration.ZERO, sweeps::incrementAndGet)).isFalse();
        assertThat(sweeps).hasValue(2);
    }

    @Test
    void aBackupLeavesNoTableOut() throws SQLException {
        Set<String> named = new TreeSet<>(TableDump.TABLES);
        named.addAll(TableDump.LEFT_OUT);
        Set<String> there = new TreeSet<>();
        try (Connection db =
                        DriverManager.getConnection(
                                config.url(), config.owner().user(), config.owner().password());
                Statement statement = db.createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")) {
            while (rows.next()) {
                there.add(rows.getString(1));
            }
        }
        assertThat(named).isEqualTo(there);
    }
}
