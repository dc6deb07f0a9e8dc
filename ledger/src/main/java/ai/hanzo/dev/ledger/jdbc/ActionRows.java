package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.ActionRow;
import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.DecisionRow;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Rows of actions and decisions as their records; the payload comes from the action's entry. */
final class ActionRows {
    private static final String SELECT =
            """
            SELECT a.org_id, a.session_id, a.id, a.turn, a.seq, a.kind, e.payload,
                a.request_digest, a.status, a.marker, a.outcome_seq, a.created_at,
                a.dispatched_at, a.completed_at
            FROM actions a JOIN entries e ON e.session_id = a.session_id AND e.seq = a.seq
            WHERE a.session_id = ? AND a.org_id = ?
            """;

    private static final String OPEN = SELECT + " AND a.outcome_seq IS NULL ORDER BY a.id";

    private static final String FIND = SELECT + " AND a.id = ?";

    private static final String PAGE =
            SELECT
                    + " AND (a.status = ANY (?) OR cardinality(?::text[]) = 0) AND a.id > ?"
                    + " ORDER BY a.id LIMIT ?";

    private static final String DECISION =
            """
            SELECT verdict, mode, rules, reason, rules_digest FROM decisions
            WHERE session_id = ? AND org_id = ? AND action_id = ?
            """;

    private ActionRows() {}

    static List<ActionRow> open(Connection db, OrgId org, SessionId session) throws SQLException {
        return all(db, OPEN, session, org);
    }

    static Optional<ActionRow> find(Connection db, OrgId org, SessionId session, ActionId action)
            throws SQLException {
        return all(db, FIND, session, org, action).stream().findFirst();
    }

    static List<ActionRow> page(
            Connection db, OrgId org, SessionId session, Array statuses, long after, int limit)
            throws SQLException {
        return all(db, PAGE, session, org, statuses, statuses, after, limit);
    }

    static Optional<DecisionRow> decision(
            Connection db, OrgId org, SessionId session, ActionId action) throws SQLException {
        try (PreparedStatement query = db.prepareStatement(DECISION)) {
            Rows.set(query, session, org, action);
            return Rows.first(query, ActionRows::readDecision);
        }
    }

    private static List<ActionRow> all(Connection db, String sql, Object... values)
            throws SQLException {
        try (PreparedStatement query = db.prepareStatement(sql)) {
            Rows.set(query, values);
            return Rows.all(query, ActionRows::read);
        }
    }

    private static ActionRow read(ResultSet row) throws SQLException {
        return new ActionRow(
                new OrgId(row.getString("org_id")),
                new SessionId(row.getString("session_id")),
                new ActionId(row.getLong("id")),
                Rows.turn(row, "turn"),
                new Seq(row.getLong("seq")),
                row.getString("kind"),
                Bytes.wrap(row.getBytes("payload")),
                new Sha256(Bytes.wrap(row.getBytes("request_digest"))),
                Rows.constant(ActionStatus.class, row.getString("status")),
                Optional.ofNullable(row.getString("marker")),
                Rows.optionalLong(row, "outcome_seq").stream().mapToObj(Seq::new).findFirst(),
                Rows.time(row, "created_at"),
                Rows.optionalTime(row, "dispatched_at"),
                Rows.optionalTime(row, "completed_at"));
    }

    static DecisionRow readDecision(ResultSet row) throws SQLException {
        return new DecisionRow(
                Rows.constant(DecisionRow.Verdict.class, row.getString("verdict")),
                Rows.constant(DecisionRow.Mode.class, row.getString("mode")),
                List.of((String[]) row.getArray("rules").getArray()),
                row.getString("reason"),
                Rows.digest(row, "rules_digest"));
    }
}
