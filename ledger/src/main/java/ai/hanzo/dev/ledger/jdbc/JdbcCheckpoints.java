package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.Checkpoints;
import ai.hanzo.dev.ledger.Lease;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Checkpoints; a fenced host cannot add one, because the insert looks at the epoch. */
final class JdbcCheckpoints implements Checkpoints {
    private static final String ADD =
            """
            INSERT INTO checkpoints (session_id, seq, kind, org_id, snapshot_id, taken_at)
            SELECT id, ?, ?, org_id, ?, ? FROM sessions
            WHERE id = ? AND org_id = ? AND epoch = ? FOR SHARE
            ON CONFLICT (session_id, seq, kind) DO NOTHING
            """;

    private static final String IS_MINE = "SELECT 1 FROM sessions WHERE id = ? AND epoch = ?";

    private static final String COLUMNS =
            "SELECT seq, kind, snapshot_id, taken_at FROM checkpoints"
                    + " WHERE org_id = ? AND session_id = ?";

    private final Database database;

    JdbcCheckpoints(Database database) {
        this.database = database;
    }

    @Override
    public boolean add(Lease lease, Checkpoint checkpoint) {
        return database.inOrg(
                lease.org(),
                db -> {
                    try (PreparedStatement insert = db.prepareStatement(ADD);
                            PreparedStatement check = db.prepareStatement(IS_MINE)) {
                        Rows.set(
                                insert,
                                checkpoint.seq(),
                                checkpoint.kind(),
                                checkpoint.snapshot(),
                                checkpoint.takenAt(),
                                lease.session(),
                                lease.org(),
                                lease.epoch().value());
                        if (insert.executeUpdate() == 1) {
                            return true;
                        }
                        Rows.set(check, lease.session(), lease.epoch().value());
                        return Rows.first(check, _ -> true).isPresent();
                    }
                });
    }

    @Override
    public List<Checkpoint> list(OrgId org, SessionId session) {
        return database.inOrg(
                org,
                db -> {
                    try (PreparedStatement query =
                            db.prepareStatement(COLUMNS + " ORDER BY seq, kind DESC")) {
                        Rows.set(query, org, session);
                        return Rows.all(query, JdbcCheckpoints::read);
                    }
                });
    }

    @Override
    public Optional<Checkpoint> lastAt(OrgId org, SessionId session, Seq seq) {
        return database.inOrg(
                org,
                db -> {
                    try (PreparedStatement query =
                            db.prepareStatement(
                                    COLUMNS + " AND seq <= ? ORDER BY seq DESC, kind LIMIT 1")) {
                        Rows.set(query, org, session, seq);
                        return Rows.first(query, JdbcCheckpoints::read);
                    }
                });
    }

    private static Checkpoint read(ResultSet row) throws SQLException {
        return new Checkpoint(
                new Seq(row.getLong("seq")),
                Rows.constant(Kind.class, row.getString("kind")),
                Rows.digest(row, "snapshot_id"),
                Rows.time(row, "taken_at"));
    }
}
