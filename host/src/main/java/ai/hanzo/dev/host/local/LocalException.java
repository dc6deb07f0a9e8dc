package ai.hanzo.dev.host.local;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The local host cannot be found, started or ended. The message is a sentence with the next step.
 */
public final class LocalException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Why. */
    public enum Code {
        HOME,
        START,
        SERVICES,
        ALREADY_RUNS,
        STOP,
        PORT
    }

    private final Code code;

    private LocalException(Code code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    public Code code() {
        return code;
    }

    public static LocalException home(Path home, String why, @Nullable Throwable cause) {
        return new LocalException(
                Code.HOME,
                "The state directory "
                        + home
                        + " cannot be used: "
                        + why
                        + ". Mend that, or set HANZO_HOME to another directory.",
                cause);
    }

    static LocalException notStarted(Path log, String why) {
        return new LocalException(
                Code.START,
                "The local host did not start: " + why + " Its log is " + log + ".",
                null);
    }

    static LocalException notReady(long pid, String why, Path log) {
        return new LocalException(
                Code.START,
                "The local host runs (pid "
                        + pid
                        + "), but "
                        + why
                        + ". Its log is "
                        + log
                        + "; hanzo dev host stop ends it, and the next command starts another.",
                null);
    }

    static LocalException noToken(Path file) {
        return new LocalException(
                Code.START,
                "The token of the local host cannot be read from "
                        + file
                        + ". Stop the host with hanzo dev host stop; the next one writes it again.",
                null);
    }

    static LocalException tokenFile(Path file, String why) {
        return new LocalException(
                Code.START, "The token file " + file + " cannot be used: " + why + ".", null);
    }

    static LocalException notStopped(long pid, Duration waited) {
        return new LocalException(
                Code.STOP,
                "The host (pid "
                        + pid
                        + ") did not end within "
                        + waited.toSeconds()
                        + " s. Its sessions are safe: end it with kill -9 "
                        + pid
                        + " and start again.",
                null);
    }

    /** Something that a host leaves running does not end. */
    public static LocalException notEnded(String what, Throwable cause) {
        return new LocalException(
                Code.STOP,
                what
                        + " did not end ("
                        + cause.getMessage()
                        + "). Say hanzo dev host stop --all again.",
                cause);
    }

    /** Another process is the host of the directory. */
    public static LocalException alreadyRuns(Throwable cause) {
        return new LocalException(Code.ALREADY_RUNS, String.valueOf(cause.getMessage()), cause);
    }

    /** The services of a host cannot be opened; {@code sentence} says why and what to do. */
    public static LocalException notOpened(String sentence, Throwable cause) {
        return new LocalException(Code.SERVICES, sentence, cause);
    }

    public static LocalException portTaken(String message) {
        return new LocalException(Code.PORT, message, null);
    }
}
