package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.ArchiveRow;
import ai.hanzo.dev.ledger.Archives;
import ai.hanzo.dev.ledger.Run;
import ai.hanzo.dev.ledger.RunStatus;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.RunId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.id.TurnId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Consumer;

/** The rows of one session, read by a cursor within one transaction that sees one moment. */
final class ArchiveReading {
    private static final int FETCH_ROWS = 200;

    private static final String END =
            "SELECT head_digest, last_input_seq FROM sessions WHERE id = ? AND org_id = ?";

    private static final String OF_SESSION = " WHERE session_id = ? AND org_id = ? ORDER BY ";

    private static final String ENTRIES =
            "SELECT body_digest, " + Rows.ENTRY + " FROM entries" + OF_SESSION + "seq";

    private static final String RUNS =
            """
            SELECT id, turn, status, seq, source, error_code, error_text, created_at, started_at,
                ended_at FROM runs
            """
                    + OF_SESSION
                    + "turn";

    private static final String ACTIONS =
            """
            SELECT id, turn, seq, kind, request_digest, status, marker, outcome_seq, created_at,
                dispatched_at, completed_at FROM actions
            """
                    + OF_SESSION
                    + "id";

    private static final String DECISIONS =
            """
            SELECT action_id, verdict, mode, rules, reason, rules_digest, created_at FROM decisions
            """
                    + OF_SESSION
                    + "action_id";

    private static final String APPROVALS =
            "SELECT " + JdbcApprovals.FIELDS + ", seq FROM approvals" + OF_SESSION + "id";

    private final Connection db;
    private final OrgId org;
    private final SessionId id;

    ArchiveReading(Connection db, OrgId org, SessionId id) {
        this.db = db;
        this.org = org;
        this.id = id;
    }

    /** False when there is no such session. */
    boolean read(Consumer<Archives.Head> head, Consumer<ArchiveRow> rows) throws SQLException {
        Optional<Session> session = SessionRows.find(db, org, id);
        if (session.isEmpty()) {
            return false;
        }
        try (PreparedStatement end = db.prepareStatement(END)) {
            Rows.set(end, id, org);
            head.accept(
                    Rows.first(
                                    end,
                                    row ->
                                            new Archives.Head(
                                                    session.get(),
                                                    Rows.digest(row, "head_digest"),
                                                    new Seq(row.getLong("last_input_seq"))))
                            .orElseThrow());
        }
        each(ENTRIES, rows, ArchiveReading::entry);
        each(RUNS, rows, this::run);
        each(ACTIONS, rows, ArchiveReading::action);
        each(DECISIONS, rows, ArchiveReading::decision);
        each(APPROVALS, rows, ArchiveReading::approval);
        return true;
    }

    private void each(String sql, Consumer<ArchiveRow> rows, Rows.Reader<ArchiveRow> reader)
            throws SQLException {
        try (PreparedStatement query = db.prepareStatement(sql)) {
            query.setFetchSize(FETCH_ROWS);
            Rows.set(query, id, org);
            try (ResultSet found = query.executeQuery()) {
                while (found.next()) {
                    rows.accept(reader.read(found));
                }
            }
        }
    }

    private static ArchiveRow entry(ResultSet row) throws SQLException {
        byte[] body = row.getBytes("body_digest");
        return new ArchiveRow.OfEntry(
                Rows.entry(row),
                body == null ? Optional.empty() : Optional.of(new Sha256(Bytes.wrap(body))));
    }

    private ArchiveRow run(ResultSet row) throws SQLException {
        return new ArchiveRow.OfRun(
                new Run(
                        org,
                        id,
                        new RunId(row.getString("id")),
                        new TurnId(row.getLong("turn")),
                        Rows.constant(RunStatus.class, row.getString("status")),
                        new Seq(row.getLong("seq")),
                        row.getString("source"),
                        Optional.ofNullable(row.getString("error_code")),
                        Optional.ofNullable(row.getString("error_text")),
                        Rows.time(row, "created_at"),
                        Rows.optionalTime(row, "ended_at")),
                Rows.optionalTime(row, "started_at"));
    }

    private static ArchiveRow action(ResultSet row) throws SQLException {
        return new ArchiveRow.OfAction(
                new ActionId(row.getLong("id")),
                Rows.turn(row, "turn"),
                new Seq(row.getLong("seq")),
                row.getString("kind"),
                Rows.digest(row, "request_digest"),
                Rows.constant(ActionStatus.class, row.getString("status")),
                Optional.ofNullable(row.getString("marker")),
                Rows.optionalLong(row, "outcome_seq").stream().mapToObj(Seq::new).findFirst(),
                new ArchiveRow.Times(
                        Rows.time(row, "created_at"),
                        Rows.optionalTime(row, "dispatched_at"),
                        Rows.optionalTime(row, "completed_at")));
    }

    private static ArchiveRow decision(ResultSet row) throws SQLException {
        return new ArchiveRow.OfDecision(
                new ActionId(row.getLong("action_id")),
                ActionRows.readDecision(row),
                Rows.time(row, "created_at"));
    }

    private static ArchiveRow approval(ResultSet row) throws SQLException {
        return new ArchiveRow.OfApproval(
                JdbcApprovals.read(row),
                Rows.optionalLong(row, "seq").stream().mapToObj(Seq::new).findFirst());
    }
}
