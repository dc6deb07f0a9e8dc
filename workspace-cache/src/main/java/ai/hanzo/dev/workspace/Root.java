package ai.hanzo.dev.workspace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An open workspace: reaches what is in it part by part, each part relative to the descriptor
 * before it and never through a link, so that no swap of directories leads outside. One thread.
 */
final class Root implements AutoCloseable {

    final Sys sys = new Sys();
    final Sys.Stat stat;
    private final int fd;

    // The directories down to the one that was used last stay open: neighbours are the rule.
    private final List<byte[]> openParts = new ArrayList<>();
    private final List<Integer> openFds = new ArrayList<>();

    private Root(int fd, Workspace workspace) {
        this.fd = fd;
        if (sys.stat(fd, new byte[0]) < 0) {
            throw WorkspaceException.moved(workspace.path());
        }
        this.stat = sys.found();
    }

    /** Opens it and checks that it is the directory that was admitted. */
    static Root open(Workspace workspace) {
        Sys sys = new Sys();
        int fd = sys.openDirectory(Sys.AT_FDCWD, Workspaces.rawBytes(workspace.path()));
        if (fd < 0) {
            if (fd == -Sys.EACCES || fd == -Sys.EPERM) {
                throw WorkspaceException.permission("the workspace " + workspace.path());
            }
            throw WorkspaceException.moved(workspace.path());
        }
        Root root = new Root(fd, workspace);
        if (root.stat.device() != workspace.device() || root.stat.inode() != workspace.inode()) {
            root.close();
            throw WorkspaceException.moved(workspace.path());
        }
        return root;
    }

    int fd() {
        return fd;
    }

    /**
     * The descriptor of a directory in the workspace; it stays open until the next call. Below 0:
     * the negated errno.
     */
    int directory(TreePath path) {
        List<byte[]> parts = path.parts();
        int common = 0;
        while (common < Math.min(parts.size(), openParts.size())
                && Arrays.equals(parts.get(common), openParts.get(common))) {
            common++;
        }
        closeDownTo(common);
        for (byte[] part : parts.subList(common, parts.size())) {
            int next = sys.openDirectory(openFds.isEmpty() ? fd : openFds.getLast(), part);
            if (next < 0) {
                return next;
            }
            openParts.add(part);
            openFds.add(next);
        }
        return openFds.isEmpty() ? fd : openFds.getLast();
    }

    private void closeDownTo(int depth) {
        while (openFds.size() > depth) {
            sys.close(openFds.removeLast());
            openParts.removeLast();
        }
    }

    /** Closes what stayed open, so that each directory is looked up anew. */
    void forget() {
        closeDownTo(0);
    }

    /**
     * What is at {@code path} now, hashed if it is a file that could be covered; null if nothing.
     */
    @Nullable Node look(TreePath path, FileReaders files) {
        int parent = directory(path.parent());
        if (parent < 0) {
            if (parent == -Sys.ENOENT || parent == -Sys.ENOTDIR || parent == -Sys.ELOOP) {
                return null;
            }
            throw WorkspaceException.of("the directory " + path.parent(), -parent);
        }
        return look(sys, parent, path.name(), files);
    }

    static @Nullable Node look(Sys sys, int parent, byte[] name, FileReaders files) {
        if (sys.stat(parent, name) < 0) {
            return null;
        }
        Sys.Stat stat = sys.found();
        if (stat.isDirectory()) {
            return Node.of(name, Node.DIRECTORY, stat);
        }
        if (stat.isLink()) {
            Node link = Node.of(name, Node.LINK, stat);
            link.target = sys.readLink(parent, name);
            return link;
        }
        Node file = Node.of(name, Node.FILE, stat);
        if (!stat.isFile()) {
            file.notCovered(Checkpoint.Cause.SPECIAL);
            return file;
        }
        int fd = sys.openFile(parent, name);
        if (fd < 0) {
            file.notCovered(Checkpoint.Cause.UNREADABLE);
            return file;
        }
        try {
            files.hash(fd)
                    .ifPresentOrElse(
                            h -> file.hash = h, () -> file.notCovered(Checkpoint.Cause.TOO_BIG));
        } finally {
            sys.close(fd);
        }
        return file;
    }

    /** The names in a directory; empty if it is none. */
    List<byte[]> names(TreePath path) {
        List<byte[]> names = new ArrayList<>();
        forget(); // a descriptor that was listed stands at its end
        int dir = directory(path);
        if (dir >= 0 && !path.isRoot()) {
            sys.list(dir, names);
        }
        names.sort(Arrays::compareUnsigned);
        forget();
        return names;
    }

    @Override
    public void close() {
        forget();
        sys.close(fd);
    }
}
