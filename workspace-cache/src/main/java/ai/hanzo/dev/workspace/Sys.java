package ai.hanzo.dev.workspace;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The few system calls that java.nio cannot make: everything relative to the descriptor of a
 * directory, never following a symbolic link, names as bytes. Linux, glibc 2.30 or newer.
 *
 * <p>A result below 0 is the negated errno. An instance has scratch memory: one thread at a time.
 */
final class Sys {

    static final int AT_FDCWD = -100;

    // include/uapi/asm-generic/errno-base.h and errno.h
    static final int EPERM = 1;
    static final int ENOENT = 2;
    static final int EINTR = 4;
    static final int EACCES = 13;
    static final int EEXIST = 17;
    static final int ENOTDIR = 20;
    static final int EINVAL = 22;
    static final int ENOSPC = 28;
    static final int ENOSYS = 38;
    static final int ENOTEMPTY = 39;
    static final int ELOOP = 40;
    static final int EDQUOT = 122;

    // include/uapi/asm-generic/fcntl.h
    private static final int O_WRONLY = 1;
    private static final int O_CREAT = 0100;
    private static final int O_EXCL = 0200;
    private static final int O_NOCTTY = 0400;
    private static final int O_NONBLOCK = 04000;
    private static final int O_DIRECTORY = 0200000;
    private static final int O_NOFOLLOW = 0400000;
    private static final int O_CLOEXEC = 02000000;
    private static final int O_PATH = 010000000;

    private static final int AT_SYMLINK_NOFOLLOW = 0x100;
    private static final int AT_REMOVEDIR = 0x200;
    private static final int AT_NO_AUTOMOUNT = 0x800;
    private static final int AT_EMPTY_PATH = 0x1000;
    private static final int RENAME_NOREPLACE = 1;
    private static final int RENAME_EXCHANGE = 2;
    private static final int STATX_BASIC_STATS = 0x7ff;
    private static final int STATX_MNT_ID = 0x1000; // Linux 5.8
    private static final long UTIME_OMIT = (1L << 30) - 2;

    private static final int NAME_BYTES = 8192;
    private static final int DIRENT_BYTES = 64 * 1024;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");

    private static final MethodHandle OPENAT =
            call("openat", true, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
    private static final MethodHandle CLOSE = call("close", false, JAVA_INT, JAVA_INT);
    private static final MethodHandle STATX =
            call("statx", false, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS);
    private static final MethodHandle GETDENTS =
            call("getdents64", false, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
    private static final MethodHandle READ =
            call("read", false, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
    private static final MethodHandle WRITE =
            call("write", false, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
    private static final MethodHandle READLINKAT =
            call("readlinkat", false, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG);
    private static final MethodHandle UNLINKAT =
            call("unlinkat", false, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle MKDIRAT =
            call("mkdirat", false, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle SYMLINKAT =
            call("symlinkat", false, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS);
    private static final MethodHandle RENAMEAT2 =
            call("renameat2", false, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle FCHMOD = call("fchmod", false, JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle CHMOD = call("chmod", false, JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle FCHOWNAT =
            call("fchownat", false, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle UTIMENSAT =
            call("utimensat", false, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT);
    private static final MethodHandle FSYNC = call("fsync", false, JAVA_INT, JAVA_INT);
    private static final MethodHandle SYNCFS = call("syncfs", false, JAVA_INT, JAVA_INT);
    private static final MethodHandle GETEUID =
            LINKER.downcallHandle(
                    LINKER.defaultLookup().findOrThrow("geteuid"), FunctionDescriptor.of(JAVA_INT));

    private final Arena arena = Arena.ofAuto();
    private final MemorySegment errno = arena.allocate(Linker.Option.captureStateLayout());
    private final MemorySegment name = arena.allocate(NAME_BYTES);
    private final MemorySegment other = arena.allocate(NAME_BYTES);
    private final MemorySegment stat = arena.allocate(256, 8);
    private final MemorySegment times = arena.allocate(32, 8);
    private final MemorySegment dirents = arena.allocate(DIRENT_BYTES, 8);
    private final MemorySegment io = arena.allocate(256 * 1024);

    /**
     * {@code struct statx} as far as we use it. Times are nanoseconds since 1970.
     *
     * @param mount number of the mount, 0 on kernels that do not tell
     */
    record Stat(
            int mode,
            int uid,
            int gid,
            long links,
            long device,
            long inode,
            long size,
            long mtime,
            long ctime,
            long mount) {

        boolean isFile() {
            return (mode & 0170000) == 0100000;
        }

        boolean isDirectory() {
            return (mode & 0170000) == 0040000;
        }

        boolean isLink() {
            return (mode & 0170000) == 0120000;
        }

        int permissions() {
            return mode & 07777;
        }

        boolean isSameFile(Stat o) {
            return device == o.device && inode == o.inode;
        }
    }

    private static MethodHandle call(
            String symbol, boolean variadic, MemoryLayout result, MemoryLayout... arguments) {
        Linker.Option[] options =
                variadic
                        ? new Linker.Option[] {ERRNO, Linker.Option.firstVariadicArg(3)}
                        : new Linker.Option[] {ERRNO};
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(symbol),
                FunctionDescriptor.of(result, arguments),
                options);
    }

    private interface Call {
        long run() throws Throwable;
    }

    private long run(Call call) {
        while (true) {
            long result;
            try {
                result = call.run();
            } catch (Throwable e) {
                throw new IllegalStateException("a system call could not be made", e);
            }
            if (result >= 0) {
                return result;
            }
            int error = errno.get(JAVA_INT, 0);
            if (error != EINTR) {
                return -error;
            }
        }
    }

    private static MemorySegment put(MemorySegment to, byte[] text) {
        if (text.length >= NAME_BYTES) {
            throw new IllegalArgumentException("a name of " + text.length + " bytes");
        }
        MemorySegment.copy(text, 0, to, JAVA_BYTE, 0, text.length);
        to.set(JAVA_BYTE, text.length, (byte) 0);
        return to;
    }

    private int open(int dir, byte[] path, int flags, int mode) {
        MemorySegment p = put(name, path);
        return (int) run(() -> (int) OPENAT.invokeExact(errno, dir, p, flags, mode));
    }

    /** Opens a directory; {@code -ELOOP} or {@code -ENOTDIR} if it is a link or anything else. */
    int openDirectory(int dir, byte[] path) {
        return open(dir, path, O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0);
    }

    /** Opens for reading; neither a FIFO nor a terminal can hold it up. */
    int openFile(int dir, byte[] path) {
        return open(dir, path, O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0);
    }

    int openPath(int dir, byte[] path) {
        return open(dir, path, O_PATH | O_NOFOLLOW | O_CLOEXEC, 0);
    }

    int create(int dir, byte[] path, int mode) {
        return open(dir, path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    }

    void close(int fd) {
        run(() -> (int) CLOSE.invokeExact(errno, fd));
    }

    /** Stats an entry; the result is only valid until the next call. Below 0: the negated errno. */
    int stat(int dir, byte[] path) {
        MemorySegment p = put(name, path);
        int flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | (path.length == 0 ? AT_EMPTY_PATH : 0);
        int mask = STATX_BASIC_STATS | STATX_MNT_ID;
        return (int) run(() -> (int) STATX.invokeExact(errno, dir, p, flags, mask, stat));
    }

    /** What {@link #stat} found. Offsets of struct statx, include/uapi/linux/stat.h. */
    Stat found() {
        boolean hasMount = (stat.get(JAVA_INT, 0) & STATX_MNT_ID) != 0;
        return new Stat(
                stat.get(JAVA_SHORT, 28) & 0xffff,
                stat.get(JAVA_INT, 20),
                stat.get(JAVA_INT, 24),
                stat.get(JAVA_INT, 16) & 0xffffffffL,
                device(stat.get(JAVA_INT, 136), stat.get(JAVA_INT, 140)),
                stat.get(JAVA_LONG, 32),
                stat.get(JAVA_LONG, 40),
                time(112),
                time(96),
                hasMount ? stat.get(JAVA_LONG, 144) : 0);
    }

    private long time(long offset) {
        return stat.get(JAVA_LONG, offset) * 1_000_000_000L
                + (stat.get(JAVA_INT, offset + 8) & 0xffffffffL);
    }

    // glibc's makedev, so that the number is the st_dev that others see
    private static long device(int major, int minor) {
        long a = major & 0xffffffffL;
        long b = minor & 0xffffffffL;
        return ((a & 0xfffff000L) << 32)
                | ((a & 0xfff) << 8)
                | ((b & 0xffffff00L) << 12)
                | (b & 0xff);
    }

    /** The names in a directory, without {@code .} and {@code ..}. Below 0: the negated errno. */
    int list(int fd, List<byte[]> names) {
        while (true) {
            long n =
                    run(() -> (long) GETDENTS.invokeExact(errno, fd, dirents, (long) DIRENT_BYTES));
            if (n <= 0) {
                return (int) n;
            }
            long at = 0;
            while (at < n) { // struct linux_dirent64: ino 8, off 8, reclen 2, type 1, name
                int length = dirents.get(JAVA_SHORT_UNALIGNED, at + 16) & 0xffff;
                int size = 0;
                while (dirents.get(JAVA_BYTE, at + 19 + size) != 0) {
                    size++;
                }
                byte[] entry = new byte[size];
                MemorySegment.copy(dirents, JAVA_BYTE, at + 19, entry, 0, size);
                if (TreePath.isName(entry)) {
                    names.add(entry);
                }
                at += length;
            }
        }
    }

    /** Reads at most {@code length} bytes into {@code into}; 0 at the end. */
    int read(int fd, byte[] into, int offset, int length) {
        long want = Math.min(length, io.byteSize());
        long n = run(() -> (long) READ.invokeExact(errno, fd, io, want));
        if (n > 0) {
            MemorySegment.copy(io, JAVA_BYTE, 0, into, offset, (int) n);
        }
        return (int) n;
    }

    /** Writes all; 0, or the negated errno. */
    int write(int fd, byte[] data, int length) {
        int done = 0;
        while (done < length) {
            int part = (int) Math.min(length - done, io.byteSize());
            MemorySegment.copy(data, done, io, JAVA_BYTE, 0, part);
            long n = run(() -> (long) WRITE.invokeExact(errno, fd, io, (long) part));
            if (n < 0) {
                return (int) n;
            }
            done += (int) n;
        }
        return 0;
    }

    /** The target of a link, or null if it is none any more. */
    byte @Nullable [] readLink(int dir, byte[] path) {
        MemorySegment p = put(name, path);
        long n = run(() -> (long) READLINKAT.invokeExact(errno, dir, p, other, (long) NAME_BYTES));
        if (n < 0 || n >= NAME_BYTES) {
            return null;
        }
        byte[] target = new byte[(int) n];
        MemorySegment.copy(other, JAVA_BYTE, 0, target, 0, (int) n);
        return target;
    }

    int unlink(int dir, byte[] path) {
        MemorySegment p = put(name, path);
        return (int) run(() -> (int) UNLINKAT.invokeExact(errno, dir, p, 0));
    }

    int removeDirectory(int dir, byte[] path) {
        MemorySegment p = put(name, path);
        return (int) run(() -> (int) UNLINKAT.invokeExact(errno, dir, p, AT_REMOVEDIR));
    }

    int makeDirectory(int dir, byte[] path, int mode) {
        MemorySegment p = put(name, path);
        return (int) run(() -> (int) MKDIRAT.invokeExact(errno, dir, p, mode));
    }

    int symlink(byte[] target, int dir, byte[] path) {
        MemorySegment t = put(other, target);
        MemorySegment p = put(name, path);
        return (int) run(() -> (int) SYMLINKAT.invokeExact(errno, t, dir, p));
    }

    private int rename(int fromDir, byte[] from, int toDir, byte[] to, int flags) {
        MemorySegment a = put(name, from);
        MemorySegment b = put(other, to);
        return (int) run(() -> (int) RENAMEAT2.invokeExact(errno, fromDir, a, toDir, b, flags));
    }

    /** Renames over what is there. */
    int rename(int fromDir, byte[] from, int toDir, byte[] to) {
        return rename(fromDir, from, toDir, to, 0);
    }

    /** Renames within a directory; {@code -EEXIST} if the new name is taken. */
    int renameIfFree(int dir, byte[] from, byte[] to) {
        return rename(dir, from, dir, to, RENAME_NOREPLACE);
    }

    /** Swaps two entries of a directory at once. */
    int exchange(int dir, byte[] a, byte[] b) {
        return rename(dir, a, dir, b, RENAME_EXCHANGE);
    }

    int chmod(int fd, int mode) {
        return (int) run(() -> (int) FCHMOD.invokeExact(errno, fd, mode));
    }

    /** Changes the mode of what an O_PATH descriptor stands for. */
    int chmodPath(int pathFd, int mode) {
        byte[] link = ("/proc/self/fd/" + pathFd).getBytes(StandardCharsets.US_ASCII);
        MemorySegment p = put(name, link);
        return (int) run(() -> (int) CHMOD.invokeExact(errno, p, mode));
    }

    int chown(int dir, byte[] path, int uid, int gid) {
        MemorySegment p = put(name, path);
        int flags = AT_SYMLINK_NOFOLLOW | (path.length == 0 ? AT_EMPTY_PATH : 0);
        return (int) run(() -> (int) FCHOWNAT.invokeExact(errno, dir, p, uid, gid, flags));
    }

    /** Sets the modification time of an entry, a link's own included. */
    int setModified(int dir, byte[] path, long nanos) {
        times.set(JAVA_LONG_UNALIGNED, 0, 0);
        times.set(JAVA_LONG_UNALIGNED, 8, UTIME_OMIT);
        times.set(JAVA_LONG_UNALIGNED, 16, Math.floorDiv(nanos, 1_000_000_000L));
        times.set(JAVA_LONG_UNALIGNED, 24, Math.floorMod(nanos, 1_000_000_000L));
        MemorySegment p = put(name, path);
        return (int)
                run(() -> (int) UTIMENSAT.invokeExact(errno, dir, p, times, AT_SYMLINK_NOFOLLOW));
    }

    int sync(int fd) {
        return (int) run(() -> (int) FSYNC.invokeExact(errno, fd));
    }

    /** Writes out everything of the file system that holds {@code fd}. */
    int syncFileSystem(int fd) {
        return (int) run(() -> (int) SYNCFS.invokeExact(errno, fd));
    }

    static boolean isRoot() {
        try {
            return (int) GETEUID.invokeExact() == 0;
        } catch (Throwable e) {
            throw new IllegalStateException("geteuid could not be called", e);
        }
    }

    /** The bytes of a path of our own, as the kernel wants them. */
    static byte[] bytes(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8);
    }
}
