package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.Artifact;
import ai.hanzo.dev.ledger.Artifacts;
import ai.hanzo.dev.ledger.Journal;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The table {@code artifacts}. */
final class JdbcArtifacts implements Artifacts {
    private static final String INSERT =
            """
            INSERT INTO artifacts (session_id, action_id, name, org_id, sha256, size_bytes, media_type)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (session_id, action_id, name) DO NOTHING
            """;

    private static final String PAGE =
            """
            SELECT r.action_id, r.name, r.sha256, r.size_bytes, r.media_type, a.outcome_seq
            FROM artifacts r JOIN actions a ON a.session_id = r.session_id AND a.id = r.action_id
            WHERE r.session_id = ? AND r.org_id = ? AND a.outcome_seq <= ?
              AND (r.action_id, r.name) > (?, ?)
            ORDER BY r.action_id, r.name LIMIT ?
            """;

    /** What a fork takes over: of the actions whose outcomes it has. */
    static final String COPY =
            """
            INSERT INTO artifacts (session_id, action_id, name, org_id, kind, sha256, size_bytes,
                media_type, retention, created_at)
            SELECT ?, r.action_id, r.name, r.org_id, r.kind, r.sha256, r.size_bytes, r.media_type,
                r.retention, r.created_at
            FROM artifacts r JOIN actions a ON a.session_id = r.session_id AND a.id = r.action_id
            WHERE r.session_id = ? AND a.outcome_seq <= ?
            """;

    private final Database database;

    JdbcArtifacts(Database database) {
        this.database = database;
    }

    @Override
    public List<Kept> of(
            OrgId org, SessionId session, Seq through, Optional<Artifact> after, int limit) {
        if (limit < 1 || limit > Journal.MAX_LIMIT) {
            throw new IllegalArgumentException(limit + " is no size of a page");
        }
        long action = after.map(last -> last.action().value()).orElse(0L);
        String name = after.map(Artifact::name).orElse("");
        return database.inOrg(
                org,
                db -> {
                    try (PreparedStatement query = db.prepareStatement(PAGE)) {
                        Rows.set(query, session, org, through, action, name, limit);
                        return Rows.all(query, JdbcArtifacts::read);
                    }
                });
    }

    /** Writes what comes with an entry of that session, together with the rest. */
    static void write(Writes writes, OrgId org, SessionId session, List<Artifact> artifacts) {
        for (Artifact one : artifacts) {
            writes.add(
                    INSERT,
                    session,
                    one.action(),
                    one.name(),
                    org,
                    one.digest(),
                    one.sizeBytes(),
                    one.mediaType());
        }
    }

    private static Kept read(ResultSet row) throws SQLException {
        return new Kept(
                new Artifact(
                        new ActionId(row.getLong("action_id")),
                        row.getString("name"),
                        Rows.digest(row, "sha256"),
                        row.getLong("size_bytes"),
                        row.getString("media_type")),
                new Seq(row.getLong("outcome_seq")));
    }
}
