package ai.hanzo.dev.workspace;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The result of {@link Checkpoints#take}.
 *
 * @param id names the state; {@link SnapshotId#text()} is what to store
 * @param files regular files that are covered
 * @param hashedFiles how many of them had to be read, the others being unchanged by their stat data
 * @param newBytes bytes written to the store
 * @param notCovered what undo will not restore, at most {@link #LISTED} of them
 * @param notCoveredCount how many there are in all
 */
public record Checkpoint(
        SnapshotId id,
        long files,
        long hashedFiles,
        long newBytes,
        List<NotCovered> notCovered,
        long notCoveredCount) {

    /** Length of the longest list. */
    public static final int LISTED = 1000;

    public Checkpoint {
        notCovered = List.copyOf(notCovered);
    }

    /** Something in the tree whose bytes are not in the store. */
    public record NotCovered(TreePath path, Cause cause, long sizeBytes) {}

    /** Why something is not covered. */
    public enum Cause {
        /** A file over 64 MiB. */
        TOO_BIG(1),
        /** The host may not read it. */
        UNREADABLE(2),
        /** A FIFO, socket or device. */
        SPECIAL(3),
        /** Another file system is mounted there. */
        MOUNT(4),
        /** Deeper than 512 directories. */
        TOO_DEEP(5);

        /** Stands for it in snapshots and in the stat index. */
        final byte code;

        Cause(int code) {
            this.code = (byte) code;
        }

        static Optional<Cause> of(byte code) {
            return Arrays.stream(values()).filter(c -> c.code == code).findFirst();
        }
    }
}
