package ai.hanzo.dev.host.secret;

import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.SessionId;

/** A body cannot be read. The message is one sentence with the next step. */
public final class SecretException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Code code;

    private SecretException(Code code, String message) {
        super(message);
        this.code = code;
    }

    /** Why. */
    public enum Code {
        /** The session's key was wrapped by another key of the organisation. */
        KEY,
        /** A body is not there. */
        MISSING,
        /** A body is not as it was sealed. */
        CHANGED
    }

    /** Why. */
    public Code code() {
        return code;
    }

    static SecretException key(SessionId session) {
        return new SecretException(
                Code.KEY,
                "The bodies of session "
                        + session
                        + " were sealed under another key of the organisation; put the former"
                        + " keys/org.key back, or restore it from a backup, and restart the host.");
    }

    static SecretException missing(Sha256 name) {
        return new SecretException(
                Code.MISSING,
                "The body " + name.toHex() + " is missing; restore the session from a backup.");
    }

    static SecretException changed(Sha256 name) {
        return new SecretException(
                Code.CHANGED,
                "The body "
                        + name.toHex()
                        + " is not what was sealed; restore the session from a backup.");
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
