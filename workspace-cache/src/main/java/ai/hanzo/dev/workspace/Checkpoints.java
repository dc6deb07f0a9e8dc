package ai.hanzo.dev.workspace;

import java.nio.file.Path;

/**
 * Takes checkpoints of workspaces, compares them and undoes what lies between two. Any thread may
 * call, a virtual one too: the work runs on a few platform threads of its own, because a system
 * call through java.lang.foreign holds its carrier.
 */
public final class Checkpoints implements AutoCloseable {

    private final BlobStore store;
    private final Path indexDirectory;
    private final int workers;

    /**
     * @param store where the bytes go
     * @param indexDirectory where the stat data of the last checkpoint of each workspace is kept: a
     *     cache, it may be deleted at any time
     * @param workers how many threads read files; the number of cores is a good one
     */
    public Checkpoints(BlobStore store, Path indexDirectory, int workers) {
        this.store = store;
        this.indexDirectory = indexDirectory;
        this.workers = workers;
    }

    /**
     * Records the present state. Costs one stat per entry, and a read of each file whose stat data
     * changed since the last checkpoint of this workspace.
     *
     * @throws WorkspaceException WORKSPACE_MOVED, STORAGE_FULL, PERMISSION (of the root) or IO
     */
    public Checkpoint take(Workspace workspace) {
        return Pending.body(workspace.toString());
    }

    /**
     * What differs between two snapshots, ordered by path.
     *
     * @throws WorkspaceException BLOB_MISSING, BLOB_CORRUPT or SNAPSHOT_UNREADABLE
     */
    public Diff diff(SnapshotId from, SnapshotId to) {
        return Pending.body(from.text() + to.text());
    }

    /**
     * The bytes of a file of a snapshot, verified; of a symbolic link its target. Empty for
     * anything else and for what is not covered.
     */
    public byte[] content(Diff.Entry entry) {
        return Pending.body(entry.toString() + store + indexDirectory + workers);
    }

    /**
     * Works out how to put back {@code before}, given that {@code after} is the last state that the
     * agent left. Writes nothing.
     */
    public UndoPlan planUndo(Workspace workspace, SnapshotId before, SnapshotId after) {
        return Pending.body(workspace.toString() + before + after);
    }

    /**
     * Carries out the plan. With a conflict in the plan, or one found before the first write,
     * nothing is touched. Every path is checked again at the moment it is replaced. After a crash
     * or a full disk a new plan goes on from where this one stopped.
     */
    public UndoResult undo(UndoPlan plan) {
        return Pending.body(plan.toString());
    }

    @Override
    public void close() {}
}
