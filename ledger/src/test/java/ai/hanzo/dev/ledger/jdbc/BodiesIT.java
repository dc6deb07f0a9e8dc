package ai.hanzo.dev.ledger.jdbc;

import static ai.hanzo.dev.ledger.Given.ORG;
import static ai.hanzo.dev.ledger.Given.OTHER_ORG;
import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.Appended;
import ai.hanzo.dev.ledger.Completed;
import ai.hanzo.dev.ledger.Ending;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.Given;
import ai.hanzo.dev.ledger.Lease;
import ai.hanzo.dev.ledger.NewEntry;
import ai.hanzo.dev.ledger.Sealed;
import ai.hanzo.dev.ledger.testing.TestPostgres;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.protocol.id.SessionId;
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

/** Bodies are there exactly when the entry that names them is. */
@ExtendWith(TestPostgres.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class BodiesIT {
    private final DatabaseConfig config;
    private final PostgresStore store;

    BodiesIT(DatabaseConfig config) {
        this.config = config;
        store = TestPostgres.open(config);
    }

    @AfterAll
    void close() {
        store.close();
    }

    private static Sha256 name(String body) {
        return Sha256.of(Bytes.utf8(body));
    }

    private Optional<Bytes> body(SessionId session, String body) {
        return store.bodies().body(ORG, session, name(body));
    }

    private static NewEntry outcome(String body) {
        return NewEntry.ofHost(EntryKind.RESULT, Optional.empty(), Bytes.utf8("names " + body))
                .with(Given.sealed("key", body));
    }

    @Test
    void aBodyComesWithItsEntry() {
        SessionId session = Given.opened(store, Given.session()).id();
        assertThat(store.bodies().key(ORG, session)).isEmpty();
        assertThat(
                        store.ledger()
                                .append(ORG, session, Given.note("a").with(Given.sealed("k", "b"))))
                .isInstanceOf(Appended.Committed.class);
        assertThat(store.bodies().key(ORG, session)).contains(Bytes.utf8("k"));
        assertThat(body(session, "b")).contains(Bytes.utf8("b"));
        assertThat(body(session, "other")).isEmpty();
    }

    @Test
    void anOutcomeThatIsNotTakenLeavesNoBody() {
        Lease lease = Given.leased(store);
        store.ledger().step(lease, Given.step(2, Given.action(1, ActionStatus.DISPATCHED)));
        Lease older = new Lease(lease.org(), lease.session(), new Epoch(99), lease.host());
        Ending ending = new Ending(new ActionId(1), ActionStatus.COMPLETED, outcome("mine"));
        assertThat(store.ledger().complete(older, ending)).isInstanceOf(Completed.Fenced.class);
        assertThat(body(lease.session(), "mine")).isEmpty();
        assertThat(store.ledger().complete(lease, ending)).isInstanceOf(Completed.Committed.class);
        assertThat(body(lease.session(), "mine")).isPresent();
        Ending again = new Ending(new ActionId(1), ActionStatus.COMPLETED, outcome("late"));
        assertThat(store.ledger().complete(lease, again)).isInstanceOf(Completed.NotOpen.class);
        assertThat(body(lease.session(), "late")).isEmpty();
    }

    @Test
    void theFirstKeyAndTheFirstBodyOfANameStay() {
        SessionId session = Given.opened(store, Given.session()).id();
        for (String bytes : List.of("sealed", "sealed anew")) {
            Sealed sealed =
                    new Sealed(
                            Optional.of(Bytes.utf8("key of " + bytes)),
                            List.of(new Sealed.Body(name("b"), Bytes.utf8(bytes))));
            store.ledger().append(ORG, session, Given.note("a").with(sealed));
        }
        assertThat(body(session, "b")).contains(Bytes.utf8("sealed"));
        assertThat(store.bodies().key(ORG, session)).contains(Bytes.utf8("key of sealed"));
    }

    @Test
    void anotherOrgHasNeitherKeyNorBody() {
        SessionId session = Given.opened(store, Given.session()).id();
        store.ledger().append(ORG, session, Given.note("a").with(Given.sealed("k", "b")));
        assertThat(store.bodies().key(OTHER_ORG, session)).isEmpty();
        assertThat(store.bodies().body(OTHER_ORG, session, name("b"))).isEmpty();
    }

    @Test
    void anEntrySaysHowItWasKeptClear() throws SQLException {
        SessionId session = Given.opened(store, Given.session()).id();
        store.ledger().append(ORG, session, Given.note("a").with(Given.sealed("k", "b")));
        store.ledger().append(ORG, session, Given.note("plain"));
        List<String> levels = new ArrayList<>();
        try (Connection db =
                        DriverManager.getConnection(
                                config.url(), config.owner().user(), config.owner().password());
                Statement statement = db.createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                "SELECT redaction FROM entries WHERE session_id = '"
                                        + session
                                        + "' ORDER BY seq")) {
            while (rows.next()) {
                levels.add(rows.getString(1));
            }
        }
        assertThat(levels).containsExactly("masked", "artifact_ref", "masked");
    }
}
