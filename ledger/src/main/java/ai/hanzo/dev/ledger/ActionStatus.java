package ai.hanzo.dev.ledger;

/** The status of an action. It is open until an outcome entry is linked to it. */
public enum ActionStatus {
    /** Allowed, and waiting for those before it in its batch. */
    REQUESTED,
    /** Refused by policy; open until the core has been told. */
    BLOCKED,
    /** Waiting for somebody to approve it. */
    WAITING_APPROVAL,
    /** A question, waiting for its answer. */
    WAITING_INPUT,
    /** May have been sent. */
    DISPATCHED,
    /** Sent, and nobody knows whether it happened. */
    IN_DOUBT,
    /** Over, with an outcome. */
    COMPLETED,
    /** Over, and it did not work. */
    FAILED,
    /** Given up before its outcome was known. */
    CANCELLED
}
