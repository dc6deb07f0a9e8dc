package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.LedgerException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import org.postgresql.PGConnection;

/**
 * Fills an empty ledger with what {@link TableDump} wrote, in one transaction: every constraint and
 * every rule of rows is checked anew, and before {@link #commit} nothing is there. One thread.
 */
public final class TableLoad implements AutoCloseable {
    private static final int MAX_LINE_BYTES = 1 << 14;

    /** Tables whose rows keep rules (V13). */
    private static final List<String> RULED = List.of("sessions", "entries", "actions");

    private final Connection db;
    private final String place;

    private TableLoad(Connection db, String place) {
        this.db = db;
        this.place = place;
    }

    /**
     * Makes the tables and begins.
     *
     * @param schema of the tables that were written
     * @throws LedgerException also when they are of another release, or the ledger is not empty
     */
    public static TableLoad open(DatabaseConfig config, int schema) {
        Schema.migrate(config);
        int mine = Schema.requireCurrent(config);
        if (mine != schema) {
            throw LedgerException.wrongVersion(
                    "The backup has tables of version "
                            + schema
                            + " and this hanzo has "
                            + mine
                            + ": restore it with the hanzo that made it, and start this one then.");
        }
        try {
            Connection db = TableDump.connect(config);
            db.setAutoCommit(false);
            if (isUsed(db)) {
                db.close();
                throw LedgerException.wrongVersion(
                        "There are sessions in the database at "
                                + config.place()
                                + " already: restore into an empty one.");
            }
            setForced(db, "NO FORCE");
            return new TableLoad(db, config.place());
        } catch (SQLException e) {
            throw SqlFaults.of(e, config.place());
        }
    }

    private static boolean isUsed(Connection db) throws SQLException {
        try (PreparedStatement query =
                db.prepareStatement("SELECT EXISTS (SELECT 1 FROM sessions)")) {
            return Rows.first(query, row -> row.getBoolean(1)).orElseThrow();
        }
    }

    /** Reads what {@link TableDump#copy} wrote; how many rows. */
    public long copy(String table, InputStream in) throws IOException {
        String columns = line(in);
        try {
            if (!TableDump.columns(db, table).equals(columns)) {
                throw LedgerException.wrongVersion(
                        "The backup's table " + table + " has other columns than this hanzo's.");
            }
            return db.unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn("COPY " + table + " (" + columns + ") FROM STDIN", in);
        } catch (SQLException e) {
            throw SqlFaults.of(e, place);
        }
    }

    private Optional<String> brokenRule() throws SQLException {
        try (PreparedStatement query = db.prepareStatement("SELECT hanzo_broken_rule()")) {
            return Rows.first(query, row -> Optional.ofNullable(row.getString(1))).orElseThrow();
        }
    }

    private static String line(InputStream in) throws IOException {
        var line = new ByteArrayOutputStream();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            if (line.size() == MAX_LINE_BYTES) {
                throw new IOException("a table does not begin with its columns");
            }
            line.write(next);
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    /** COPY goes past the rules of rows, for an owner whom they do not bind for that time. */
    private static void setForced(Connection db, String forced) throws SQLException {
        try (Statement statement = db.createStatement()) {
            for (String table : RULED) {
                statement.execute("ALTER TABLE " + table + " " + forced + " ROW LEVEL SECURITY");
            }
        }
    }

    /**
     * All of it is there.
     *
     * @throws LedgerException also when rows break a rule; nothing is there then
     */
    public void commit() {
        try {
            Optional<String> broken = brokenRule();
            if (broken.isPresent()) {
                throw LedgerException.corrupt(
                        "The backup has rows that no hanzo writes (" + broken.get() + ").");
            }
            setForced(db, "FORCE");
            db.commit();
        } catch (SQLException e) {
            throw SqlFaults.of(e, place);
        }
    }

    /** Ends it; without a commit nothing is there. */
    @Override
    public void close() {
        try (Connection open = db) {
            open.rollback();
        } catch (SQLException e) {
            throw SqlFaults.of(e, place);
        }
    }
}
