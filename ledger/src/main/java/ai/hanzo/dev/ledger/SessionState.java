package ai.hanzo.dev.ledger;

/** The state of a session as its users see it. */
public enum SessionState {
    /** Nothing to do. */
    IDLE,
    /** A turn is under way. */
    RUNNING,
    /** Nothing goes on until somebody approves or denies. */
    WAITING_APPROVAL,
    /** Nothing goes on until somebody answers, or a key is given. */
    WAITING_INPUT,
    /** A provider said: later. */
    WAITING_QUOTA,
    /** Put away: no lease, no cell, no thread. */
    SUSPENDED,
    /** Ended by its user. */
    STOPPED,
    /** Cannot go on. */
    FAILED;

    /** Whether it takes no more entries for good. */
    public boolean isFinal() {
        return this == STOPPED || this == FAILED;
    }

    /** Whether it holds its workspace against other writing sessions. */
    public boolean holdsWorkspace() {
        return switch (this) {
            case RUNNING, WAITING_APPROVAL, WAITING_INPUT, WAITING_QUOTA -> true;
            case IDLE, SUSPENDED, STOPPED, FAILED -> false;
        };
    }
}
