package ai.hanzo.dev.workspace;

import java.util.List;
import java.util.Optional;

/**
 * What differs between two snapshots.
 *
 * @param changes ordered by path
 * @param ignored directories and files ignored by git in which something changed; never restored
 */
public record Diff(List<Change> changes, List<TreePath> ignored) {

    public Diff {
        changes = List.copyOf(changes);
        ignored = List.copyOf(ignored);
    }

    /**
     * One path that differs. A path that turned from a file into a directory is one change of kind
     * TYPE, followed by ADDED ones for what is in the directory.
     */
    public record Change(TreePath path, Kind kind, Optional<Entry> before, Optional<Entry> after) {}

    /** How a path differs. */
    public enum Kind {
        ADDED,
        REMOVED,
        MODIFIED,
        /** Only the permission bits. */
        MODE,
        TYPE
    }

    /**
     * One side of a change.
     *
     * @param mode the low 12 bits of {@code st_mode}
     * @param sizeBytes of a file its length, of a link the length of its target, else 0
     * @param hash of a covered file
     * @param target of a symbolic link, in UTF-8 or rendered with {@code \xNN}
     * @param modifiedNanos modification time, nanoseconds since 1970
     */
    public record Entry(
            Type type,
            int mode,
            long sizeBytes,
            Optional<Digest> hash,
            Optional<String> target,
            long modifiedNanos) {}

    /** What a path is. */
    public enum Type {
        FILE,
        DIRECTORY,
        SYMLINK,
        /** Named in the snapshot, its bytes not stored. */
        NOT_COVERED
    }
}
