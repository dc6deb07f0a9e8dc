package ai.hanzo.dev.sandbox;

import static ai.hanzo.dev.sandbox.Libc.ofPointers;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs a program out of memory to its end, in a session of its own, with nothing inherited. What it
 * leaves running outlives this JVM, and nothing of it is ever on disk.
 *
 * <p>Not {@link ProcessBuilder}: that needs a file, leaves the JVM's own descriptors that are not
 * close-on-exec open in the child (jars, sockets), hands on the blocked SIGQUIT, and has no setsid.
 *
 * <p>Threads: platform threads only, which it blocks.
 */
final class NativeProcess {

    private static final int MFD_ALLOW_SEALING = 2;
    private static final int F_ADD_SEALS = 1033;

    /** F_SEAL_SEAL, F_SEAL_SHRINK, F_SEAL_GROW and F_SEAL_WRITE. */
    private static final int ALL_SEALS = 0xF;

    /** glibc: POSIX_SPAWN_SETSIGDEF, POSIX_SPAWN_SETSIGMASK, POSIX_SPAWN_SETSID. */
    private static final short SPAWN_FLAGS = 0x04 | 0x08 | 0x80;

    /** glibc's posix_spawnattr_t has 336 bytes, posix_spawn_file_actions_t 80, sigset_t 128. */
    private static final int STRUCT_BYTES = 512;

    private static final String SPAWN_PREFIX = "posix_spawn_file_actions_";

    private static final MethodHandle ADD_DUP2 =
            Libc.of(SPAWN_PREFIX + "adddup2", JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);

    /** glibc 2.34. */
    private static final MethodHandle ADD_CLOSE_FROM =
            Libc.of(SPAWN_PREFIX + "addclosefrom_np", JAVA_INT, ADDRESS, JAVA_INT);

    private static final MethodHandle ADD_OPEN =
            Libc.of(
                    SPAWN_PREFIX + "addopen",
                    JAVA_INT,
                    ADDRESS,
                    JAVA_INT,
                    ADDRESS,
                    JAVA_INT,
                    JAVA_INT);
    private static final MethodHandle SET_FLAGS =
            Libc.of("posix_spawnattr_setflags", JAVA_INT, ADDRESS, JAVA_SHORT);

    private NativeProcess() {}

    /** What running it came to. */
    sealed interface Ran {}

    /**
     * It ran.
     *
     * @param exit its status; 128 + signal when a signal ended it
     * @param printed on stdout and stderr together
     */
    record Ended(int exit, String printed) implements Ran {}

    /** It did not. */
    record NotRun(String why) implements Ran {}

    /**
     * Runs {@code image} with the null device as stdin.
     *
     * @param argv its arguments, the first being its name
     * @param env its whole environment, as {@code NAME=value}
     */
    static Ran run(byte[] image, List<String> argv, List<String> env) {
        int file = Libc.memoryFile(argv.getFirst(), MFD_ALLOW_SEALING);
        int output = Libc.memoryFile("output", 0);
        try {
            if (file < 0 || output < 0) {
                return new NotRun("memfd_create: " + Errno.name(-Math.min(file, output)));
            }
            int written = Libc.writeAll(file, image);
            if (written < 0) {
                return new NotRun("writing the image: " + Errno.name(-written));
            }
            int sealed = Libc.control(file, F_ADD_SEALS, ALL_SEALS);
            if (sealed < 0) {
                return new NotRun("sealing the image: " + Errno.name(-sealed));
            }
            long pid = spawn(file, output, argv, env);
            return pid < 0
                    ? new NotRun("posix_spawn: " + Errno.name((int) -pid))
                    : end((int) pid, output);
        } finally {
            closeIfOpen(file);
            closeIfOpen(output);
        }
    }

    private static void closeIfOpen(int descriptor) {
        if (descriptor >= 0) {
            Libc.close(descriptor);
        }
    }

    private static Ran end(int pid, int output) {
        int status = Libc.waitFor(pid);
        if (status < 0) {
            return new NotRun("waitpid: " + Errno.name(-status));
        }
        int signal = status & 0x7f;
        int exit = signal == 0 ? status >> 8 & 0xff : 128 + signal;
        try {
            // Opened anew, so at offset 0.
            byte[] printed = Files.readAllBytes(Path.of("/proc/self/fd/" + output));
            return new Ended(exit, new String(printed, StandardCharsets.UTF_8).strip());
        } catch (IOException e) {
            return new NotRun("reading what it printed: " + e.getMessage());
        }
    }

    /** The pid, or a negated errno. */
    private static long spawn(int file, int output, List<String> argv, List<String> env) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment actions = arena.allocate(STRUCT_BYTES, 16);
            MemorySegment attributes = arena.allocate(STRUCT_BYTES, 16);
            MemorySegment signals = arena.allocate(STRUCT_BYTES, 16);
            MemorySegment pid = arena.allocate(JAVA_INT);
            must(ofPointers(SPAWN_PREFIX + "init", 1), actions);
            must(ofPointers("posix_spawnattr_init", 1), attributes);
            try {
                must(ADD_OPEN, actions, 0, arena.allocateFrom("/dev/null"), 0, 0);
                must(ADD_DUP2, actions, output, 1);
                must(ADD_DUP2, actions, output, 2);
                must(ADD_DUP2, actions, file, 3);
                must(ADD_CLOSE_FROM, actions, 4);
                must(ofPointers("sigfillset", 1), signals);
                must(ofPointers("posix_spawnattr_setsigdefault", 2), attributes, signals);
                must(ofPointers("sigemptyset", 1), signals);
                must(ofPointers("posix_spawnattr_setsigmask", 2), attributes, signals);
                must(SET_FLAGS, attributes, SPAWN_FLAGS);
                long error =
                        Libc.call(
                                ofPointers("posix_spawn", 6),
                                pid,
                                arena.allocateFrom("/proc/self/fd/3"),
                                actions,
                                attributes,
                                strings(arena, argv),
                                strings(arena, env));
                return error == 0 ? pid.get(JAVA_INT, 0) : -error;
            } finally {
                must(ofPointers(SPAWN_PREFIX + "destroy", 1), actions);
                must(ofPointers("posix_spawnattr_destroy", 1), attributes);
            }
        }
    }

    /** For calls that fail for lack of memory only. */
    private static void must(MethodHandle handle, Object... arguments) {
        long error = Libc.call(handle, arguments);
        if (error != 0) {
            throw new IllegalStateException(
                    "preparing a process: " + Errno.name((int) Math.abs(error)));
        }
    }

    private static MemorySegment strings(Arena arena, List<String> strings) {
        MemorySegment array = arena.allocate(ADDRESS, strings.size() + 1L);
        for (int i = 0; i < strings.size(); i++) {
            array.setAtIndex(ADDRESS, i, arena.allocateFrom(strings.get(i)));
        }
        array.set(JAVA_LONG, strings.size() * 8L, 0);
        return array;
    }
}
