package ai.hanzo.dev.host.core;

/**
 * What can go wrong between the host and a core. The code says whether the session is still alive.
 */
public final class CoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The kinds of failure. The first seven are statuses of the core's ABI. */
    public enum Code {
        /** The session never existed, was closed, or was ended by its deadline. */
        HANDLE,
        /** The core refused the bytes. The session is alive and unchanged. */
        MALFORMED,
        /** An earlier call trapped. Only close works. */
        POISON,
        /** This call trapped. The session is over. */
        PANIC,
        /** A length that the core cannot take. The session is alive and unchanged. */
        NULL,
        /** Another call is inside. The session is alive. */
        BUSY,
        /** No room for another session in the module. */
        FULL,
        /** The call ran past its deadline and was stopped. The session is over. */
        DEADLINE,
        /** The calling thread was interrupted during the call. The session is over. */
        INTERRUPTED,
        /** The module speaks another version of the ABI, or lacks an export. */
        ABI,
        /** The module wants an import that is not offered. */
        IMPORTS,
        /** No module of that digest is here, or a file does not have the digest it should. */
        DIGEST,
        /** The snapshot is of a format newer than the module. */
        VERSION,
        /** The snapshot is not the one that was sealed. */
        FORGED
    }

    private final Code code;

    private CoreException(Code code, String message) {
        super(message);
        this.code = code;
    }

    private CoreException(Code code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    /** What kind of failure it is. */
    public Code code() {
        return code;
    }

    static CoreException gone() {
        return new CoreException(Code.HANDLE, "the session is closed");
    }

    static CoreException stopped() {
        return new CoreException(
                Code.HANDLE, "a call of the session was stopped; restore its last snapshot");
    }

    static CoreException interrupted() {
        return new CoreException(
                Code.INTERRUPTED, "the call was interrupted; restore the session's last snapshot");
    }

    static CoreException malformed(String what) {
        return new CoreException(Code.MALFORMED, "the core refused " + what);
    }

    static CoreException poisoned() {
        return new CoreException(
                Code.POISON, "the session trapped earlier; restore its last snapshot");
    }

    static CoreException panicked(Throwable trap) {
        return new CoreException(
                Code.PANIC,
                "the core trapped (" + trap.getMessage() + "); restore its last snapshot",
                trap);
    }

    static CoreException tooLong(long bytes) {
        return new CoreException(Code.NULL, "the core cannot take " + bytes + " bytes in one call");
    }

    static CoreException busy() {
        return new CoreException(Code.BUSY, "another call is inside this session");
    }

    static CoreException full() {
        return new CoreException(Code.FULL, "the core has no room for another session");
    }

    static CoreException crowded() {
        return new CoreException(Code.FULL, "too many sessions wait for a thread; try again");
    }

    static CoreException pastDeadline(long millis) {
        return new CoreException(
                Code.DEADLINE,
                "the core did not answer within " + millis + " ms; restore its last snapshot");
    }

    static CoreException abi(String what) {
        return new CoreException(Code.ABI, what);
    }

    static CoreException wantsImport(String name) {
        return new CoreException(
                Code.IMPORTS, "the module wants the import " + name + ", which no core may have");
    }

    /** A core that is not compiled into this host. */
    public static CoreException unknownDigest(CoreDigest digest) {
        return new CoreException(
                Code.DIGEST,
                "no core "
                        + digest
                        + " is built into this host; use the release that made the session");
    }

    static CoreException newerSnapshot(int format, int known) {
        return new CoreException(
                Code.VERSION,
                "the snapshot has format "
                        + Integer.toUnsignedString(format)
                        + ", this core reads up to "
                        + known
                        + "; use the release that wrote it");
    }

    static CoreException forged(String session) {
        return new CoreException(
                Code.FORGED,
                "the snapshot of "
                        + session
                        + " is not the one that this host has sealed; replay its journal");
    }
}
