package ai.hanzo.dev.workspace;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Reads files of a tree that may change under the hand. Any thread: each call borrows a reader. */
final class FileReaders {

    /** Larger files are not covered. */
    static final int MAX_BYTES = 64 * 1024 * 1024;

    /** A file that changes while it is read is tried this often; then the last reading stands. */
    private static final int TRIES = 3;

    /** A larger buffer is given back after use. */
    private static final int KEPT_BYTES = 1024 * 1024;

    private final Queue<Reader> idle = new ConcurrentLinkedQueue<>();

    private static final class Reader {
        final Sys sys = new Sys();
        byte[] buffer = new byte[64 * 1024];
    }

    private Reader borrow() {
        Reader pooled = idle.poll();
        return pooled == null ? new Reader() : pooled;
    }

    private void giveBack(Reader reader) {
        if (reader.buffer.length > KEPT_BYTES) {
            reader.buffer = new byte[64 * 1024];
        }
        idle.add(reader);
    }

    void close(int fd) {
        Reader reader = borrow();
        reader.sys.close(fd);
        giveBack(reader);
    }

    /** Fills in the hashes of {@code files}, which are entries of the open directory. */
    void read(int directory, List<Node> files, BlobStore.Batch batch) {
        Reader reader = borrow();
        for (Node file : files) {
            read(reader, directory, file, batch);
        }
        giveBack(reader);
    }

    private static void read(Reader reader, int directory, Node file, BlobStore.Batch batch) {
        for (int i = 1; i <= TRIES; i++) {
            int fd = reader.sys.openFile(directory, file.name);
            if (fd < 0) {
                if (fd == -Sys.EACCES || fd == -Sys.EPERM) {
                    file.notCovered(Checkpoint.Cause.UNREADABLE);
                } else {
                    file.isGone = true; // deleted, or a link or a socket by now
                }
                return;
            }
            try {
                if (isRead(reader, fd, file, batch, i == TRIES)) {
                    return;
                }
            } finally {
                reader.sys.close(fd);
            }
        }
    }

    /** False if the file changed while it was read and there is another try. */
    private static boolean isRead(
            Reader reader, int fd, Node file, BlobStore.Batch batch, boolean isLast) {
        Sys.Stat before = stat(reader.sys, fd);
        file.isSettled &= before.ctime() == file.ctime && before.inode() == file.inode;
        file.take(before);
        if (!before.isFile()) {
            file.notCovered(Checkpoint.Cause.SPECIAL);
            return true;
        }
        int length = slurp(reader, fd, before.size());
        if (length < 0) {
            file.notCovered(
                    length == TOO_BIG ? Checkpoint.Cause.TOO_BIG : Checkpoint.Cause.UNREADABLE);
            return true;
        }
        Sys.Stat after = stat(reader.sys, fd);
        boolean still = after.ctime() == before.ctime() && after.size() == length;
        if (!still && !isLast) {
            return false;
        }
        file.isSettled &= still;
        file.size = length;
        file.hash = batch.put(reader.buffer, length);
        return true;
    }

    private static Sys.Stat stat(Sys sys, int fd) {
        int error = sys.stat(fd, new byte[0]);
        if (error < 0) {
            throw WorkspaceException.of("an open file", -error);
        }
        return sys.found();
    }

    private static final int TOO_BIG = Integer.MIN_VALUE;

    /** Reads to the end into the reader's buffer; the length, or below 0. */
    private static int slurp(Reader reader, int fd, long sizeHint) {
        if (sizeHint > MAX_BYTES) {
            return TOO_BIG;
        }
        if (reader.buffer.length <= sizeHint) {
            reader.buffer = new byte[(int) sizeHint + 1];
        }
        int length = 0;
        while (true) {
            if (length == reader.buffer.length) {
                if (length > MAX_BYTES) {
                    return TOO_BIG;
                }
                reader.buffer = Arrays.copyOf(reader.buffer, Math.min(length * 2, MAX_BYTES + 1));
            }
            int n = reader.sys.read(fd, reader.buffer, length, reader.buffer.length - length);
            if (n <= 0) {
                return n < 0 ? -1 : length > MAX_BYTES ? TOO_BIG : length;
            }
            length += n;
        }
    }

    /** Reads a .gitignore; one that cannot be read or is too long counts as empty. */
    IgnoreFile ignoreFile(Sys sys, int directory, byte[] name, long token) {
        int fd = sys.openFile(directory, name);
        if (fd < 0) {
            return IgnoreFile.EMPTY;
        }
        Reader reader = borrow();
        try {
            Sys.Stat stat = stat(sys, fd);
            if (!stat.isFile() || stat.size() > IgnoreFile.MAX_BYTES) {
                return IgnoreFile.EMPTY;
            }
            int length = slurp(reader, fd, stat.size());
            return length < 0 || length > IgnoreFile.MAX_BYTES
                    ? IgnoreFile.EMPTY
                    : IgnoreFile.parse(reader.buffer, length, token);
        } finally {
            sys.close(fd);
            giveBack(reader);
        }
    }

    /** The digest of an open file as it is now; empty bytes count, a failure does not. */
    Optional<Digest> hash(int fd) {
        Reader reader = borrow();
        try {
            int length = slurp(reader, fd, 0);
            return length < 0 ? Optional.empty() : Optional.of(Digest.of(reader.buffer, 0, length));
        } finally {
            giveBack(reader);
        }
    }
}
