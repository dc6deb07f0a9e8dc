package ai.hanzo.dev.ledger;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The database could not do it. The message says what to do about it. */
public final class LedgerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Code code;

    private LedgerException(Code code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    /** What kind of trouble it is. */
    public enum Code {
        /** The database cannot be reached; the same call may work later. */
        DATABASE_GONE,
        /** The connection broke during a commit: look before doing it again. */
        UNKNOWN_OUTCOME,
        /** The disk is full. */
        STORAGE_FULL,
        /** Two writers collided; the same call may work at once. */
        CONFLICT,
        /** What is stored is not what was written. */
        CORRUPT,
        /** The data belong to another version of PostgreSQL or of this program. */
        WRONG_VERSION,
        /** The embedded PostgreSQL cannot be started. */
        CANNOT_START,
        /** The database refused what we asked: a fault of ours. */
        REFUSED,
        /** The store was closed. */
        CLOSED
    }

    /** What kind of trouble it is. */
    public Code code() {
        return code;
    }

    /** Whether the same call may simply be made again. */
    public boolean isRetryable() {
        return switch (code) {
            case DATABASE_GONE, CONFLICT, STORAGE_FULL -> true;
            case UNKNOWN_OUTCOME, CORRUPT, WRONG_VERSION, CANNOT_START, REFUSED, CLOSED -> false;
        };
    }

    /** The text of the cause, for the log. */
    public Optional<String> detail() {
        return Optional.ofNullable(getCause()).map(Throwable::getMessage);
    }

    public static LedgerException databaseGone(String where, Throwable cause) {
        return new LedgerException(
                Code.DATABASE_GONE,
                "The database at " + where + " does not answer; start it, or check --db.",
                cause);
    }

    public static LedgerException unknownOutcome(Throwable cause) {
        return new LedgerException(
                Code.UNKNOWN_OUTCOME,
                "The database went away during a commit; read the journal to see whether it was"
                        + " kept.",
                cause);
    }

    public static LedgerException storageFull(Throwable cause) {
        return new LedgerException(
                Code.STORAGE_FULL,
                "The disk of the database is full; free some space, then do it again. Nothing was"
                        + " lost.",
                cause);
    }

    public static LedgerException conflict(Throwable cause) {
        return new LedgerException(
                Code.CONFLICT, "Two writers collided in the database; do it again.", cause);
    }

    public static LedgerException corrupt(String what) {
        return new LedgerException(
                Code.CORRUPT, what + " Restore it from a backup, or move it away.", null);
    }

    public static LedgerException wrongVersion(String what) {
        return new LedgerException(Code.WRONG_VERSION, what, null);
    }

    public static LedgerException cannotStart(String what, @Nullable Throwable cause) {
        return new LedgerException(Code.CANNOT_START, what, cause);
    }

    public static LedgerException refused(Throwable cause) {
        return new LedgerException(
                Code.REFUSED,
                "The database refused a statement; this is a fault of hanzo: report it with the"
                        + " log.",
                cause);
    }

    public static LedgerException closed() {
        return new LedgerException(Code.CLOSED, "The ledger is closed.", null);
    }
}
