package ai.hanzo.dev.ledger.jdbc;

import static ai.hanzo.dev.ledger.Given.ORG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.Approval;
import ai.hanzo.dev.ledger.Approvals;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.Given;
import ai.hanzo.dev.ledger.Lease;
import ai.hanzo.dev.ledger.NewEntry;
import ai.hanzo.dev.ledger.Payload;
import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.ledger.testing.TestPostgres;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.id.HostId;
import ai.hanzo.dev.protocol.id.RunnerId;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who did something is a row, whoever wrote it; an input is its entry; a runner is known. */
@ExtendWith(TestPostgres.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PrincipalsIT {
    private final DatabaseConfig config;
    private final PostgresStore store;

    PrincipalsIT(DatabaseConfig config) {
        this.config = config;
        store = TestPostgres.open(config);
    }

    @AfterAll
    void close() {
        store.close();
    }

    /** The first column, as the application sees it in its org. */
    private List<String> column(String sql) throws SQLException {
        try (Connection db =
                        DriverManager.getConnection(
                                config.url(), config.app().user(), config.app().password());
                Statement statement = db.createStatement()) {
            db.setAutoCommit(false);
            Database.see(db, ORG);
            List<String> found = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery(sql)) {
                while (rows.next()) {
                    found.add(rows.getString(1));
                }
            }
            db.commit();
            return found;
        }
    }

    private static NewEntry turnOf(String who) {
        return new NewEntry(
                EntryKind.TURN,
                Optional.empty(),
                who,
                Optional.of(Given.key("k-" + who, "a")),
                Payload.of(Bytes.utf8("a")));
    }

    @Test
    void whoeverDidSomethingIsAPrincipal() throws SQLException {
        Lease lease = Given.leased(store);
        store.ledger().step(lease, Given.step(2, Given.action(1, ActionStatus.WAITING_APPROVAL)));
        store.ledger().append(ORG, lease.session(), turnOf("user:asker"));
        store.ledger().append(ORG, lease.session(), turnOf("user:asker"));
        Approval approval = store.approvals().pendingIn(ORG, lease.session()).getFirst();
        store.approvals()
                .resolve(
                        ORG,
                        approval.id(),
                        new Approvals.Resolution(
                                Approvals.Choice.APPROVE,
                                "user:expert",
                                Optional.empty(),
                                Payload.of(Bytes.utf8("yes"))));
        long last = store.journal().session(ORG, lease.session()).orElseThrow().lastSeq().value();
        store.ledger().step(lease, Given.step(last, SessionState.STOPPED));
        store.leases().release(lease);
        store.purges().purge(ORG, lease.session(), "user:cleaner");

        assertThat(column("SELECT id FROM principals"))
                .contains("cli:me", "user:asker", "user:expert", "user:cleaner");
    }

    @Test
    void anInputIsItsEntryAndARedeliveryAddsNone() throws SQLException {
        Lease lease = Given.leased(store);
        store.ledger().append(ORG, lease.session(), turnOf("user:twice"));
        store.ledger().append(ORG, lease.session(), turnOf("user:twice"));
        store.ledger().append(ORG, lease.session(), Given.note("of the host"));
        store.ledger().step(lease, Given.step(2, Given.action(1, ActionStatus.DISPATCHED)));
        store.ledger().complete(lease, Given.result(1, "no input of anybody"));

        assertThat(
                        column(
                                "SELECT principal || ' ' || kind || ' ' || seq || ' '"
                                        + " || coalesce(idempotency_key, '-') FROM inputs"
                                        + " WHERE session_id = '"
                                        + lease.session()
                                        + "' ORDER BY seq"))
                .containsExactly(
                        "cli:me config 1 -", "cli:me turn 2 -", "user:twice turn 3 k-user:twice");
        assertThatThrownBy(() -> column("DELETE FROM inputs RETURNING principal"))
                .hasMessageContaining("permission denied");
    }

    @Test
    void aRunnerIsKnownFromItsFirstHost() throws SQLException {
        RunnerId runner = new RunnerId("runner-of-this-test");
        String seen =
                "SELECT first_seen_at <= last_seen_at FROM runners WHERE id = '" + runner + "'";
        assertThat(column(seen)).isEmpty();
        HostId first = new HostId("first-of-runner");
        store.leases().register(first, runner);
        assertThat(column(seen)).containsExactly("t");
        String last = "SELECT last_seen_at FROM runners WHERE id = '" + runner + "'";
        List<String> came = column(last);
        store.leases().retire(first);
        List<String> went = column(last);
        assertThat(went).isNotEqualTo(came);
        store.leases().retire(first);
        assertThat(column(last)).isEqualTo(went);
        store.leases().register(new HostId("second-of-runner"), runner);
        assertThat(column("SELECT id FROM hosts WHERE runner_id = '" + runner + "'")).hasSize(2);
        assertThat(column(seen)).containsExactly("t");
    }
}
