package ai.hanzo.dev.ledger.jdbc;

/** Statements of one transaction that are gathered before they are sent. */
interface Writes {
    /** A write; how many rows it finds is of no interest. */
    Writes add(String sql, Object... parameters);
}
