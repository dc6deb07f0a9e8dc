package ai.hanzo.dev.workspace;

import ai.hanzo.dev.workspace.Snapshots.Difference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Puts paths back, one at a time, each by one rename. What is displaced is looked at once more
 * under another name, where nobody edits it, before it is deleted; if it is not what the plan saw,
 * it goes back and the undo ends. One thread; used once.
 */
final class Undo {

    private static final byte[] SELF = new byte[0];

    private final Root root;
    private final Sys sys;
    private final FileReaders files;
    private final BlobStore store;
    private final Workspace workspace;
    private final boolean isRoot = Sys.isRoot();
    private final List<TreePath> changed = new ArrayList<>();
    private final List<TreePath> kept = new ArrayList<>();

    Undo(Root root, FileReaders files, BlobStore store, Workspace workspace) {
        this.root = root;
        this.sys = root.sys;
        this.files = files;
        this.store = store;
        this.workspace = workspace;
    }

    /** Somebody changed a path between the plan and its turn. */
    private static final class Changed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient UndoPlan.Conflict conflict;

        Changed(TreePath path) {
            super(path.text(), null, false, false);
            conflict =
                    new UndoPlan.Conflict(
                            path, path.text() + " was changed while undo ran: try again.");
        }
    }

    UndoResult run(List<Difference> work) {
        for (Difference d : work) {
            if (d.before() != null && d.before().isFile()) {
                store.get(
                        d.before().hash()); // all bytes are there and sound, or nothing is touched
            }
        }
        try {
            for (int i = work.size() - 1; i >= 0; i--) {
                delete(work.get(i));
            }
            root.forget();
            for (Difference d : work) {
                restore(d);
            }
            for (int i = work.size() - 1; i >= 0; i--) {
                finishDirectory(work.get(i));
            }
        } catch (Changed e) {
            return new UndoResult.Refused(List.of(e.conflict), changed);
        }
        changed.sort(null);
        return new UndoResult.Done(changed, kept);
    }

    private int parent(Difference d) {
        int fd = root.directory(d.path().parent());
        if (fd == -Sys.ENOENT || fd == -Sys.ENOTDIR || fd == -Sys.ELOOP) {
            throw new Changed(d.path());
        }
        return check(fd, d.path().parent());
    }

    private static int check(int result, TreePath path) {
        if (result < 0) {
            throw WorkspaceException.of("the change of " + path.text(), -result);
        }
        return result;
    }

    private static boolean isDirectory(@Nullable Node node) {
        return node != null && node.isDirectory();
    }

    // Deepest first: what the agent made goes, and directories that stand where a file or link was.
    private void delete(Difference d) {
        Node after = d.after();
        boolean goes = d.before() == null || isDirectory(d.before()) != isDirectory(after);
        if (after == null || !goes) {
            return;
        }
        int dir = parent(d);
        byte[] name = d.path().name();
        if (!after.isDirectory()) {
            byte[] aside = temporaryName();
            check(sys.renameIfFree(dir, name, aside), d.path());
            discard(dir, aside, d);
            changed.add(d.path());
            return;
        }
        int result = sys.removeDirectory(dir, name);
        if (result == -Sys.ENOTEMPTY || result == -Sys.EEXIST) {
            if (d.before() != null) {
                throw new Changed(d.path());
            }
            kept.add(d.path());
            return;
        }
        check(result, d.path());
        changed.add(d.path());
    }

    /** Deletes what was put aside, or puts it back if it is not what the agent left. */
    private void discard(int dir, byte[] aside, Difference d) {
        Node displaced = Root.look(sys, dir, aside, files);
        if (!isWhatTheAgentLeft(displaced, d.after())) {
            sys.renameIfFree(dir, aside, d.path().name());
            throw new Changed(d.path());
        }
        check(sys.unlink(dir, aside), d.path());
    }

    // A rename moves the change time on, so that the token of what is not covered cannot be
    // compared.
    private static boolean isWhatTheAgentLeft(@Nullable Node now, @Nullable Node after) {
        if (after != null && !after.isCovered()) {
            return now != null
                    && !now.isDirectory()
                    && now.mtime == after.mtime
                    && now.size == after.size;
        }
        return Planner.isAs(now, after);
    }

    private void restore(Difference d) {
        Node before = d.before();
        Node after = d.after();
        if (before == null) {
            return;
        }
        if (before.isDirectory()) {
            if (!isDirectory(after)) {
                makeDirectory(d);
            }
            return;
        }
        boolean onlyMode =
                after != null
                        && before.isFile()
                        && after.isFile()
                        && before.hash().equals(after.hash());
        if (onlyMode) {
            setMode(d, before.mode, before.mtime);
        } else {
            replace(d, before, after);
        }
        if (changed.isEmpty() || !changed.getLast().equals(d.path())) {
            changed.add(d.path());
        }
    }

    private void makeDirectory(Difference d) {
        int dir = parent(d);
        int made = sys.makeDirectory(dir, d.path().name(), 0700);
        if (made == -Sys.EEXIST) {
            throw new Changed(d.path());
        }
        check(made, d.path());
        own(dir, d.path().name(), workspace.uid(), workspace.gid());
        if (!changed.contains(d.path())) {
            changed.add(d.path());
        }
    }

    private void replace(Difference d, Node before, @Nullable Node after) {
        int dir = parent(d);
        byte[] name = d.path().name();
        byte[] fresh = temporaryName();
        boolean occupied = after != null && isDirectory(after) == before.isDirectory();
        int uid = workspace.uid();
        int gid = workspace.gid();
        if (occupied && sys.stat(dir, name) >= 0) {
            uid = sys.found().uid();
            gid = sys.found().gid();
        }
        make(dir, fresh, before, uid, gid, d.path());
        boolean placed = false;
        try {
            if (!occupied) {
                int result = sys.renameIfFree(dir, fresh, name);
                if (result == -Sys.EEXIST) {
                    throw new Changed(d.path());
                }
                check(result, d.path());
                placed = true;
                return;
            }
            int result = sys.exchange(dir, fresh, name);
            if (result == -Sys.ENOENT) {
                throw new Changed(d.path());
            }
            check(result, d.path());
            placed = true;
            Node displaced = Root.look(sys, dir, fresh, files);
            if (!isWhatTheAgentLeft(displaced, after)) {
                placed = sys.exchange(dir, fresh, name) < 0;
                throw new Changed(d.path());
            }
            check(sys.unlink(dir, fresh), d.path());
        } finally {
            if (!placed) {
                sys.unlink(dir, fresh);
            }
        }
    }

    private void make(int dir, byte[] name, Node node, int uid, int gid, TreePath path) {
        if (node.isLink()) {
            check(sys.symlink(node.target(), dir, name), path);
            own(dir, name, uid, gid);
            sys.setModified(dir, name, node.mtime);
            return;
        }
        byte[] data = store.get(node.hash());
        int fd = check(sys.create(dir, name, 0600), path);
        try {
            check(sys.write(fd, data, data.length), path);
            own(fd, SELF, uid, gid);
            check(sys.chmod(fd, node.mode), path);
        } catch (WorkspaceException e) {
            sys.unlink(dir, name);
            throw e;
        } finally {
            sys.close(fd);
        }
        sys.setModified(dir, name, node.mtime);
    }

    // Another user's workspace is only ever root's to change; elsewhere the owner is the host's
    // anyway.
    private void own(int dir, byte[] name, int uid, int gid) {
        if (isRoot) {
            sys.chown(dir, name, uid, gid);
        }
    }

    private void setMode(Difference d, int mode, long mtime) {
        int dir = parent(d);
        int fd = check(sys.openPath(dir, d.path().name()), d.path());
        try {
            Node after = d.after();
            boolean same =
                    sys.stat(fd, SELF) >= 0
                            && after != null
                            && sys.found().permissions() == after.mode
                            && (sys.found().isFile() || sys.found().isDirectory());
            if (!same) {
                throw new Changed(d.path());
            }
            check(sys.chmodPath(fd, mode), d.path());
        } finally {
            sys.close(fd);
        }
        sys.setModified(dir, d.path().name(), mtime);
    }

    // Last, from below: modes that could shut us out, and times that writing within has moved.
    private void finishDirectory(Difference d) {
        Node before = d.before();
        if (before == null || !before.isDirectory()) {
            return;
        }
        if (isDirectory(d.after())) {
            setMode(d, before.mode, before.mtime);
            changed.add(d.path());
            return;
        }
        int dir = parent(d);
        int fd = check(sys.openDirectory(dir, d.path().name()), d.path());
        try {
            check(sys.chmod(fd, before.mode), d.path());
        } finally {
            sys.close(fd);
        }
        sys.setModified(dir, d.path().name(), before.mtime);
    }

    private static byte[] temporaryName() {
        return (".hanzo-undo-" + UUID.randomUUID()).getBytes(StandardCharsets.US_ASCII);
    }
}
