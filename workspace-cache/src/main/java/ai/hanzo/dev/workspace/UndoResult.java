package ai.hanzo.dev.workspace;

import java.util.List;

/** How an undo ended. */
public sealed interface UndoResult {

    /**
     * All steps were done.
     *
     * @param changed the paths that were put back or deleted
     * @param kept directories that the agent made and that hold something else by now
     */
    record Done(List<TreePath> changed, List<TreePath> kept) implements UndoResult {
        public Done {
            changed = List.copyOf(changed);
            kept = List.copyOf(kept);
        }
    }

    /**
     * Someone changed these paths meanwhile.
     *
     * @param changed what had been put back before the conflict was seen; empty if it was seen
     *     before the first write
     */
    record Refused(List<UndoPlan.Conflict> conflicts, List<TreePath> changed)
            implements UndoResult {
        public Refused {
            conflicts = List.copyOf(conflicts);
            changed = List.copyOf(changed);
        }
    }
}
