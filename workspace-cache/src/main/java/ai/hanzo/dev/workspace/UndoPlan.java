package ai.hanzo.dev.workspace;

import java.util.List;
import java.util.Set;

/**
 * What an undo would do.
 *
 * @param others what is not the agent's to be put back
 * @param steps in the order in which they are done; empty if nothing is to be done
 * @param conflicts if there is one, undo touches nothing
 * @param left paths that differ and that undo leaves alone, being ignored or not covered
 */
public record UndoPlan(
        Workspace workspace,
        SnapshotId before,
        SnapshotId after,
        Others others,
        List<Step> steps,
        List<Conflict> conflicts,
        List<TreePath> left) {

    public UndoPlan {
        steps = List.copyOf(steps);
        conflicts = List.copyOf(conflicts);
        left = List.copyOf(left);
    }

    /**
     * Paths that somebody else changed between the two snapshots.
     *
     * @param only changed by nobody but them: left alone
     * @param both changed by the agent, too: conflicts
     */
    public record Others(Set<TreePath> only, Set<TreePath> both) {
        /** Nobody but the agent changed anything. */
        public static final Others NONE = new Others(Set.of(), Set.of());

        public Others {
            only = Set.copyOf(only);
            both = Set.copyOf(both);
        }
    }

    /** One path that undo changes. */
    public record Step(TreePath path, Act act) {}

    /** What is done to a path. */
    public enum Act {
        /** Delete what the agent made; a directory only once it is empty. */
        DELETE,
        /** Put a file, link or directory back that the agent deleted. */
        CREATE,
        /** Put earlier bytes back. */
        RESTORE,
        /** Put earlier permission bits back. */
        MODE
    }

    /**
     * A path that is not as the agent left it, so that undo would destroy someone's work.
     *
     * @param sentence for the user
     */
    public record Conflict(TreePath path, String sentence) {}
}
