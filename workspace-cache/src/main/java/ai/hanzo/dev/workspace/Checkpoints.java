package ai.hanzo.dev.workspace;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Takes checkpoints of workspaces, compares them and undoes what lies between two. Any thread may
 * call, a virtual one too: the work runs on a few platform threads of its own, because a system
 * call through java.lang.foreign holds its carrier. Calls for one workspace run one at a time.
 */
public final class Checkpoints implements AutoCloseable {

    private final Clock clock;
    private final BlobStore store;
    private final StatIndex index;
    private final Snapshots snapshots;
    private final FileReaders files = new FileReaders();
    private final ExecutorService callers;
    private final ExecutorService readers;
    private final Map<Path, ReentrantLock> locks = new ConcurrentHashMap<>();

    /**
     * @param store where the bytes go
     * @param indexDirectory where the stat data of the last checkpoint of each workspace is kept: a
     *     cache, it may be deleted at any time
     * @param workers how many threads read files; the number of cores is a good one
     */
    public Checkpoints(BlobStore store, Path indexDirectory, int workers) {
        this(store, indexDirectory, workers, Clock.systemUTC());
    }

    Checkpoints(BlobStore store, Path indexDirectory, int workers, Clock clock) {
        this.store = store;
        this.clock = clock;
        this.index = new StatIndex(indexDirectory, store.id());
        this.snapshots = new Snapshots(store);
        this.readers =
                Executors.newFixedThreadPool(
                        workers, Thread.ofPlatform().daemon().name("workspace-read-", 0).factory());
        this.callers =
                Executors.newCachedThreadPool(
                        Thread.ofPlatform().daemon().name("workspace-scan-", 0).factory());
    }

    /**
     * Records the present state as the first of a session: what is covered follows from the ignore
     * files as they are now.
     *
     * @throws WorkspaceException WORKSPACE_MOVED, STORAGE_FULL, PERMISSION (of the root) or IO
     */
    public Checkpoint begin(Workspace workspace) {
        return exclusively(workspace, () -> scan(workspace, false));
    }

    /**
     * Records the present state. Costs one stat per entry, and a read of each file whose stat data
     * changed since the last checkpoint of this workspace. What the last checkpoint covered stays
     * covered as long as it is there, whatever the ignore files say by now.
     *
     * @throws WorkspaceException WORKSPACE_MOVED, STORAGE_FULL, PERMISSION (of the root) or IO
     */
    public Checkpoint take(Workspace workspace) {
        return exclusively(workspace, () -> scan(workspace, true));
    }

    private Checkpoint scan(Workspace workspace, boolean keepsCover) {
        Node old = index.load(workspace);
        Instant now = clock.instant();
        long nanos = now.getEpochSecond() * 1_000_000_000L + now.getNano();
        try (Root root = Root.open(workspace);
                BlobStore.Batch batch = store.batch()) {
            Scan scan = new Scan(batch, readers, files, keepsCover, nanos);
            Node tree = scan.run(root.fd(), root.stat, old);
            batch.commit();
            if (isNew(old, tree)) {
                index.save(workspace, tree);
            }
            return scan.checkpoint(new SnapshotId(tree.hash(), tree.record()), batch.newBytes());
        }
    }

    // Stat data may differ with an equal record: change times, and entries that settled.
    private static boolean isNew(@Nullable Node old, Node tree) {
        return old == null || !old.record().equals(tree.record()) || !hasSameStats(old, tree);
    }

    private static boolean hasSameStats(Node a, Node b) {
        if (a.children.size() != b.children.size()) {
            return false;
        }
        for (int i = 0; i < a.children.size(); i++) {
            Node x = a.children.get(i);
            Node y = b.children.get(i);
            boolean same =
                    x.isFile()
                            ? x.ctime == y.ctime && x.inode == y.inode && x.isSettled == y.isSettled
                            : !x.isDirectory() || hasSameStats(x, y);
            if (!same) {
                return false;
            }
        }
        return true;
    }

    /**
     * What differs between two snapshots, ordered by path.
     *
     * @throws WorkspaceException BLOB_MISSING, BLOB_CORRUPT or SNAPSHOT_UNREADABLE
     */
    public Diff diff(SnapshotId from, SnapshotId to) {
        Snapshots.Comparison c = snapshots.compare(from, to);
        return new Diff(c.differences().stream().map(Snapshots::change).toList(), c.ignored());
    }

    /**
     * Reads a whole snapshot: each of its directories and files is there and has the content that
     * its name says. What is in {@code seen} is not read again, and what was read is added to it.
     *
     * @throws WorkspaceException BLOB_MISSING, BLOB_CORRUPT or SNAPSHOT_UNREADABLE
     */
    public void verify(SnapshotId snapshot, Set<Digest> seen) {
        snapshots.verify(snapshot, seen);
    }

    /**
     * Adds what a snapshot consists of to {@code found}, without reading the files in it. What is
     * in {@code found} already is not looked into again.
     *
     * @throws WorkspaceException BLOB_MISSING, BLOB_CORRUPT or SNAPSHOT_UNREADABLE
     */
    public void collect(SnapshotId snapshot, Set<Digest> found) {
        snapshots.collect(snapshot, found);
    }

    /**
     * Adds what the next checkpoints take for stored, because the last ones found it so. Forgets
     * that of workspaces that are not in {@code kept} and have not been looked at for {@code age}.
     *
     * @throws WorkspaceException PERMISSION or IO
     */
    public void collectIndexed(Set<Workspace> kept, Duration age, Set<Digest> found) {
        try {
            index.forEach(root -> collect(root, found));
            index.forget(kept, clock.instant().minus(age));
        } catch (IOException e) {
            throw WorkspaceException.io("the index of workspaces", e);
        }
    }

    private static void collect(Node node, Set<Digest> found) {
        if (node.isFile()) {
            found.add(node.hash());
        }
        if (node.isDirectory()) {
            found.add(node.record());
            node.children.forEach(child -> collect(child, found));
        }
    }

    /**
     * The bytes of a file of a snapshot, verified; of a symbolic link its target. Empty for
     * anything else and for what is not covered.
     *
     * @throws WorkspaceException BLOB_MISSING or BLOB_CORRUPT
     */
    public byte[] content(Diff.Entry entry) {
        return entry.hash()
                .map(store::get)
                .or(() -> entry.target().map(t -> t.getBytes(StandardCharsets.UTF_8)))
                .orElseGet(() -> new byte[0]);
    }

    /**
     * Works out how to put back {@code before}, given that {@code after} is the last state that the
     * agent left. Writes nothing.
     *
     * @throws WorkspaceException as for {@link #take} and {@link #diff}
     */
    public UndoPlan planUndo(Workspace workspace, SnapshotId before, SnapshotId after) {
        return planUndo(workspace, before, after, UndoPlan.Others.NONE);
    }

    /**
     * The same, when others have changed something between the two snapshots.
     *
     * @throws WorkspaceException as for {@link #take} and {@link #diff}
     */
    public UndoPlan planUndo(
            Workspace workspace, SnapshotId before, SnapshotId after, UndoPlan.Others others) {
        return exclusively(
                workspace,
                () -> {
                    try (Root root = Root.open(workspace)) {
                        return new Planner(root, files, snapshots.compare(before, after), others)
                                .plan(workspace, before, after);
                    }
                });
    }

    /**
     * Carries out the plan. With a conflict in the plan, or one found before the first write,
     * nothing is touched. Every path is checked again at the moment it is replaced. After a crash
     * or a full disk a new plan goes on from where this one stopped.
     *
     * @throws WorkspaceException as for {@link #take} and {@link #diff}; bytes that are missing or
     *     damaged are found before the first write
     */
    public UndoResult undo(UndoPlan plan) {
        return exclusively(
                plan.workspace(),
                () -> {
                    try (Root root = Root.open(plan.workspace())) {
                        Planner planner =
                                new Planner(
                                        root,
                                        files,
                                        snapshots.compare(plan.before(), plan.after()),
                                        plan.others());
                        UndoPlan fresh =
                                planner.plan(plan.workspace(), plan.before(), plan.after());
                        if (!fresh.conflicts().isEmpty()) {
                            return new UndoResult.Refused(fresh.conflicts(), java.util.List.of());
                        }
                        return new Undo(root, files, store, plan.workspace()).run(planner.work());
                    }
                });
    }

    private <T> T exclusively(Workspace workspace, Callable<T> work) {
        Future<T> future =
                callers.submit(() -> {
                    ReentrantLock lock =
                            locks.computeIfAbsent(workspace.path(), _ -> new ReentrantLock());
                    lock.lockInterruptibly();
                    try {
                        return work.call();
                    } finally {
                        lock.unlock();
                    }
                });
        try {
            return future.get();
        } catch (InterruptedException _) {
            future.cancel(true);
            Thread.currentThread().interrupt();
            throw WorkspaceException.interrupted();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof WorkspaceException w) {
                throw w;
            }
            if (e.getCause() instanceof InterruptedException) {
                throw WorkspaceException.interrupted();
            }
            throw new IllegalStateException(
                    "the work on " + workspace.path() + " failed", e.getCause());
        }
    }

    @Override
    public void close() {
        callers.shutdownNow();
        readers.shutdownNow();
    }
}
