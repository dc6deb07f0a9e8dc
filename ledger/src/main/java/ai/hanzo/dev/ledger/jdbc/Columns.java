package ai.hanzo.dev.ledger.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows as one array for each column, which is how a statement of constant text takes any number of
 * them: {@code FROM unnest(?, ?)}. One thread.
 */
final class Columns {
    private final String[] types;
    private final List<@Nullable Object[]> rows = new ArrayList<>();

    /**
     * @param types PostgreSQL's names of the columns' types, with blanks between
     */
    Columns(String types) {
        this.types = types.split(" ");
    }

    /** Adds a row; an empty Optional is NULL. */
    void add(Object... values) {
        if (values.length != types.length) {
            throw new IllegalArgumentException(values.length + " values for " + types.length);
        }
        @Nullable Object[] row = new Object[values.length];
        for (int i = 0; i < values.length; i++) {
            row[i] = element(values[i]);
        }
        rows.add(row);
    }

    int size() {
        return rows.size();
    }

    /** The parameters of a statement: {@code first}, then the columns. */
    Object[] after(Connection db, Object first) throws SQLException {
        Object[] all = new Object[types.length + 1];
        all[0] = first;
        fill(db, all, 1);
        return all;
    }

    /** The parameters of a statement: the columns, then {@code more}. */
    Object[] and(Connection db, Object... more) throws SQLException {
        Object[] all = new Object[types.length + more.length];
        fill(db, all, 0);
        System.arraycopy(more, 0, all, types.length, more.length);
        return all;
    }

    private void fill(Connection db, Object[] into, int from) throws SQLException {
        for (int column = 0; column < types.length; column++) {
            @Nullable Object[] values = array(types[column], rows.size());
            for (int row = 0; row < values.length; row++) {
                values[row] = rows.get(row)[column];
            }
            into[from + column] = db.createArrayOf(types[column], values);
        }
    }

    /** Of the type that the driver sends in binary. */
    private static @Nullable Object[] array(String type, int length) {
        return switch (type) {
            case "int8" -> new Long[length];
            case "int4" -> new Integer[length];
            case "bool" -> new Boolean[length];
            case "bytea" -> new byte[length][];
            default -> new String[length];
        };
    }

    private static @Nullable Object element(Object value) {
        @Nullable Object plain = Rows.plain(value);
        // The driver makes no array of times by itself.
        return plain instanceof Instant time ? time.toString() : plain;
    }
}
