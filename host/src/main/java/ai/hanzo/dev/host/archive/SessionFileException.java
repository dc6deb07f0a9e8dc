package ai.hanzo.dev.host.archive;

/** A file is no session file that this release can read. The message says why, in a sentence. */
public final class SessionFileException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Code code;

    private SessionFileException(Code code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    private SessionFileException(Code code, String message) {
        super(message);
        this.code = code;
    }

    /** What kind of trouble it is. */
    public enum Code {
        /** Something else than a session file. */
        OTHER,
        /** Written by a newer release. */
        NEWER,
        /** Its end is missing. */
        CUT_SHORT,
        /** It is not as it was written. */
        DAMAGED
    }

    /** What kind of trouble it is. */
    public Code code() {
        return code;
    }

    static SessionFileException other() {
        return new SessionFileException(
                Code.OTHER,
                "The file is not a session file: it does not begin like one of hanzo dev export.");
    }

    static SessionFileException newer(int version) {
        return new SessionFileException(
                Code.NEWER,
                "The file has format "
                        + version
                        + " and this hanzo reads up to "
                        + SessionFile.VERSION
                        + ": import it with a newer hanzo.");
    }

    static SessionFileException cutShort(Throwable cause) {
        return new SessionFileException(
                Code.CUT_SHORT, "The file is cut short: export the session again.", cause);
    }

    static SessionFileException damaged(String what) {
        return new SessionFileException(Code.DAMAGED, damage(what));
    }

    static SessionFileException damaged(String what, Throwable cause) {
        return new SessionFileException(Code.DAMAGED, damage(what), cause);
    }

    private static String damage(String what) {
        return "The file is damaged (" + what + "): copy it again, or export the session again.";
    }
}
