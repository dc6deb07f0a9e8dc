package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.LedgerException;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.SessionId;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * The pool and the one way to run a transaction. Safe for all threads. READ COMMITTED: what must
 * not change in between is locked by the row of its session.
 */
final class Database implements AutoCloseable {
    static final String SEE = "SELECT set_config('hanzo.org', ?, true)";

    private static final long CONNECT_TIMEOUT_MILLIS = 10_000;

    /** Far above what hundreds of waiting transactions take, at milliseconds each. */
    private static final long PATIENCE_MILLIS = 60_000;

    private final HikariDataSource pool;
    private final String place;
    private final SessionQueues queues = new SessionQueues();
    private final Heads heads = new Heads();

    /** As many as there are connections; the pool itself does not serve in the order of arrival. */
    private final Semaphore turns;

    private Database(HikariDataSource pool, String place) {
        this.pool = pool;
        this.turns = new Semaphore(pool.getMaximumPoolSize(), true);
        this.place = place;
    }

    /** Work in one transaction. */
    @FunctionalInterface
    interface Work<T> {
        T run(Connection connection) throws SQLException;
    }

    /** Opens the pool; connects at once, or throws. */
    static Database open(DatabaseConfig config) {
        var hikari = new HikariConfig();
        hikari.setPoolName("ledger");
        hikari.setJdbcUrl(config.url());
        hikari.setUsername(config.app().user());
        hikari.setPassword(config.app().password());
        hikari.setMaximumPoolSize(config.maxConnections());
        hikari.setMinimumIdle(1);
        // For db-scheduler, whose statements stand alone; ours switch it off, at no cost.
        hikari.setAutoCommit(true);
        hikari.setConnectionTimeout(CONNECT_TIMEOUT_MILLIS);
        hikari.setInitializationFailTimeout(1);
        hikari.addDataSourceProperty("ApplicationName", "hanzo");
        // A hung server must not hold a session's thread for ever; statements of ours take
        // milliseconds, and the longest wait is for a session's row.
        hikari.addDataSourceProperty("socketTimeout", "60");
        hikari.addDataSourceProperty("reWriteBatchedInserts", "true");
        if (config.isPooled()) {
            hikari.addDataSourceProperty("prepareThreshold", "0");
        }
        try {
            return new Database(new HikariDataSource(hikari), config.place());
        } catch (RuntimeException e) {
            throw LedgerException.databaseGone(config.place(), e);
        }
    }

    /** Runs {@code work} with the rows of {@code org} in sight, and commits. */
    <T> T inOrg(OrgId org, Work<T> work) {
        return run(connection -> {
            see(connection, org);
            return work.run(connection);
        });
    }

    /**
     * The same for work that writes to one session, names the org itself, as {@link
     * SessionWrite#lock} does, and comes one after the other with others of its kind.
     */
    <T> T inSession(SessionId session, Work<T> work) {
        try {
            return attemptInSession(session, work);
        } catch (SQLException e) {
            throw SqlFaults.of(e, place);
        }
    }

    /** Runs {@code work} with the rows of no org in sight, and commits. */
    <T> T run(Work<T> work) {
        try {
            return attempt(work);
        } catch (SQLException e) {
            throw SqlFaults.of(e, place);
        }
    }

    /**
     * As {@link #inSession}, for work whose violations of constraints mean something. Where the
     * session stands is not known afterwards, unless the caller says so.
     */
    <T> T attemptInSession(SessionId session, Work<T> work) throws SQLException {
        return queues.inTurn(
                session,
                () -> {
                    heads.forget(session);
                    return attempt(work);
                });
    }

    /** Does {@code turn} when the writers who came before for {@code session} are done. */
    <T> T inTurn(SessionId session, Supplier<T> turn) {
        try {
            return queues.inTurn(session, turn::get);
        } catch (SQLException e) {
            throw SqlFaults.of(e, place);
        }
    }

    /** Where the sessions of this process stand. */
    Heads heads() {
        return heads;
    }

    /** The same for work whose violations of constraints mean something to the caller. */
    <T> T attemptInOrg(OrgId org, Work<T> work) throws SQLException {
        return attempt(connection -> {
            see(connection, org);
            return work.run(connection);
        });
    }

    /** The exception for a fault that {@link #attemptInOrg} let through. */
    LedgerException fault(SQLException e) {
        return SqlFaults.of(e, place);
    }

    /** As {@link #run}, for work whose faults mean something to the caller. */
    <T> T attempt(Work<T> work) throws SQLException {
        awaitTurn();
        try {
            return connected(work);
        } finally {
            turns.release();
        }
    }

    /**
     * The same for work that is a single round trip and a transaction by itself: the server commits
     * it when it has done all of it, and neither BEGIN nor COMMIT is said.
     */
    <T> T attemptAlone(Work<T> work) throws SQLException {
        awaitTurn();
        try {
            requireOpen();
            try (Connection connection = pool.getConnection()) {
                return work.run(connection);
            }
        } finally {
            turns.release();
        }
    }

    private void requireOpen() {
        if (pool.isClosed()) {
            throw LedgerException.closed();
        }
    }

    private void awaitTurn() {
        try {
            if (!turns.tryAcquire(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
                throw LedgerException.conflict(
                        new TimeoutException("no connection became free for a minute"));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw LedgerException.conflict(e);
        }
    }

    private <T> T connected(Work<T> work) throws SQLException {
        requireOpen();
        try (Connection connection = pool.getConnection()) {
            T result;
            connection.setAutoCommit(false);
            try {
                result = work.run(connection);
            } catch (SQLException | RuntimeException e) {
                rollback(connection, e);
                throw e;
            }
            try {
                connection.commit();
            } catch (SQLException e) {
                rollback(connection, e);
                throw SqlFaults.ofCommit(e, place);
            }
            return result;
        }
    }

    private static void rollback(Connection connection, Exception why) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            why.addSuppressed(e);
        }
    }

    /** Names the org of this transaction; the policies of V2 show its rows only. */
    static void see(Connection connection, OrgId org) throws SQLException {
        try (PreparedStatement set = connection.prepareStatement(SEE)) {
            set.setString(1, org.value());
            set.execute();
        }
    }

    DataSource dataSource() {
        return pool;
    }

    String place() {
        return place;
    }

    @Override
    public void close() {
        pool.close();
    }
}
