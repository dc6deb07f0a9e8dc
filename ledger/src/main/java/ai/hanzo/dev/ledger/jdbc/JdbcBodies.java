package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.Bodies;
import ai.hanzo.dev.ledger.Sealed;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.SessionId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Optional;

/** The tables {@code session_keys} and {@code bodies}. */
final class JdbcBodies implements Bodies {
    private static final String KEY =
            "SELECT wrapped FROM session_keys WHERE session_id = ? AND org_id = ?";

    private static final String INSERT_KEY =
            """
            INSERT INTO session_keys (session_id, org_id, wrapped) VALUES (?, ?, ?)
            ON CONFLICT (session_id) DO NOTHING
            """;

    private static final String INSERT_BODY =
            """
            INSERT INTO bodies (session_id, digest, org_id, sealed) VALUES (?, ?, ?, ?)
            ON CONFLICT (session_id, digest) DO NOTHING
            """;

    private static final String BODY =
            "SELECT sealed FROM bodies WHERE session_id = ? AND org_id = ? AND digest = ?";

    private final Database database;

    JdbcBodies(Database database) {
        this.database = database;
    }

    @Override
    public Optional<Bytes> key(OrgId org, SessionId session) {
        return database.inOrg(org, db -> bytes(db, KEY, session, org));
    }

    @Override
    public Optional<Bytes> body(OrgId org, SessionId session, Sha256 name) {
        return database.inOrg(org, db -> bytes(db, BODY, session, org, name));
    }

    /** Writes what comes with an entry of that session, together with the rest. */
    static void write(Writes writes, OrgId org, SessionId session, Sealed sealed) {
        sealed.key().ifPresent(key -> writes.add(INSERT_KEY, session, org, key));
        for (Sealed.Body body : sealed.bodies()) {
            writes.add(INSERT_BODY, session, body.name(), org, body.bytes());
        }
        JdbcArtifacts.write(writes, org, session, sealed.artifacts());
    }

    private static Optional<Bytes> bytes(Connection db, String sql, Object... values)
            throws SQLException {
        try (PreparedStatement query = db.prepareStatement(sql)) {
            Rows.set(query, values);
            return Rows.first(query, row -> Bytes.wrap(row.getBytes(1)));
        }
    }
}
