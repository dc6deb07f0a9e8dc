package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.Journal;
import ai.hanzo.dev.ledger.Verification;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Checks a session's journal: its entries, the row that says where they end, and the rows of its
 * actions. Reads page by page, so that a long journal costs time but no memory; what is appended
 * meanwhile is not looked at.
 */
final class JournalCheck {
    private static final int PAGE = 500;

    private static final String HEAD =
            "SELECT next_seq - 1, head_digest FROM sessions WHERE id = ? AND org_id = ?";

    /** The first place where the rows of actions and their entries do not agree. */
    private static final String DISAGREEMENT =
            """
            SELECT coalesce(e.seq, a.seq), a.id IS NULL FROM (
                SELECT seq, action_id, sha256(payload) AS digest FROM entries
                WHERE session_id = ? AND org_id = ? AND kind = 'action' AND seq <= ?
            ) e FULL JOIN (
                SELECT seq, id, request_digest AS digest FROM actions
                WHERE session_id = ? AND org_id = ? AND seq <= ?
            ) a ON a.seq = e.seq AND a.id = e.action_id AND a.digest = e.digest
            WHERE a.id IS NULL OR e.seq IS NULL
            ORDER BY 1, 2 DESC LIMIT 1
            """;

    private final Database database;
    private final Journal journal;

    JournalCheck(Database database, Journal journal) {
        this.database = database;
        this.journal = journal;
    }

    /** Where the session's row says that the journal ends. */
    private record End(Seq seq, Sha256 digest) {}

    Verification of(OrgId org, SessionId session) {
        Optional<End> end = database.inOrg(org, db -> end(db, org, session));
        if (end.isEmpty()) {
            return new Verification.NoSession();
        }
        var check = new ChainCheck(end.get().seq());
        List<Entry> page;
        do {
            page = journal.entries(org, session, check.reached(), PAGE);
            Optional<Verification> fault = check.next(page);
            if (fault.isPresent()) {
                return fault.get();
            }
        } while (page.size() == PAGE && !check.isThrough());
        return switch (check.end(end.get().digest())) {
            case Verification.Sound sound ->
                    database.inOrg(org, db -> disagreement(db, org, session, end.get().seq()))
                            .orElse(sound);
            case Verification.Broken broken -> broken;
            case Verification.NoSession none -> none;
        };
    }

    private static Optional<End> end(Connection db, OrgId org, SessionId session)
            throws SQLException {
        try (PreparedStatement query = db.prepareStatement(HEAD)) {
            Rows.set(query, session, org);
            return Rows.first(
                    query,
                    row -> new End(new Seq(row.getLong(1)), Rows.digest(row, "head_digest")));
        }
    }

    /** The first place where rows of actions and entries do not agree. */
    static Optional<Verification> disagreement(
            Connection db, OrgId org, SessionId session, Seq through) throws SQLException {
        try (PreparedStatement query = db.prepareStatement(DISAGREEMENT)) {
            Rows.set(query, session, org, through, session, org, through);
            return Rows.first(
                    query,
                    row ->
                            new Verification.Broken(
                                    new Seq(row.getLong(1)),
                                    row.getBoolean(2)
                                            ? "The row of its action is missing or was changed."
                                            : "A row of an action names it as its request, which"
                                                    + " it is not."));
        }
    }
}
