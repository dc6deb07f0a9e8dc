package ai.hanzo.dev.ledger.jdbc;

import java.util.ArrayList;
import java.util.List;

/**
 * Writes that go to the server as the parts of a single statement: what a statement costs besides
 * its rows is paid once for all of them. The parts see nothing of each other; the server looks at
 * foreign keys when all are done. The texts are few, so that each is prepared once. Lives within
 * one transaction, on its thread.
 */
final class OneStatement implements Writes {
    private final StringBuilder parts = new StringBuilder();
    private final StringBuilder found = new StringBuilder();
    private final List<Object> values = new ArrayList<>();
    private int count;
    private int wanted;

    @Override
    public OneStatement add(String sql, Object... parameters) {
        parts.append(count == 0 ? "WITH " : ",\n")
                .append(name())
                .append(" AS (")
                .append(sql)
                .append(')');
        values.addAll(List.of(parameters));
        count++;
        return this;
    }

    /**
     * A write that has to find one row; else all of the transaction ends, with {@link
     * GroupRows#isOvertaken}.
     */
    OneStatement require(String sql, Object... parameters) {
        found.append(wanted == 0 ? "" : " + ").append("(SELECT count(*) FROM ");
        found.append(name()).append(')');
        wanted++;
        return add(sql + " RETURNING 1", parameters);
    }

    private String name() {
        return "w" + count;
    }

    /** Sends it along with others. One write at least has to find a row. */
    void addTo(Pipeline writes) {
        writes.add(
                parts + "\nSELECT hanzo_require(" + found + ", " + wanted + ")", values.toArray());
    }
}
