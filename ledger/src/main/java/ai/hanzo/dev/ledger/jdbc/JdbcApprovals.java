package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.Approval;
import ai.hanzo.dev.ledger.Approvals;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.NewEntry;
import ai.hanzo.dev.protocol.Failpoint;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.ApprovalId;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.SessionId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Approvals: the session's row is locked first, as everywhere, so that writers cannot deadlock. */
final class JdbcApprovals implements Approvals {
    /** What {@link #read} reads. */
    static final String FIELDS =
            """
            id, org_id, session_id, turn, action_id, kind, risk, status, summary,
                created_at, expires_at, resolved_at, resolved_by, note
            """;

    private static final String COLUMNS = "SELECT " + FIELDS + " FROM approvals";

    private static final String PENDING =
            COLUMNS + " WHERE org_id = ? AND status = 'pending' ORDER BY id LIMIT ?";

    private static final String PENDING_IN =
            COLUMNS + " WHERE org_id = ? AND session_id = ? AND status = 'pending' ORDER BY id";

    private static final String GET = COLUMNS + " WHERE org_id = ? AND id = ?";

    private static final String OF_ACTION =
            COLUMNS
                    + " WHERE org_id = ? AND session_id = ? AND action_id = ?"
                    + " ORDER BY id DESC LIMIT 1";

    private static final String RESOLVE =
            """
            UPDATE approvals SET status = ?, resolved_at = ?, resolved_by = ?, note = ?, seq = ?
            WHERE id = ? AND status = 'pending'
            """;

    private final Database database;
    private final PostgresTails tails;
    private final Ticks ticks;

    JdbcApprovals(Database database, PostgresTails tails, Ticks ticks) {
        this.database = database;
        this.tails = tails;
        this.ticks = ticks;
    }

    @Override
    public List<Approval> pending(OrgId org, int limit) {
        return database.inOrg(org, db -> all(db, PENDING, org, limit));
    }

    @Override
    public List<Approval> pendingIn(OrgId org, SessionId session) {
        return database.inOrg(org, db -> all(db, PENDING_IN, org, session));
    }

    @Override
    public Optional<Approval> ofAction(OrgId org, SessionId session, ActionId action) {
        return database.inOrg(org, db -> all(db, OF_ACTION, org, session, action)).stream()
                .findFirst();
    }

    @Override
    public Optional<Approval> get(OrgId org, ApprovalId approval) {
        return database.inOrg(org, db -> find(db, org, approval));
    }

    @Override
    public Resolved resolve(OrgId org, ApprovalId id, Resolution resolution) {
        Optional<Approval> seen = get(org, id);
        if (seen.isEmpty()) {
            return new Resolved.NotFound();
        }
        Resolved resolved =
                database.inSession(seen.get().session(), db -> resolve(db, seen.get(), resolution));
        if (resolved instanceof Resolved.Committed(Approval _, Entry entry)) {
            Failpoint.T1_COMMITTED.reached();
            tails.committed(entry.org(), entry.session(), entry.seq());
        }
        return resolved;
    }

    private Resolved resolve(Connection db, Approval seen, Resolution resolution)
            throws SQLException {
        Instant now = ticks.now();
        SessionWrite write = SessionWrite.lock(db, seen.org(), seen.session(), now).orElseThrow();
        Approval approval = find(db, seen.org(), seen.id()).orElseThrow();
        if (approval.status() != Approval.Status.PENDING) {
            return new Resolved.AlreadyResolved(approval);
        }
        if (approval.expiresAt().filter(end -> !end.isAfter(now)).isPresent()) {
            settle(db, approval, Approval.Status.EXPIRED, resolution, Optional.empty(), now);
            return new Resolved.AlreadyResolved(find(db, seen.org(), seen.id()).orElseThrow());
        }
        var entry =
                new NewEntry(
                        EntryKind.APPROVAL,
                        approval.turn(),
                        resolution.by(),
                        Optional.empty(),
                        resolution.payload());
        Entry added = write.add(entry, Optional.of(approval.action()));
        write.flush(db);
        Approval.Status status =
                switch (resolution.choice()) {
                    case APPROVE -> Approval.Status.APPROVED;
                    case DENY -> Approval.Status.REJECTED;
                };
        settle(db, approval, status, resolution, Optional.of(added), now);
        Failpoint.T1_BEGUN.reached();
        return new Resolved.Committed(find(db, seen.org(), seen.id()).orElseThrow(), added);
    }

    private static void settle(
            Connection db,
            Approval approval,
            Approval.Status status,
            Resolution resolution,
            Optional<Entry> entry,
            Instant now)
            throws SQLException {
        try (PreparedStatement update = db.prepareStatement(RESOLVE)) {
            Rows.set(
                    update,
                    status,
                    now,
                    resolution.by(),
                    resolution.note(),
                    entry.map(Entry::seq),
                    approval.id().value());
            update.executeUpdate();
        }
    }

    private static Optional<Approval> find(Connection db, OrgId org, ApprovalId id)
            throws SQLException {
        return all(db, GET, org, id.value()).stream().findFirst();
    }

    private static List<Approval> all(Connection db, String sql, Object... values)
            throws SQLException {
        try (PreparedStatement query = db.prepareStatement(sql)) {
            Rows.set(query, values);
            return Rows.all(query, JdbcApprovals::read);
        }
    }

    static Approval read(ResultSet row) throws SQLException {
        return new Approval(
                new OrgId(row.getString("org_id")),
                new ApprovalId(row.getString("id")),
                new SessionId(row.getString("session_id")),
                Rows.turn(row, "turn"),
                new ActionId(row.getLong("action_id")),
                Rows.constant(Approval.Kind.class, row.getString("kind")),
                Rows.constant(Approval.Risk.class, row.getString("risk")),
                Rows.constant(Approval.Status.class, row.getString("status")),
                row.getString("summary"),
                Rows.time(row, "created_at"),
                Rows.optionalTime(row, "expires_at"),
                Rows.optionalTime(row, "resolved_at"),
                Optional.ofNullable(row.getString("resolved_by")),
                Optional.ofNullable(row.getString("note")));
    }
}
