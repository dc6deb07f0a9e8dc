package ai.hanzo.dev.workspace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads snapshots out of a store and compares them. Any thread. */
final class Snapshots {

    private final BlobStore store;

    Snapshots(BlobStore store) {
        this.store = store;
    }

    /** A path that differs, with both sides; at least one is there. */
    record Difference(TreePath path, @Nullable Node before, @Nullable Node after) {

        boolean isDirectoryAfter() {
            return after != null && after.isDirectory();
        }
    }

    /** All that differs, ordered by path, and the ignored entries in which something changed. */
    record Comparison(List<Difference> differences, List<TreePath> ignored) {}

    Node root(SnapshotId id) {
        Node root = directory(new byte[0], id.record());
        if (!root.hash().equals(id.root())) {
            throw WorkspaceException.unreadable(
                    "The snapshot " + id + " does not have the content that its name says.");
        }
        return root;
    }

    void verify(SnapshotId id, Set<Digest> seen) {
        if (!seen.contains(id.record())) {
            Node root = root(id);
            seen.add(id.record());
            verify(root, seen, 0);
        }
    }

    private void verify(Node directory, Set<Digest> seen, int depth) {
        if (depth > Scan.MAX_DEPTH) {
            throw WorkspaceException.unreadable(
                    "The snapshot is nested too deep: it was not made here.");
        }
        for (Node child : directory.children) {
            if (child.isFile() && seen.add(child.hash())) {
                store.get(child.hash());
            }
            if (child.isDirectory() && seen.add(child.record())) {
                verify(directory(child.name, child.record()), seen, depth + 1);
            }
        }
    }

    /** Adds all that a snapshot consists of; reads its directories only. */
    void collect(SnapshotId id, Set<Digest> found) {
        if (found.add(id.record())) {
            collect(root(id), found, 0);
        }
    }

    private void collect(Node directory, Set<Digest> found, int depth) {
        if (depth > Scan.MAX_DEPTH) {
            throw WorkspaceException.unreadable(
                    "The snapshot is nested too deep: it was not made here.");
        }
        for (Node child : directory.children) {
            if (child.isFile()) {
                found.add(child.hash());
            }
            if (child.isDirectory() && found.add(child.record())) {
                collect(directory(child.name, child.record()), found, depth + 1);
            }
        }
    }

    private Node directory(byte[] name, Digest record) {
        return DirectoryBlob.read(name, store.get(record), record);
    }

    Comparison compare(SnapshotId from, SnapshotId to) {
        Comparison out = new Comparison(new ArrayList<>(), new ArrayList<>());
        if (!from.record().equals(to.record())) {
            directories(root(from), root(to), TreePath.ROOT, 0, out);
        }
        return out;
    }

    private void directories(Node from, Node to, TreePath path, int depth, Comparison out) {
        if (depth > Scan.MAX_DEPTH) {
            throw WorkspaceException.unreadable(
                    "The snapshot is nested too deep: it was not made here.");
        }
        int i = 0;
        int k = 0;
        while (i < from.children.size() || k < to.children.size()) {
            Node a = i < from.children.size() ? from.children.get(i) : null;
            Node b = k < to.children.size() ? to.children.get(k) : null;
            int order = a == null ? 1 : b == null ? -1 : Arrays.compareUnsigned(a.name, b.name);
            if (a != null && order <= 0) {
                i++;
            }
            if (b != null && order >= 0) {
                k++;
            }
            pair(order <= 0 ? a : null, order >= 0 ? b : null, path, depth, out);
        }
        ignored(from.ignored, to.ignored, path, out);
    }

    private void pair(
            @Nullable Node a, @Nullable Node b, TreePath path, int depth, Comparison out) {
        Node some = a == null ? b : a;
        if (some == null) {
            return;
        }
        TreePath here = path.child(some.name);
        if (differs(a, b)) {
            out.differences().add(new Difference(here, a, b));
        }
        Node left = entered(a);
        Node right = entered(b);
        boolean isSame = left != null && right != null && left.record().equals(right.record());
        if (isSame || (left == null && right == null)) {
            return;
        }
        Node none = new Node(some.name, Node.DIRECTORY);
        directories(
                left == null ? none : directory(left.name, left.record()),
                right == null ? none : directory(right.name, right.record()),
                here,
                depth + 1,
                out);
    }

    private static @Nullable Node entered(@Nullable Node node) {
        return node != null && node.isDirectory() ? node : null;
    }

    private static boolean differs(@Nullable Node a, @Nullable Node b) {
        if (a == null || b == null) {
            return true;
        }
        if (a.type != b.type || a.mode != b.mode) {
            return true;
        }
        return switch (a.type) {
            case Node.FILE -> !a.hash().equals(b.hash());
            case Node.LINK -> !Arrays.equals(a.target(), b.target());
            case Node.DIRECTORY -> false;
            default -> a.token != b.token || a.cause() != b.cause();
        };
    }

    private static void ignored(
            List<Node.Ignored> from, List<Node.Ignored> to, TreePath path, Comparison out) {
        int i = 0;
        int k = 0;
        while (i < from.size() || k < to.size()) {
            TreePath a = i < from.size() ? from.get(i).name() : null;
            TreePath b = k < to.size() ? to.get(k).name() : null;
            int order =
                    a == null
                            ? 1
                            : b == null ? -1 : Arrays.compareUnsigned(a.toBytes(), b.toBytes());
            TreePath name = order <= 0 ? a : b;
            boolean same = order == 0 && from.get(i).token() == to.get(k).token();
            if (!same && name != null) {
                out.ignored().add(path.child(name.toBytes()));
            }
            i += order <= 0 ? 1 : 0;
            k += order >= 0 ? 1 : 0;
        }
    }

    static Diff.Change change(Difference d) {
        Node a = d.before();
        Node b = d.after();
        Diff.Kind kind;
        if (a == null) {
            kind = Diff.Kind.ADDED;
        } else if (b == null) {
            kind = Diff.Kind.REMOVED;
        } else if (a.type != b.type) {
            kind = Diff.Kind.TYPE;
        } else {
            Node b2 = b;
            boolean content =
                    switch (a.type) {
                        case Node.FILE -> !a.hash().equals(b2.hash());
                        case Node.LINK -> !Arrays.equals(a.target(), b2.target());
                        case Node.DIRECTORY -> false;
                        default -> true;
                    };
            kind = content ? Diff.Kind.MODIFIED : Diff.Kind.MODE;
        }
        return new Diff.Change(d.path(), kind, entry(a), entry(b));
    }

    private static Optional<Diff.Entry> entry(@Nullable Node n) {
        if (n == null) {
            return Optional.empty();
        }
        Diff.Type type =
                switch (n.type) {
                    case Node.FILE -> Diff.Type.FILE;
                    case Node.DIRECTORY -> Diff.Type.DIRECTORY;
                    case Node.LINK -> Diff.Type.SYMLINK;
                    default -> Diff.Type.NOT_COVERED;
                };
        return Optional.of(
                new Diff.Entry(
                        type,
                        n.mode,
                        n.size,
                        n.isFile() ? Optional.of(n.hash()) : Optional.empty(),
                        n.isLink() ? Optional.of(TreePath.render(n.target())) : Optional.empty(),
                        n.mtime));
    }
}
