package ai.hanzo.dev.workspace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One entry of a tree: as a scan finds it, as the stat index keeps it, and as a snapshot tells it
 * (then without inode and change time, and without children until they are asked for). Built by one
 * thread; the fields of a file may be filled in by the thread that reads it, before the scan ends.
 */
final class Node {

    static final byte FILE = 'f';
    static final byte DIRECTORY = 'd';
    static final byte LINK = 'l';
    static final byte NOT_COVERED = 'n';

    final byte[] name;
    byte type;
    int mode;
    long size;
    long mtime;
    long ctime;
    long inode;

    /** Of a file: its blob. Of a directory: its Merkle hash. */
    @Nullable Digest hash;

    /** Of a directory: the blob that holds it with its side record. */
    @Nullable Digest record;

    byte @Nullable [] target;
    Checkpoint.@Nullable Cause cause;

    /** Of what is not covered: changes when its stat data do. */
    long token;

    /** Whether its stat data are old enough to tell a later change. */
    boolean isSettled;

    /** Whether it vanished while the tree was read. */
    boolean isGone;

    List<Node> children = List.of();
    List<Ignored> ignored = List.of();
    @Nullable IgnoreFile ignoreFile;

    /** Something that git ignores; {@code token} changes when anything in it does. */
    record Ignored(TreePath name, long token) {}

    Node(byte[] name, byte type) {
        this.name = name;
        this.type = type;
    }

    static Node of(byte[] name, byte type, Sys.Stat stat) {
        Node node = new Node(name, type);
        node.take(stat);
        return node;
    }

    void take(Sys.Stat stat) {
        mode = stat.permissions();
        size = isDirectory() ? 0 : stat.size();
        mtime = stat.mtime();
        ctime = stat.ctime();
        inode = stat.inode();
    }

    boolean isFile() {
        return type == FILE;
    }

    boolean isDirectory() {
        return type == DIRECTORY;
    }

    boolean isLink() {
        return type == LINK;
    }

    boolean isCovered() {
        return type != NOT_COVERED;
    }

    Digest hash() {
        if (hash == null) {
            throw new IllegalStateException("no hash yet: " + TreePath.render(name));
        }
        return hash;
    }

    Digest record() {
        if (record == null) {
            throw new IllegalStateException("no record yet: " + TreePath.render(name));
        }
        return record;
    }

    byte[] target() {
        return target == null ? new byte[0] : target;
    }

    Checkpoint.Cause cause() {
        return cause == null ? Checkpoint.Cause.SPECIAL : cause;
    }

    void notCovered(Checkpoint.Cause why) {
        type = NOT_COVERED;
        cause = why;
        hash = null;
        token = token(inode, size, mtime, ctime);
    }

    static long token(long inode, long size, long mtime, long ctime) {
        long h = mix(inode * 31 + size);
        h = mix(h ^ mtime);
        return mix(h ^ ctime);
    }

    /** The finaliser of SplitMix64 (Steele, Lea, Flood 2014). */
    static long mix(long value) {
        long z = value + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /** Whether the stat data say that the file is the one that {@code old} was read from. */
    boolean isUnchangedSince(Node old) {
        return old.isFile()
                && old.isSettled
                && old.size == size
                && old.mtime == mtime
                && old.ctime == ctime
                && old.inode == inode;
    }

    /** Whether a snapshot would tell the same of both. */
    boolean isSame(Node o) {
        return type == o.type
                && mode == o.mode
                && size == o.size
                && mtime == o.mtime
                && token == o.token
                && cause == o.cause
                && java.util.Objects.equals(hash, o.hash)
                && java.util.Objects.equals(record, o.record)
                && Arrays.equals(target, o.target)
                && Arrays.equals(name, o.name);
    }

    boolean hasSameEntries(Node o) {
        if (children.size() != o.children.size() || !ignored.equals(o.ignored)) {
            return false;
        }
        for (int i = 0; i < children.size(); i++) {
            if (!children.get(i).isSame(o.children.get(i))) {
                return false;
            }
        }
        return true;
    }

    void dropGone() {
        if (children.stream().anyMatch(c -> c.isGone)) {
            List<Node> left = new ArrayList<>(children);
            left.removeIf(c -> c.isGone);
            children = left;
        }
    }
}
