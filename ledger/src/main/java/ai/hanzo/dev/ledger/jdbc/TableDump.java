package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.LedgerException;
import java.io.IOException;
import java.io.OutputStream;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.postgresql.PGConnection;

/**
 * All rows of a ledger as they are at one moment, while hosts write to it: table by table, in the
 * text format of PostgreSQL's COPY. As long as it is open, nothing is purged. One thread.
 */
public final class TableDump implements AutoCloseable {
    /**
     * The tables in an order in which they can be filled. What is left out holds for hosts that
     * live now, or is made by the migrations.
     */
    static final List<String> TABLES =
            List.of(
                    "orgs",
                    "principals",
                    "runners",
                    "sessions",
                    "session_keys",
                    "bodies",
                    "entries",
                    "runs",
                    "actions",
                    "approvals",
                    "artifacts",
                    "snapshots",
                    "kept_snapshots",
                    "scheduled_tasks",
                    "purges",
                    "quarantine");

    /** What {@link #TABLES} leaves out. */
    static final List<String> LEFT_OUT =
            List.of("hosts", "leases", "run_transitions", "flyway_schema_history");

    private static final String COLUMNS =
            """
            SELECT column_name FROM information_schema.columns
            WHERE table_schema = current_schema() AND table_name = ? ORDER BY ordinal_position
            """;

    private final Connection db;
    private final String place;
    private final int schema;

    private TableDump(Connection db, String place, int schema) {
        this.db = db;
        this.place = place;
        this.schema = schema;
    }

    /**
     * Begins.
     *
     * @throws LedgerException also when the tables are of another release
     */
    public static TableDump open(DatabaseConfig config) {
        int schema = Schema.requireCurrent(config);
        try {
            Connection db = connect(config);
            try {
                begin(db);
                return new TableDump(db, config.place(), schema);
            } catch (SQLException e) {
                db.close();
                throw e;
            }
        } catch (SQLException e) {
            throw SqlFaults.of(e, config.place());
        }
    }

    /** A connection of the tables' owner, who sees every row. */
    static Connection connect(DatabaseConfig config) throws SQLException {
        return DriverManager.getConnection(
                config.direct(), config.owner().user(), config.owner().password());
    }

    /** The lock comes before the moment that is seen: what is swept meanwhile was not in it. */
    private static void begin(Connection db) throws SQLException {
        try (Statement statement = db.createStatement()) {
            // A sweep may take long, and so may the copying of stored files.
            statement.execute("SET lock_timeout = 0");
            statement.execute("SET idle_in_transaction_session_timeout = 0");
            statement.execute("SELECT pg_advisory_lock_shared(" + JdbcPurges.LOCK + ")");
            db.setAutoCommit(false);
            statement.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
            statement.execute("SELECT 1");
        }
    }

    /** The number of the newest migration of its tables. */
    public int schema() {
        return schema;
    }

    /** In the order in which they can be filled. */
    public List<String> tables() {
        return TABLES;
    }

    /** Writes a line with the names of the columns, then the rows; how many rows. */
    public long copy(String table, OutputStream out) throws IOException {
        try {
            String columns = columns(db, table);
            out.write((columns + "\n").getBytes(java.nio.charset.StandardCharsets.UTF_8));
            return db.unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyOut("COPY (SELECT " + columns + " FROM " + table + ") TO STDOUT", out);
        } catch (SQLException e) {
            throw SqlFaults.of(e, place);
        }
    }

    static String columns(Connection db, String table) throws SQLException {
        if (!TABLES.contains(table)) {
            throw new IllegalArgumentException("no table of ours: " + table);
        }
        try (PreparedStatement query = db.prepareStatement(COLUMNS)) {
            Rows.set(query, table);
            List<String> names = Rows.all(query, row -> row.getString(1));
            return names.stream()
                    .reduce((all, next) -> all + ", " + next)
                    .orElseThrow(() -> new IllegalStateException("no table " + table));
        }
    }

    /** Ends it; what was written stays. */
    @Override
    public void close() {
        try (Connection open = db) {
            open.rollback();
        } catch (SQLException e) {
            throw SqlFaults.of(e, place);
        }
    }
}
