package ai.hanzo.dev.host.backup;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A backup cannot be written or read. The message says why and what to do, in a sentence. */
public final class BackupException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Code code;

    private BackupException(Code code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    /** What kind of trouble it is. */
    public enum Code {
        /** Where the backup is to be, or to go, cannot be used. */
        PLACE,
        /** The file is no backup that this release can read. */
        FILE
    }

    /** What kind of trouble it is. */
    public Code code() {
        return code;
    }

    static BackupException place(Path file, String why, @Nullable Throwable cause) {
        return new BackupException(
                Code.PLACE,
                "The backup " + file + " cannot be written: " + why + "; name another place.",
                cause);
    }

    static BackupException notEmpty(Path state) {
        return new BackupException(
                Code.PLACE,
                "The state directory "
                        + state
                        + " is not empty: restore into a new one, with HANZO_HOME.",
                null);
    }

    static BackupException file(Path file, String why, @Nullable Throwable cause) {
        return new BackupException(
                Code.FILE, "The backup " + file + " cannot be restored: " + why + ".", cause);
    }
}
