package ai.hanzo.dev.sandbox;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The lease or the supervisor is broken. The message is one sentence that says what to do next. */
public final class CellException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Whose fault it is, and so what the caller does. */
    public enum Code {
        /** No supervisor, and none could be started; or it went away. Its cells died with it. */
        SUPERVISOR_GONE,
        /** The cell ended, or its channel broke. What was in flight is in doubt. */
        CELL_LOST,
        /** Somebody holds a higher epoch. Stop; write nothing. */
        FENCED,
        /** The other side broke the protocol; the lease was dropped. In flight: in doubt. */
        PROTOCOL,
        /** No answer in time. The request may have been done. */
        TIMEOUT,
        /** This machine cannot give the confinement that was required. */
        NOT_ENFORCED,
        /** The supervisor would not do it: a bad path, a full queue. */
        REFUSED,
        /** The supervisor has as many cells as it may. Nothing happened; end one that is unused. */
        FULL,
        /** The waiting thread was interrupted. The request may have been done. */
        INTERRUPTED,
        /** The lease or the client was closed here. */
        CLOSED,
        /** Needs Linux on x86_64, or the build lacks the native part. */
        UNSUPPORTED
    }

    private final Code code;

    private CellException(Code code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.code = requireNonNull(code, "code");
    }

    public Code code() {
        return code;
    }

    /** The same failure, thrown anew so that the stack is the caller's. */
    CellException again() {
        return new CellException(code, String.valueOf(getMessage()), this);
    }

    static CellException supervisorGone(String why) {
        return new CellException(Code.SUPERVISOR_GONE, why, null);
    }

    static CellException supervisorGone(String why, Throwable cause) {
        return new CellException(Code.SUPERVISOR_GONE, why, cause);
    }

    static CellException cellLost(String why) {
        return new CellException(Code.CELL_LOST, why, null);
    }

    static CellException fenced(String why) {
        return new CellException(Code.FENCED, why, null);
    }

    static CellException protocol(String what) {
        return new CellException(Code.PROTOCOL, what, null);
    }

    static CellException protocol(String what, Throwable cause) {
        return new CellException(Code.PROTOCOL, what, cause);
    }

    static CellException timeout(String what, Duration after) {
        return new CellException(
                Code.TIMEOUT,
                "%s gave no answer within %d ms".formatted(what, after.toMillis()),
                null);
    }

    static CellException notEnforced(String why) {
        return new CellException(Code.NOT_ENFORCED, why, null);
    }

    static CellException refused(String why) {
        return new CellException(Code.REFUSED, why, null);
    }

    static CellException full(String why) {
        return new CellException(Code.FULL, why, null);
    }

    static CellException closed(String what) {
        return new CellException(Code.CLOSED, what + " was closed", null);
    }

    static CellException interrupted(String what) {
        Thread.currentThread().interrupt();
        return new CellException(Code.INTERRUPTED, what + " was interrupted", null);
    }

    static CellException unsupported(String why) {
        return new CellException(Code.UNSUPPORTED, why, null);
    }

    static CellException unsupported(String why, Throwable cause) {
        return new CellException(Code.UNSUPPORTED, why, cause);
    }
}
