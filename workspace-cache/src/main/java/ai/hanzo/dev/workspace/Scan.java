package ai.hanzo.dev.workspace;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * One reading of a tree: a walk by one thread that stats every entry, and readers that hash what
 * changed. Used once.
 *
 * <p>A file is taken for unchanged if size, modification time, change time and inode are those of
 * the last scan and were old enough then: a file that was changed within the same tick of the clock
 * as it was read could be changed again without a trace, so it is read again next time (git calls
 * such entries racy).
 */
final class Scan {

    /** Deeper directories are named as not covered: one descriptor is open per level. */
    static final int MAX_DEPTH = 512;

    /** Files per task of a reader. */
    private static final int CHUNK = 64;

    /** Tasks under way at once; each holds one descriptor of a directory. */
    private static final int MAX_TASKS = 64;

    /** Ticks of the clock that file systems use are 1 to 10 ms (CONFIG_HZ 1000 to 100). */
    private static final long FINE_SLACK_NANOS = 50_000_000;

    /** FAT, ext3 and some network file systems count in seconds. */
    private static final long COARSE_SLACK_NANOS = 2_500_000_000L;

    private static final byte[] GIT = ".git".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] GITIGNORE = ".gitignore".getBytes(StandardCharsets.US_ASCII);

    private final Sys sys = new Sys();
    private final BlobStore.Batch batch;
    private final ExecutorService readers;
    private final FileReaders files;
    private final boolean keepsCover;
    private final long startNanos;
    private final Semaphore slots = new Semaphore(MAX_TASKS);
    private final List<Future<?>> tasks = new ArrayList<>();
    private final List<Checkpoint.NotCovered> notCovered = new ArrayList<>();
    private long notCoveredCount;
    private long fileCount;
    private long hashedCount;
    private long device;
    private long mount;

    /**
     * @param keepsCover whether what the last scan covered stays covered although it is ignored now
     * @param startNanos the clock's time now, nanoseconds since 1970
     */
    Scan(
            BlobStore.Batch batch,
            ExecutorService readers,
            FileReaders files,
            boolean keepsCover,
            long startNanos) {
        this.batch = batch;
        this.readers = readers;
        this.files = files;
        this.keepsCover = keepsCover;
        this.startNanos = startNanos;
    }

    /** The .gitignore files from the root down to a directory. */
    private record Ignores(@Nullable Ignores above, IgnoreFile file, int prefix) {

        boolean isIgnored(String path, String name, boolean isDirectory) {
            for (Ignores i = this; i != null; i = i.above) {
                switch (i.file.ask(path.substring(i.prefix), name, isDirectory)) {
                    case IGNORED -> {
                        return true;
                    }
                    case KEPT -> {
                        return false;
                    }
                    case NOTHING -> {}
                }
            }
            return false;
        }
    }

    /**
     * Where the walk is. {@code path} ends with a slash, or is empty at the root; one char a byte.
     */
    private record Place(String path, Ignores ignores, boolean isIgnored, int depth) {}

    /** Reads the tree below the open directory {@code root}. */
    Node run(int root, Sys.Stat rootStat, @Nullable Node old) {
        device = rootStat.device();
        mount = rootStat.mount();
        Node node = Node.of(new byte[0], Node.DIRECTORY, rootStat);
        Ignores none = new Ignores(null, IgnoreFile.EMPTY, 0);
        try {
            walk(root, node, old, new Place("", none, false, 0));
        } finally {
            await();
        }
        finish(node, old, TreePath.ROOT);
        return node;
    }

    Checkpoint checkpoint(SnapshotId id, long newBytes) {
        return new Checkpoint(id, fileCount, hashedCount, newBytes, notCovered, notCoveredCount);
    }

    private void await() {
        WorkspaceException failure = null;
        for (Future<?> task : tasks) {
            try {
                task.get();
            } catch (ExecutionException e) {
                if (e.getCause() instanceof WorkspaceException w) {
                    failure = w;
                } else {
                    throw new IllegalStateException("a reader failed", e.getCause());
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                failure = WorkspaceException.interrupted();
                break;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private void walk(int fd, Node node, @Nullable Node old, Place place) {
        List<byte[]> names = new ArrayList<>();
        int error = sys.list(fd, names);
        if (error < 0) {
            node.notCovered(Checkpoint.Cause.UNREADABLE);
            return;
        }
        names.sort(Arrays::compareUnsigned);
        Place here = withIgnoreFile(fd, node, old, names, place);
        List<Node> children = new ArrayList<>(names.size());
        List<Node.Ignored> ignored = new ArrayList<>();
        List<Node> toRead = new ArrayList<>();
        int at = 0;
        for (byte[] name : names) {
            Node before = null;
            while (old != null && at < old.children.size()) {
                int order = Arrays.compareUnsigned(old.children.get(at).name, name);
                if (order > 0) {
                    break;
                }
                Node candidate = old.children.get(at++);
                if (order == 0) {
                    before = candidate;
                    break;
                }
            }
            if (sys.stat(fd, name) < 0) {
                continue; // gone since it was listed
            }
            Sys.Stat stat = sys.found();
            if (isLeftAlone(name, stat, before, here)) {
                ignored.add(
                        new Node.Ignored(TreePath.ROOT.child(name), summary(fd, name, stat, 0)));
                continue;
            }
            Node child = entry(fd, name, stat, before, here);
            children.add(child);
            if (child.isFile() && child.hash == null) {
                toRead.add(child);
            }
        }
        node.children = children;
        node.ignored = ignored;
        submit(fd, toRead);
    }

    private boolean isLeftAlone(byte[] name, Sys.Stat stat, @Nullable Node before, Place here) {
        if (Arrays.equals(name, GIT)) {
            return true;
        }
        if (keepsCover && before != null) {
            return false;
        }
        if (here.isIgnored()) {
            return true;
        }
        String text = new String(name, StandardCharsets.ISO_8859_1);
        return here.ignores().isIgnored(here.path() + text, text, stat.isDirectory());
    }

    private Node entry(int fd, byte[] name, Sys.Stat stat, @Nullable Node before, Place here) {
        if (stat.device() != device || (mount != 0 && stat.mount() != mount)) {
            return uncovered(name, stat, Checkpoint.Cause.MOUNT);
        }
        if (stat.isDirectory()) {
            return directory(fd, name, stat, before, here);
        }
        if (stat.isLink()) {
            Node link = Node.of(name, Node.LINK, stat);
            byte[] target = sys.readLink(fd, name);
            link.target = target == null ? new byte[0] : target;
            link.size = link.target().length;
            link.isGone = target == null;
            return link;
        }
        if (!stat.isFile()) {
            return uncovered(name, stat, Checkpoint.Cause.SPECIAL);
        }
        if (stat.size() > FileReaders.MAX_BYTES) {
            return uncovered(name, stat, Checkpoint.Cause.TOO_BIG);
        }
        Node file = Node.of(name, Node.FILE, stat);
        file.isSettled = isSettled(stat.ctime());
        if (before != null && file.isUnchangedSince(before)) {
            file.hash = before.hash;
        }
        return file;
    }

    private Node directory(int fd, byte[] name, Sys.Stat stat, @Nullable Node before, Place here) {
        Node node = Node.of(name, Node.DIRECTORY, stat);
        if (here.depth() + 1 >= MAX_DEPTH) {
            node.notCovered(Checkpoint.Cause.TOO_DEEP);
            return node;
        }
        int child = sys.openDirectory(fd, name);
        if (child < 0) {
            if (child == -Sys.EACCES || child == -Sys.EPERM) {
                node.notCovered(Checkpoint.Cause.UNREADABLE);
            } else if (child == -Sys.ENOENT || child == -Sys.ENOTDIR || child == -Sys.ELOOP) {
                node.isGone = true; // swapped for something else meanwhile
            } else {
                throw WorkspaceException.of(
                        "the directory " + here.path() + TreePath.render(name), -child);
            }
            return node;
        }
        try {
            boolean same = sys.stat(child, new byte[0]) >= 0 && sys.found().isSameFile(stat);
            if (!same) {
                node.isGone = true;
                return node;
            }
            String text = new String(name, StandardCharsets.ISO_8859_1);
            boolean ignored =
                    here.isIgnored() || here.ignores().isIgnored(here.path() + text, text, true);
            Node was = before != null && before.isDirectory() ? before : null;
            walk(
                    child,
                    node,
                    was,
                    new Place(here.path() + text + "/", here.ignores(), ignored, here.depth() + 1));
        } finally {
            sys.close(child);
        }
        return node;
    }

    private static Node uncovered(byte[] name, Sys.Stat stat, Checkpoint.Cause cause) {
        Node node = Node.of(name, Node.NOT_COVERED, stat);
        node.notCovered(cause);
        return node;
    }

    private boolean isSettled(long ctime) {
        long slack = ctime % 1_000_000 == 0 ? COARSE_SLACK_NANOS : FINE_SLACK_NANOS;
        return ctime < startNanos - slack;
    }

    private Place withIgnoreFile(
            int fd, Node node, @Nullable Node old, List<byte[]> names, Place place) {
        IgnoreFile file = IgnoreFile.EMPTY;
        boolean named = names.stream().anyMatch(n -> Arrays.equals(n, GITIGNORE));
        if (named && sys.stat(fd, GITIGNORE) >= 0 && sys.found().isFile()) {
            Sys.Stat stat = sys.found();
            long token = Node.token(stat.inode(), stat.size(), stat.mtime(), stat.ctime());
            IgnoreFile known = old == null ? null : old.ignoreFile;
            file =
                    known != null && known.token == token && isSettled(stat.ctime())
                            ? known
                            : files.ignoreFile(sys, fd, GITIGNORE, token);
        }
        node.ignoreFile = file;
        if (file.isEmpty()) {
            return place;
        }
        Ignores ignores = new Ignores(place.ignores(), file, place.path().length());
        return new Place(place.path(), ignores, place.isIgnored(), place.depth());
    }

    /** A number that changes when anything in an ignored entry does; order plays no part in it. */
    private long summary(int fd, byte[] name, Sys.Stat stat, int depth) {
        long token = Node.token(stat.inode(), stat.size(), stat.mtime(), stat.ctime());
        if (!stat.isDirectory() || depth >= MAX_DEPTH || stat.device() != device) {
            return token;
        }
        int child = sys.openDirectory(fd, name);
        if (child < 0) {
            return token;
        }
        try {
            List<byte[]> names = new ArrayList<>();
            if (sys.list(child, names) >= 0) {
                for (byte[] entry : names) {
                    if (sys.stat(child, entry) >= 0) {
                        long part = summary(child, entry, sys.found(), depth + 1);
                        token += Node.mix(part ^ Arrays.hashCode(entry));
                    }
                }
            }
        } finally {
            sys.close(child);
        }
        return token;
    }

    private void submit(int fd, List<Node> toRead) {
        hashedCount += toRead.size();
        for (int from = 0; from < toRead.size(); from += CHUNK) {
            List<Node> part = toRead.subList(from, Math.min(from + CHUNK, toRead.size()));
            try {
                slots.acquire();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                throw WorkspaceException.interrupted();
            }
            int own = sys.openDirectory(fd, new byte[] {'.'});
            if (own < 0) {
                slots.release();
                throw WorkspaceException.of("a directory of the workspace", -own);
            }
            tasks.add(readers.submit(() -> read(own, part)));
        }
    }

    private void read(int fd, List<Node> part) {
        try {
            files.read(fd, part, batch);
        } finally {
            files.close(fd);
            slots.release();
        }
    }

    /** After all files are read: the directories from below upwards. */
    private void finish(Node node, @Nullable Node old, TreePath path) {
        node.dropGone();
        int at = 0;
        for (Node child : node.children) {
            if (!child.isCovered()) {
                notCoveredCount++;
                if (notCovered.size() < Checkpoint.LISTED) {
                    notCovered.add(
                            new Checkpoint.NotCovered(
                                    path.child(child.name), child.cause(), child.size));
                }
            } else if (child.isFile()) {
                fileCount++;
            } else if (child.isDirectory()) {
                Node before = null;
                while (old != null && at < old.children.size() && before == null) {
                    int order = Arrays.compareUnsigned(old.children.get(at).name, child.name);
                    if (order > 0) {
                        break;
                    }
                    before = order == 0 ? old.children.get(at) : null;
                    at++;
                }
                Node was = before != null && before.isDirectory() ? before : null;
                finish(child, was, path.child(child.name));
            }
        }
        if (old != null && old.record != null && node.hasSameEntries(old)) {
            node.hash = old.hash;
            node.record = old.record;
            return;
        }
        DirectoryBlob.Written written = DirectoryBlob.write(node);
        node.hash = written.merkle();
        node.record = batch.put(written.blob(), written.blob().length);
    }
}
