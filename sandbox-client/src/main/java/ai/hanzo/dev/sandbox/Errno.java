package ai.hanzo.dev.sandbox;

/** The error numbers of Linux on x86_64 that we meet, by name. */
final class Errno {
    static final int ENOENT = 2;
    static final int EAGAIN = 11;
    static final int EACCES = 13;
    static final int EINVAL = 22;
    static final int EPIPE = 32;
    static final int ECONNRESET = 104;
    static final int ECONNREFUSED = 111;

    private Errno() {}

    static String name(int errno) {
        return switch (errno) {
            case 1 -> "EPERM";
            case ENOENT -> "ENOENT (no such file)";
            case 9 -> "EBADF";
            case EAGAIN -> "EAGAIN (queue full)";
            case 12 -> "ENOMEM (out of memory)";
            case EACCES -> "EACCES (permission denied)";
            case 20 -> "ENOTDIR";
            case EINVAL -> "EINVAL";
            case 23 -> "ENFILE (too many open files on the machine)";
            case 24 -> "EMFILE (too many open files in this process)";
            case 28 -> "ENOSPC (no space)";
            case EPIPE -> "EPIPE (peer gone)";
            case 90 -> "EMSGSIZE (packet too large)";
            case ECONNRESET -> "ECONNRESET (peer gone)";
            case ECONNREFUSED -> "ECONNREFUSED (nobody listens)";
            default -> "errno " + errno;
        };
    }
}
