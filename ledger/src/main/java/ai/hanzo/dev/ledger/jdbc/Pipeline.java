package ai.hanzo.dev.ledger.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Statements that go to the server together: PostgreSQL's driver sends the parts of a statement
 * with semicolons one after the other and waits once, for all of their results. The texts are few,
 * so that each is prepared once. Lives within one transaction, on its thread; the first part that
 * fails fails all.
 */
final class Pipeline implements Writes {
    private final StringBuilder text = new StringBuilder();
    private final List<Object> values = new ArrayList<>();
    private final List<Optional<String>> parts = new ArrayList<>();

    @Override
    public Pipeline add(String sql, Object... parameters) {
        return add(Optional.empty(), sql, parameters);
    }

    /** A write that has to find a row; {@code otherwise} says that there is none. */
    Pipeline require(String otherwise, String sql, Object... parameters) {
        return add(Optional.of(otherwise), sql, parameters);
    }

    private Pipeline add(Optional<String> otherwise, String sql, Object... parameters) {
        if (!parts.isEmpty()) {
            text.append(";\n");
        }
        text.append(sql);
        values.addAll(List.of(parameters));
        parts.add(otherwise);
        return this;
    }

    /**
     * Sends the writes with the COMMIT behind them, and waits for all: one round trip less. The
     * server skips the commit when a write fails. Writes that have to find a row are looked at
     * first, and are committed by whoever commits the transaction.
     *
     * @throws UnknownOutcome if the connection broke on the way
     */
    void runLast(Connection db) throws SQLException {
        if (parts.isEmpty() || parts.stream().anyMatch(Optional::isPresent)) {
            run(db);
            return;
        }
        add("COMMIT").runAlone(db);
    }

    /** Sends writes that the server commits by itself, on a connection that has no transaction. */
    void runAlone(Connection db) throws SQLException {
        try {
            run(db);
        } catch (SQLException e) {
            throw SqlFaults.isGone(e) ? new UnknownOutcome(e) : e;
        }
    }

    /** The connection broke while a commit was on its way. */
    static final class UnknownOutcome extends SQLException {
        private static final long serialVersionUID = 1;

        UnknownOutcome(SQLException cause) {
            super(cause.getMessage(), cause.getSQLState(), cause);
        }
    }

    /** Sends the writes, and waits for all. */
    void run(Connection db) throws SQLException {
        if (parts.isEmpty()) {
            return;
        }
        try (PreparedStatement all = db.prepareStatement(text.toString())) {
            Rows.set(all, values.toArray());
            all.execute();
            for (Optional<String> otherwise : parts) {
                if (otherwise.isPresent() && all.getUpdateCount() == 0) {
                    throw new IllegalStateException(otherwise.get());
                }
                all.getMoreResults();
            }
        }
    }

    /** Reads the next result of a statement with several. */
    static <T> Optional<T> first(PreparedStatement all, Rows.Reader<T> reader) throws SQLException {
        try (ResultSet rows = all.getResultSet()) {
            return rows.next() ? Optional.of(reader.read(rows)) : Optional.empty();
        }
    }
}
