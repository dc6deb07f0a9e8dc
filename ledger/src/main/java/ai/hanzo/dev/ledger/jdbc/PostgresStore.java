package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.Approvals;
import ai.hanzo.dev.ledger.Archives;
import ai.hanzo.dev.ledger.Artifacts;
import ai.hanzo.dev.ledger.Bodies;
import ai.hanzo.dev.ledger.Journal;
import ai.hanzo.dev.ledger.Leases;
import ai.hanzo.dev.ledger.Ledger;
import ai.hanzo.dev.ledger.Purges;
import ai.hanzo.dev.ledger.Store;
import ai.hanzo.dev.ledger.Tails;
import ai.hanzo.dev.ledger.Timers;
import ai.hanzo.dev.protocol.id.Uuid7;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/**
 * The ledger on a PostgreSQL: its pool, its schema and all parts. Safe for all threads. Everything
 * but {@link #open} and the commits of owners ({@link GroupCommit}) is on virtual threads or on the
 * caller's.
 */
public final class PostgresStore implements Store {
    private final Database database;
    private final Reads reads;
    private final PostgresTails tails;
    private final GroupCommit group;
    private final JdbcLedger ledger;
    private final JdbcJournal journal;
    private final JdbcLeases leases;
    private final JdbcApprovals approvals;
    private final DbTimers timers;
    private final JdbcArchives archives;
    private final JdbcPurges purges;
    private final JdbcBodies bodies;
    private final JdbcArtifacts artifacts;

    private static final String CHECK_SECONDS = "5";

    /** One gathers while another is on its way to the disk. */
    private static final int GROUPS = 2;

    private PostgresStore(
            DatabaseConfig config, Database database, Ticks ticks, Runnable whenGone) {
        this.database = database;
        this.reads = new Reads(database.dataSource(), config.place());
        this.tails = new PostgresTails(config, database, ticks.ids().next().toString(), whenGone);
        this.group = new GroupCommit(database, GROUPS);
        this.ledger = new JdbcLedger(database, group, tails, ticks);
        this.journal = new JdbcJournal(database, reads);
        this.leases = new JdbcLeases(database, config.leaseTtl());
        this.approvals = new JdbcApprovals(database, tails, ticks);
        this.timers = new DbTimers(database.dataSource(), ledger);
        this.archives = new JdbcArchives(database, ticks);
        this.purges = new JdbcPurges(database);
        this.bodies = new JdbcBodies(database);
        this.artifacts = new JdbcArtifacts(database);
    }

    /**
     * Migrates the schema and opens the store.
     *
     * @param ids its clock dates the entries
     */
    public static PostgresStore open(DatabaseConfig config, Uuid7 ids) {
        return open(config, ids, () -> {});
    }

    /**
     * The same.
     *
     * @param whenGone called at once when the server goes away, and again every half second until
     *     it answers: may start it; on a thread of its own
     */
    public static PostgresStore open(DatabaseConfig config, Uuid7 ids, Runnable whenGone) {
        Schema.migrate(config);
        var store =
                new PostgresStore(
                        config, Database.open(config), new Ticks(ids.clock(), ids), whenGone);
        store.tails.start();
        return store;
    }

    /**
     * Which server answers there, in a line; changes nothing.
     *
     * @throws LedgerException when none does, or none that lets us in
     */
    public static String check(DatabaseConfig config) {
        Properties login = new Properties();
        login.setProperty("user", config.app().user());
        login.setProperty("password", config.app().password());
        login.setProperty("connectTimeout", CHECK_SECONDS);
        login.setProperty("socketTimeout", CHECK_SECONDS);
        try (Connection connection = DriverManager.getConnection(config.url(), login)) {
            return connection.getMetaData().getDatabaseProductName()
                    + " "
                    + connection.getMetaData().getDatabaseProductVersion()
                    + " at "
                    + config.place();
        } catch (SQLException e) {
            throw SqlFaults.of(e, config.place());
        }
    }

    @Override
    public Ledger ledger() {
        return ledger;
    }

    @Override
    public Journal journal() {
        return journal;
    }

    @Override
    public Leases leases() {
        return leases;
    }

    @Override
    public Approvals approvals() {
        return approvals;
    }

    @Override
    public Timers timers() {
        return timers;
    }

    @Override
    public Archives archives() {
        return archives;
    }

    @Override
    public Bodies bodies() {
        return bodies;
    }

    @Override
    public Artifacts artifacts() {
        return artifacts;
    }

    @Override
    public Purges purges() {
        return purges;
    }

    @Override
    public Tails tails() {
        return tails;
    }

    @Override
    public void close() {
        timers.close();
        group.close();
        tails.close();
        reads.close();
        database.close();
    }
}
