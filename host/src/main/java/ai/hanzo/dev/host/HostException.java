package ai.hanzo.dev.host;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The host cannot start. The message is one sentence with the next step. */
public final class HostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why. */
    public enum Code {
        ALREADY_RUNS,
        STATE_DIRECTORY,
        /** The organisation's key cannot be used. */
        KEY,
        /** A setting has a value that cannot be. */
        SETTING
    }

    private final Code code;

    private HostException(Code code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    /** Why. */
    public Code code() {
        return code;
    }

    static HostException alreadyRuns(Path home) {
        return new HostException(
                Code.ALREADY_RUNS,
                "A host already works in "
                        + home
                        + "; use it, stop it with hanzo dev host stop, or set HANZO_HOME to another"
                        + " directory.",
                null);
    }

    /**
     * @param why a clause that ends with what to do
     */
    static HostException key(Path file, String why) {
        return new HostException(
                Code.KEY, "The organisation's key " + file + " cannot be used: " + why + ".", null);
    }

    static HostException setting(String name, String value, String what) {
        return new HostException(
                Code.SETTING, name + " is '" + value + "'; it has to be " + what + ".", null);
    }

    static HostException stateDirectory(Path home, Throwable cause) {
        return new HostException(
                Code.STATE_DIRECTORY,
                "The state directory "
                        + home
                        + " cannot be used ("
                        + cause
                        + "); make it writable, or set HANZO_HOME to another directory.",
                cause);
    }
}
