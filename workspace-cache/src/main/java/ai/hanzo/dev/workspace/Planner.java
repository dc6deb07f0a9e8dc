package ai.hanzo.dev.workspace;

import ai.hanzo.dev.workspace.Snapshots.Difference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compares what the agent changed with what is there now. One thread; used once. */
final class Planner {

    private final Root root;
    private final FileReaders files;
    private final Snapshots.Comparison comparison;
    private final UndoPlan.Others others;
    private final List<Difference> work = new ArrayList<>();
    private final List<UndoPlan.Step> steps = new ArrayList<>();
    private final List<UndoPlan.Conflict> conflicts = new ArrayList<>();
    private final List<TreePath> left = new ArrayList<>();

    Planner(Root root, FileReaders files, Snapshots.Comparison comparison, UndoPlan.Others others) {
        this.others = others;
        this.root = root;
        this.files = files;
        this.comparison = comparison;
    }

    UndoPlan plan(Workspace workspace, SnapshotId before, SnapshotId after) {
        comparison.differences().forEach(this::judge);
        refuseFullDirectories();
        left.addAll(comparison.ignored());
        left.sort(null);
        return new UndoPlan(workspace, before, after, others, steps, conflicts, left);
    }

    /** What is to be done, in the order of the paths. */
    List<Difference> work() {
        return List.copyOf(work);
    }

    private void judge(Difference d) {
        if (others.only().contains(d.path())) {
            return;
        }
        Node now = root.look(d.path(), files);
        if (isAs(now, d.before())) {
            return; // never changed, or put back already
        }
        if (others.both().contains(d.path())) {
            conflicts.add(
                    new UndoPlan.Conflict(
                            d.path(), "was changed by someone else between two turns."));
            return;
        }
        if (d.before() != null && !d.before().isCovered()) {
            left.add(d.path());
            return;
        }
        if (isFixture(d.after())) {
            left.add(d.path());
            return;
        }
        if (!isAs(now, d.after())) {
            conflicts.add(new UndoPlan.Conflict(d.path(), sentence(d, now)));
            return;
        }
        work.add(d);
        steps.add(new UndoPlan.Step(d.path(), act(d)));
    }

    private static boolean isFixture(@Nullable Node after) {
        if (after == null || after.isCovered()) {
            return false;
        }
        return switch (after.cause()) {
            case MOUNT, TOO_DEEP -> true;
            case TOO_BIG, UNREADABLE, SPECIAL -> false;
        };
    }

    /** Whether what is there now is what a snapshot says. */
    static boolean isAs(@Nullable Node now, @Nullable Node then) {
        if (now == null || then == null) {
            return now == null && then == null;
        }
        return switch (then.type) {
            case Node.FILE ->
                    now.isFile() && now.mode == then.mode && now.hash().equals(then.hash());
            case Node.LINK -> now.isLink() && Arrays.equals(now.target(), then.target());
            case Node.DIRECTORY -> now.isDirectory() && now.mode == then.mode;
            default -> Node.token(now.inode, now.size, now.mtime, now.ctime) == then.token;
        };
    }

    private static UndoPlan.Act act(Difference d) {
        Node before = d.before();
        Node after = d.after();
        if (before == null) {
            return UndoPlan.Act.DELETE;
        }
        if (after == null) {
            return UndoPlan.Act.CREATE;
        }
        boolean onlyMode =
                before.type == after.type
                        && (before.isDirectory()
                                || (before.isFile() && before.hash().equals(after.hash())));
        return onlyMode ? UndoPlan.Act.MODE : UndoPlan.Act.RESTORE;
    }

    private static String sentence(Difference d, @Nullable Node now) {
        String path = d.path().text();
        if (now == null) {
            return path + " was deleted after the agent changed it: put it back or leave it so.";
        }
        if (d.after() == null) {
            return path + " was made anew after the agent deleted it: move it away to undo.";
        }
        if (!now.isCovered()) {
            return path + " cannot be read: make it readable to undo.";
        }
        return path + " was changed after the agent: save your change elsewhere to undo.";
    }

    /** A directory that has to go in favour of a file must hold nothing but what undo deletes. */
    private void refuseFullDirectories() {
        Set<TreePath> deleted = new HashSet<>();
        for (Difference d : work) {
            if (d.before() == null) {
                deleted.add(d.path());
            }
        }
        for (Difference d : work) {
            if (d.before() != null && !d.before().isDirectory() && d.isDirectoryAfter()) {
                refuseExtras(d.path(), deleted, 0);
            }
        }
    }

    private void refuseExtras(TreePath directory, Set<TreePath> deleted, int depth) {
        for (byte[] name : root.names(directory)) {
            TreePath path = directory.child(name);
            if (!deleted.contains(path)) {
                conflicts.add(
                        new UndoPlan.Conflict(
                                path,
                                path.text()
                                        + " stands in a directory that was a file before: move it"
                                        + " away to undo."));
            } else if (depth < Scan.MAX_DEPTH) {
                refuseExtras(path, deleted, depth + 1);
            }
        }
    }
}
