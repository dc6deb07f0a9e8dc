package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.LedgerException;
import ai.hanzo.dev.ledger.pg.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** Makes the database and the application's login in a server of our own. */
public final class EmbeddedStore {
    private static final String DATABASE = "hanzo";
    private static final int ATTEMPTS = 3;

    /** A server that was killed replays its log before it lets anybody in. */
    private static final Duration RECOVERY = Duration.ofSeconds(60);

    private static final long LOOK_NANOS = 100_000_000L;

    /** duplicate_database, duplicate_object, unique_violation (of their catalogues). */
    private static final Set<String> ALREADY_THERE = Set.of("42P04", "42710", "23505");

    private EmbeddedStore() {}

    /** The configuration for the one ledger of a server; makes what is missing. */
    public static DatabaseConfig prepare(EmbeddedPostgres.Running server) {
        return prepare(server, DATABASE);
    }

    /** The same for a database of another name: tests take a fresh one each. */
    public static DatabaseConfig prepare(EmbeddedPostgres.Running server, String database) {
        if (!database.matches("[a-z][a-z0-9_]{0,40}")) {
            throw new IllegalArgumentException("'" + database + "' is no name of a database");
        }
        var owner = new DatabaseConfig.Login(EmbeddedPostgres.OWNER, server.ownerPassword());
        var app = new DatabaseConfig.Login(EmbeddedPostgres.APP, server.appPassword());
        DatabaseConfig admin = DatabaseConfig.unix(server.socketDir(), "postgres", owner, owner);
        for (int attempt = 1; !makeOnceUp(admin, app, database); attempt++) {
            if (attempt == ATTEMPTS) {
                throw LedgerException.cannotStart(
                        "The database " + database + " cannot be made in " + admin.place() + ".",
                        null);
            }
        }
        return DatabaseConfig.unix(server.socketDir(), database, app, owner);
    }

    private static boolean makeOnceUp(
            DatabaseConfig admin, DatabaseConfig.Login app, String database) {
        long deadline = System.nanoTime() + RECOVERY.toNanos();
        while (true) {
            try {
                return make(admin, app, database);
            } catch (LedgerException e) {
                boolean mayComeUp = e.code() == LedgerException.Code.DATABASE_GONE;
                if (!mayComeUp || System.nanoTime() > deadline) {
                    throw e;
                }
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
    }

    /** Makes what is missing; false when another host was a moment faster. */
    private static boolean make(DatabaseConfig admin, DatabaseConfig.Login app, String database) {
        DatabaseConfig.Login owner = admin.owner();
        try (Connection db =
                        DriverManager.getConnection(admin.url(), owner.user(), owner.password());
                Statement statement = db.createStatement()) {
            if (!exists(db, "SELECT 1 FROM pg_roles WHERE rolname = ?", app.user())) {
                // The password is hexadecimal, made by us; DDL takes no parameters.
                statement.execute(
                        "CREATE ROLE "
                                + app.user()
                                + " LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD '"
                                + app.password()
                                + "'");
            }
            if (!exists(db, "SELECT 1 FROM pg_database WHERE datname = ?", database)) {
                statement.execute("CREATE DATABASE " + database);
            }
            return true;
        } catch (SQLException e) {
            if (ALREADY_THERE.contains(String.valueOf(e.getSQLState()))) {
                return false;
            }
            throw SqlFaults.of(e, admin.place());
        }
    }

    private static boolean exists(Connection db, String sql, String name) throws SQLException {
        try (PreparedStatement query = db.prepareStatement(sql)) {
            query.setString(1, name);
            return Rows.first(query, _ -> true).isPresent();
        }
    }
}
