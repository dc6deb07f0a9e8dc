package ai.hanzo.dev.ledger;

/**
 * One open ledger: everything that can be asked of it. Close it once, last; then every part of it
 * fails with {@link LedgerException.Code#CLOSED}.
 */
public interface Store extends AutoCloseable {

    /** The writes. */
    Ledger ledger();

    /** The reads. */
    Journal journal();

    /** Who may step which session. */
    Leases leases();

    /** Requests for approval. */
    Approvals approvals();

    /** Durable timers. */
    Timers timers();

    /** Sessions that travel. */
    Archives archives();

    /** Sealed bodies. */
    Bodies bodies();

    /** Outputs that are kept whole. */
    Artifacts artifacts();

    /** The removal of sessions that are over. */
    Purges purges();

    /** Wakes. */
    Tails tails();

    @Override
    void close();
}
