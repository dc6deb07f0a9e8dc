package ai.hanzo.dev.sandbox;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * The system calls that Java has no words for, by java.lang.foreign. Linux on x86_64 only.
 *
 * <p>Threads: any, but calls that may block ({@link #receive}, {@link #connect}, {@link #waitFor})
 * belong on platform threads: they hold a virtual thread's carrier.
 *
 * <p>A failed call gives its negated errno, as the kernel does; see {@link Errno}.
 */
final class Libc {

    static final int F_SETFL = 4;
    static final int F_DUPFD_CLOEXEC = 1030;
    static final int F_GETFL = 3;
    static final int O_NONBLOCK = 0x800;
    static final int SOL_SOCKET = 1;
    static final int SO_SNDBUF = 7;

    /** Linux 6.16: whether the peer may send descriptors. */
    static final int SO_PASSRIGHTS = 83;

    static final int MSG_PEEK = 0x2;
    static final int MSG_TRUNC = 0x20;
    static final int MSG_DONTWAIT = 0x40;
    static final int MSG_NOSIGNAL = 0x4000;
    static final int SHUT_RDWR = 2;

    private static final int AF_UNIX = 1;
    private static final int SOCK_SEQPACKET = 5;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int SUN_PATH_BYTES = 108;
    private static final int MFD_CLOEXEC = 1;
    private static final int MFD_EXEC = 0x10;
    private static final int EINTR = 4;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO_FIELD =
            STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private static final MethodHandle SOCKET = of("socket", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle SOCKETPAIR =
            of("socketpair", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS);
    private static final MethodHandle CONNECT =
            of("connect", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle CLOSE = of("close", JAVA_INT, JAVA_INT);
    private static final MethodHandle SHUTDOWN = of("shutdown", JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle FCNTL =
            LINKER.downcallHandle(
                    LINKER.defaultLookup().findOrThrow("fcntl"),
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT),
                    ERRNO,
                    Linker.Option.firstVariadicArg(2));
    private static final MethodHandle SETSOCKOPT =
            of("setsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle SEND =
            of("send", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);

    private static final MethodHandle SEND_HEAP = ofHeap("send");
    private static final MethodHandle RECV_HEAP = ofHeap("recv");
    private static final byte[] NOTHING = {};

    private static final MethodHandle RECV =
            of("recv", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
    private static final MethodHandle RECVMSG =
            of("recvmsg", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle MEMFD_CREATE =
            of("memfd_create", JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle WRITE = of("write", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
    private static final MethodHandle WAITPID =
            of("waitpid", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);

    private Libc() {}

    /** A new, unconnected packet socket, close-on-exec. */
    static int packetSocket() {
        return (int) call(SOCKET, AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    }

    /** A connected pair of packet sockets, close-on-exec and blocking. */
    static int[] packetPair() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pair = arena.allocate(JAVA_INT, 2);
            long result = call(SOCKETPAIR, AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair);
            if (result < 0) {
                throw new IllegalStateException("socketpair: " + Errno.name((int) -result));
            }
            return pair.toArray(JAVA_INT);
        }
    }

    /** The longest path that a unix socket can have, in bytes. */
    static int maxSocketPathBytes() {
        return SUN_PATH_BYTES - 1;
    }

    static int connect(int descriptor, Path path) {
        byte[] name = path.toString().getBytes(StandardCharsets.UTF_8);
        if (name.length > maxSocketPathBytes()) {
            throw new IllegalArgumentException("socket path too long: " + path);
        }
        try (Arena arena = Arena.ofConfined()) {
            // struct sockaddr_un: u16 family, char path[108]
            MemorySegment address = arena.allocate(2 + SUN_PATH_BYTES, 2);
            address.set(JAVA_SHORT, 0, (short) AF_UNIX);
            MemorySegment.copy(name, 0, address, JAVA_BYTE, 2, name.length);
            return (int) call(CONNECT, descriptor, address, 2 + SUN_PATH_BYTES);
        }
    }

    /**
     * Closes it whatever the result: after EINTR it is closed too, and must not be closed again.
     */
    static int close(int descriptor) {
        return (int) once(state -> (int) CLOSE.invokeExact(state, descriptor));
    }

    static int shutdown(int descriptor) {
        return (int) call(SHUTDOWN, descriptor, SHUT_RDWR);
    }

    static boolean isNonBlocking(int descriptor) {
        int flags = control(descriptor, F_GETFL, 0);
        return flags >= 0 && (flags & O_NONBLOCK) != 0;
    }

    /** Sets O_NONBLOCK on this end only: it belongs to the open file description. */
    static int setNonBlocking(int descriptor) {
        int flags = control(descriptor, F_GETFL, 0);
        return flags < 0 ? flags : control(descriptor, F_SETFL, flags | O_NONBLOCK);
    }

    static int setOption(int descriptor, int option, int value) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment number = arena.allocateFrom(JAVA_INT, value);
            return (int)
                    exact(state ->
                            (int)
                                    SETSOCKOPT.invokeExact(
                                            state, descriptor, SOL_SOCKET, option, number, 4));
        }
    }

    /** Sends one packet or nothing; never waits and never raises SIGPIPE. */
    static long sendNow(int descriptor, byte[] packet) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment data = arena.allocateFrom(JAVA_BYTE, packet);
            return send(descriptor, data, MSG_NOSIGNAL | MSG_DONTWAIT);
        }
    }

    /**
     * Calls for the many packets of one socket: without a copy, and with what they need made once.
     * None waits. Used by one thread at a time.
     */
    static final class PacketCalls {
        private final MemorySegment state = Arena.ofAuto().allocate(STATE);

        /** {@link Libc#sendNow}. */
        long sendNow(int descriptor, byte[] packet) {
            return now(SEND_HEAP, descriptor, packet, MSG_NOSIGNAL | MSG_DONTWAIT);
        }

        /** How large the next packet is, which stays; 0 at the end. */
        long nextBytes(int descriptor) {
            return now(RECV_HEAP, descriptor, NOTHING, MSG_DONTWAIT | MSG_PEEK | MSG_TRUNC);
        }

        /** Receives one packet, as much of it as there is room for. */
        long receiveNow(int descriptor, byte[] into) {
            return now(RECV_HEAP, descriptor, into, MSG_DONTWAIT);
        }

        private long now(MethodHandle handle, int descriptor, byte[] bytes, int flags) {
            long result;
            do {
                result = tryNow(handle, descriptor, bytes, flags);
            } while (result == -EINTR);
            return result;
        }

        private long tryNow(MethodHandle handle, int descriptor, byte[] bytes, int flags) {
            try {
                long result =
                        (long)
                                handle.invokeExact(
                                        state,
                                        descriptor,
                                        MemorySegment.ofArray(bytes),
                                        (long) bytes.length,
                                        flags);
                return result == -1 ? -(int) ERRNO_FIELD.get(state, 0L) : result;
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException("a foreign call threw", e);
            }
        }
    }

    /** Sends one packet, waiting for room. Platform threads only. */
    static long sendWaiting(int descriptor, byte[] packet) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment data = arena.allocateFrom(JAVA_BYTE, packet);
            return send(descriptor, data, MSG_NOSIGNAL);
        }
    }

    private static long send(int descriptor, MemorySegment data, int flags) {
        return exact(
                state -> (long) SEND.invokeExact(state, descriptor, data, data.byteSize(), flags));
    }

    /** Receives one packet into native memory; 0 at the end. Platform threads only. */
    static long receive(int descriptor, MemorySegment buffer) {
        return receive(descriptor, buffer, 0);
    }

    private static long receive(int descriptor, MemorySegment buffer, int flags) {
        return exact(state ->
                (long) RECV.invokeExact(state, descriptor, buffer, buffer.byteSize(), flags));
    }

    /** A packet that is there already; empty when none is, or it is larger. Never waits. */
    static Optional<byte[]> receiveNow(int descriptor, int atMostBytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(atMostBytes);
            long length = receive(descriptor, buffer, MSG_DONTWAIT | MSG_PEEK | MSG_TRUNC);
            if (length <= 0 || length > atMostBytes) {
                return Optional.empty();
            }
            long taken = receive(descriptor, buffer, MSG_DONTWAIT);
            return taken == length
                    ? Optional.of(buffer.asSlice(0, length).toArray(JAVA_BYTE))
                    : Optional.empty();
        }
    }

    /**
     * recvmsg(2) with a {@code struct msghdr} that the caller has laid out. Platform threads only.
     */
    static long receiveMessage(int descriptor, MemorySegment header, int flags) {
        return exact(state -> (long) RECVMSG.invokeExact(state, descriptor, header, flags));
    }

    /** An anonymous file, close-on-exec, that may be executed. */
    static int memoryFile(String name, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment label = arena.allocateFrom(name);
            int result = (int) call(MEMFD_CREATE, label, MFD_CLOEXEC | MFD_EXEC | flags);
            // Linux before 6.3 does not know MFD_EXEC, and needs none.
            return result == -Errno.EINVAL
                    ? (int) call(MEMFD_CREATE, label, MFD_CLOEXEC | flags)
                    : result;
        }
    }

    /** fcntl(2) with a number. */
    static int control(int descriptor, int command, int argument) {
        return (int) exact(state -> (int) FCNTL.invokeExact(state, descriptor, command, argument));
    }

    /** Writes all of it; 0, or a negated errno. */
    static int writeAll(int descriptor, byte[] content) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment rest = arena.allocateFrom(JAVA_BYTE, content);
            while (rest.byteSize() > 0) {
                long written = call(WRITE, descriptor, rest, rest.byteSize());
                if (written < 0) {
                    return (int) written;
                }
                rest = rest.asSlice(written);
            }
            return 0;
        }
    }

    /** Waits for a child's end; its wait status, or a negated errno. Platform threads only. */
    static int waitFor(int pid) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment status = arena.allocate(JAVA_INT);
            long result = call(WAITPID, pid, status, 0);
            return result < 0 ? (int) result : status.get(JAVA_INT, 0);
        }
    }

    /** A handle for a function whose errno is wanted. */
    static MethodHandle of(String name, MemoryLayout result, MemoryLayout... arguments) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name),
                FunctionDescriptor.of(result, arguments),
                ERRNO);
    }

    /** send(2) or recv(2) straight out of the heap or into it: for calls that never wait. */
    private static MethodHandle ofHeap(String name) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name),
                FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT),
                ERRNO,
                Linker.Option.critical(true));
    }

    /** A handle for a function of so many pointers that gives an int. */
    static MethodHandle ofPointers(String name, int pointers) {
        MemoryLayout[] arguments = new MemoryLayout[pointers];
        Arrays.fill(arguments, ADDRESS);
        return of(name, JAVA_INT, arguments);
    }

    /**
     * A call of a handle with the types that it has: what a lease waits for is called like this.
     */
    private interface ExactCall {
        long on(MemorySegment state) throws Throwable;
    }

    private static long exact(ExactCall call) {
        long result = once(call);
        while (result == -EINTR) {
            result = once(call);
        }
        return result;
    }

    private static long once(ExactCall call) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            long result = call.on(state);
            return result == -1 ? -(int) ERRNO_FIELD.get(state, 0L) : result;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("a foreign call threw", e);
        }
    }

    /** Calls a handle made by {@link #of}: its result, or the negated errno when that is -1. */
    static long call(MethodHandle handle, Object... arguments) {
        return exact(state -> {
            Object[] all = new Object[arguments.length + 1];
            all[0] = state;
            System.arraycopy(arguments, 0, all, 1, arguments.length);
            return ((Number) handle.invokeWithArguments(all)).longValue();
        });
    }
}
