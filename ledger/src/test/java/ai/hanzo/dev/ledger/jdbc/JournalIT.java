package ai.hanzo.dev.ledger.jdbc;

import static ai.hanzo.dev.ledger.Given.ORG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.Given;
import ai.hanzo.dev.ledger.Lease;
import ai.hanzo.dev.ledger.LedgerException;
import ai.hanzo.dev.ledger.Verification;
import ai.hanzo.dev.ledger.testing.TestPostgres;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(TestPostgres.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class JournalIT {
    private final DatabaseConfig config;
    private final PostgresStore store;

    JournalIT(DatabaseConfig config) {
        this.config = config;
        store = TestPostgres.open(config);
    }

    @AfterAll
    void close() {
        store.close();
    }

    /** As somebody who owns the database and means harm, or another release. */
    private void tamper(String sql) throws SQLException {
        try (Connection db =
                        DriverManager.getConnection(
                                config.url(), config.owner().user(), config.owner().password());
                Statement statement = db.createStatement()) {
            statement.execute("SET session_replication_role = replica");
            assertThat(statement.executeUpdate(sql)).isEqualTo(1);
        }
    }

    private SessionId journalOf(int entries) {
        SessionId session = Given.opened(store, Given.session()).id();
        IntStream.range(1, entries)
                .forEach(i -> store.ledger().append(ORG, session, Given.note("note " + i)));
        return session;
    }

    @Test
    void aSoundJournalIsToldWithItsHead() {
        SessionId session = journalOf(12);
        Entry last = store.journal().entry(ORG, session, new Seq(12)).orElseThrow();

        assertThat(store.journal().verify(ORG, session))
                .isEqualTo(new Verification.Sound(12, last.digest()));
    }

    @Test
    void theFirstBadEntryIsNamed() throws SQLException {
        SessionId changed = journalOf(12);
        tamper("UPDATE entries SET payload = 'x' WHERE seq = 7 AND session_id = '" + changed + "'");
        SessionId missing = journalOf(12);
        tamper("DELETE FROM entries WHERE seq = 7 AND session_id = '" + missing + "'");
        SessionId cut = journalOf(12);
        tamper("DELETE FROM entries WHERE seq = 12 AND session_id = '" + cut + "'");
        SessionId relinked = journalOf(12);
        tamper(
                "UPDATE entries SET prev_digest = digest WHERE seq = 7 AND session_id = '"
                        + relinked
                        + "'");

        assertThat(store.journal().verify(ORG, changed))
                .isEqualTo(
                        new Verification.Broken(
                                new Seq(7), "Its content is not what its digest says."));
        assertThat(store.journal().verify(ORG, missing))
                .isEqualTo(new Verification.Broken(new Seq(7), "The entry is missing."));
        assertThat(store.journal().verify(ORG, cut))
                .isEqualTo(
                        new Verification.Broken(new Seq(12), "The entry is missing at the end."));
        assertThat(store.journal().verify(ORG, relinked))
                .isEqualTo(
                        new Verification.Broken(
                                new Seq(7), "It does not follow the entry before it."));
    }

    /**
     * Who can change the row of the session, too, can hide what was cut; but not the cut itself.
     */
    @Test
    void anEndThatWasCutOffIsFoundEvenIfTheSessionCountsLess() throws SQLException {
        SessionId cut = journalOf(12);
        tamper("DELETE FROM entries WHERE seq = 12 AND session_id = '" + cut + "'");
        tamper("UPDATE sessions SET next_seq = 12, last_input_seq = 0 WHERE id = '" + cut + "'");

        assertThat(store.journal().verify(ORG, cut))
                .isEqualTo(
                        new Verification.Broken(
                                new Seq(11), "It is not the one that the session ended with."));
    }

    @Test
    void aRowOfAnActionThatWasChangedIsFoundByItsEntry() throws SQLException {
        Lease lease = Given.leased(store);
        Given.committed(
                store.ledger()
                        .step(
                                lease,
                                Given.step(
                                        2,
                                        Given.action(1, ActionStatus.DISPATCHED),
                                        Given.action(2, ActionStatus.DISPATCHED))));
        assertThat(store.journal().verify(ORG, lease.session()))
                .isInstanceOf(Verification.Sound.class);
        String second = " WHERE id = 2 AND session_id = '" + lease.session() + "'";

        tamper("UPDATE actions SET request_digest = sha256('x')" + second);
        assertThat(store.journal().verify(ORG, lease.session()))
                .isEqualTo(
                        new Verification.Broken(
                                new Seq(4), "The row of its action is missing or was changed."));
        tamper("DELETE FROM actions" + second);
        assertThat(store.journal().verify(ORG, lease.session()))
                .isEqualTo(
                        new Verification.Broken(
                                new Seq(4), "The row of its action is missing or was changed."));
    }

    /** Field case S5. */
    @Test
    void anEntryOfAFutureKindPassesThroughUntouched() {
        SessionId session = journalOf(39);
        Entry future =
                Given.committed(
                        store.ledger().append(ORG, session, Given.note("will be of the future")));
        assertThat(future.seq()).isEqualTo(new Seq(40));
        Entry unknown;
        try {
            tamper(
                    "UPDATE entries SET kind = 'telepathy' WHERE seq = 40 AND session_id = '"
                            + session
                            + "'");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        unknown = store.journal().entry(ORG, session, new Seq(40)).orElseThrow();
        assertThat(unknown.kind()).isEqualTo(new EntryKind("telepathy"));
        assertThat(unknown.payload()).isEqualTo(future.payload());

        Entry turn = Given.committed(store.ledger().append(ORG, session, Given.turn("go on")));

        assertThat(turn.seq()).isEqualTo(new Seq(41));
        Lease lease = Given.lease(store, Given.host(store), session);
        assertThat(store.journal().unconsumed(ORG, session, 100))
                .extracting(entry -> entry.seq().value())
                .containsExactly(1L, 41L);
        Given.committed(store.ledger().step(lease, Given.step(41)));
        assertThat(store.journal().entry(ORG, session, new Seq(40))).contains(unknown);
    }

    @Test
    void aSessionOfANewerFormatCanOnlyBeRead() throws SQLException {
        SessionId session = journalOf(3);
        tamper("UPDATE sessions SET format_version = 9 WHERE id = '" + session + "'");

        assertThat(store.journal().session(ORG, session).orElseThrow().formatVersion())
                .isEqualTo(9);
        assertThat(store.journal().entries(ORG, session, new Seq(0), 10)).hasSize(3);
        assertThatThrownBy(() -> store.ledger().append(ORG, session, Given.turn("no")))
                .isInstanceOf(LedgerException.class)
                .hasMessageContaining("format 9")
                .hasMessageContaining("up to 1")
                .extracting(e -> ((LedgerException) e).code())
                .isEqualTo(LedgerException.Code.WRONG_VERSION);
    }
}
