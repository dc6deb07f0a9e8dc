package ai.hanzo.dev.host;

import ai.hanzo.dev.ledger.jdbc.DatabaseConfig;
import ai.hanzo.dev.protocol.id.SessionId;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;

/**
 * Who holds a session's lease, as the database has it.
 *
 * @param host its id
 * @param epoch of the lease
 * @param since when it was acquired, by the database's clock
 */
record Holder(String host, long epoch, Timestamp since) {
    static Holder of(DatabaseConfig database, SessionId session) {
        return ask(
                database,
                "SELECT host_id, epoch, acquired_at FROM leases WHERE session_id = ?",
                session.value(),
                row -> new Holder(row.getString(1), row.getLong(2), row.getTimestamp(3)));
    }

    /** Whether another host has declared it dead. */
    static boolean isDead(DatabaseConfig database, String host) {
        return ask(
                database,
                "SELECT state = 'dead' FROM hosts WHERE id = ?",
                host,
                row -> row.getBoolean(1));
    }

    /** From the last heartbeat of who held the lease before to this one, by the same clock. */
    Duration after(DatabaseConfig database, Holder before, Duration ttl) {
        // A host counts as silent when three quarters of the time are over: see Leases.beat.
        Timestamp silent =
                ask(
                        database,
                        "SELECT expires_at FROM hosts WHERE id = ?",
                        before.host(),
                        row -> row.getTimestamp(1));
        return Duration.between(silent.toInstant(), since.toInstant())
                .plus(ttl.multipliedBy(3).dividedBy(4));
    }

    @FunctionalInterface
    private interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    private static <T> T ask(DatabaseConfig database, String sql, String id, Reader<T> reader) {
        try (Connection db =
                        DriverManager.getConnection(
                                database.url(),
                                database.owner().user(),
                                database.owner().password());
                PreparedStatement query = db.prepareStatement(sql)) {
            query.setString(1, id);
            try (ResultSet rows = query.executeQuery()) {
                if (!rows.next()) {
                    throw new AssertionError("nothing of " + id);
                }
                return reader.read(rows);
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
