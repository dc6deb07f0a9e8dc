package ai.hanzo.dev.sandbox;

import static java.util.Objects.requireNonNull;

import ai.hanzo.dev.protocol.Sha256;
import java.util.List;
import java.util.Optional;

/**
 * What became of a change of files.
 *
 * @param op which request it was
 * @param files as they are on disk after it: one of a write, one for each change of an apply in
 *     order, none otherwise
 * @param failure set when it began but did not end as asked; the message says what is changed
 */
public record FileOutcome(FileOp op, List<ChangedFile> files, Optional<Failure> failure)
        implements CellOutcome {

    /** The requests that change files. */
    public enum FileOp {
        WRITE,
        APPLY,
        REMOVE,
        RENAME,
        MKDIR
    }

    /**
     * One changed file.
     *
     * @param sha256 of what is there now; empty when it was removed or is a directory
     * @param sizeBytes 0 when it is gone
     * @param mode permission bits as they are on disk
     * @param isNew nothing was there before
     */
    public record ChangedFile(Optional<Sha256> sha256, long sizeBytes, int mode, boolean isNew) {
        public ChangedFile {
            requireNonNull(sha256, "sha256");
        }
    }

    /** Why it did not end as asked. */
    public record Failure(RefusalCode code, String message) {
        public Failure {
            requireNonNull(code, "code");
            requireNonNull(message, "message");
        }
    }

    public FileOutcome {
        requireNonNull(op, "op");
        files = List.copyOf(files);
        requireNonNull(failure, "failure");
    }

    public boolean succeeded() {
        return failure.isEmpty();
    }
}
