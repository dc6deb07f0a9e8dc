package ai.hanzo.dev.sandbox;

import ai.hanzo.dev.sandbox.netty.PacketLoop;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One connection to the supervisor, which is started when none runs.
 *
 * <p>Threads: a platform thread of its own connects and then reads, and it alone calls the
 * listener; any thread sends, without ever blocking in the kernel.
 */
final class SupervisorLink implements AutoCloseable {

    private static final String SOCKET = "supervisor.sock";
    private static final long RETRY_NANOS = Duration.ofMillis(5).toNanos();

    /** Takes what the supervisor sends. */
    interface Listener {
        void packet(MessageReceiver.Packet packet);

        void ended(CellException why);
    }

    private final Path directory;
    private final Listener listener;
    private final CompletableFuture<Integer> connected = new CompletableFuture<>();

    /** Held around every use of the descriptor but the reader's: its number is used again. */
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by {@code lock}. */
    private boolean isClosed;

    private SupervisorLink(Path directory, Listener listener) {
        this.directory = directory;
        this.listener = listener;
    }

    /** Begins to connect; {@link #send} waits for it. */
    static SupervisorLink open(Path directory, Listener listener) {
        SupervisorLink link = new SupervisorLink(directory, listener);
        Thread.ofPlatform().daemon().name("cell-supervisor").start(link::run);
        return link;
    }

    /** Sends one packet, waiting at most so long for the connection and for room. */
    void send(byte[] packet, Duration atMost) {
        long deadline = System.nanoTime() + atMost.toNanos();
        int socket = Futures.get(connected, atMost, "The supervisor");
        long result = sendNow(socket, packet);
        while (result == -Errno.EAGAIN) {
            if (System.nanoTime() - deadline > 0) {
                throw CellException.timeout("The supervisor", atMost);
            }
            LockSupport.parkNanos(RETRY_NANOS);
            result = sendNow(socket, packet);
        }
        if (result < 0) {
            throw CellException.supervisorGone(
                    "The supervisor of cells went away (send: %s): its cells are lost, start again"
                            .formatted(Errno.name((int) -result)));
        }
    }

    private long sendNow(int socket, byte[] packet) {
        lock.lock();
        try {
            return isClosed ? -Errno.EPIPE : Libc.sendNow(socket, packet);
        } finally {
            lock.unlock();
        }
    }

    /** Ends the connection; the listener is told. */
    @Override
    public void close() {
        if (connected.completeExceptionally(CellException.closed("The connection"))
                || connected.isCompletedExceptionally()) {
            return;
        }
        lock.lock();
        try {
            if (!isClosed) {
                // Wakes the reader, which then closes the descriptor.
                Libc.shutdown(connected.join());
            }
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        int socket;
        try {
            socket = connect();
        } catch (CellException e) {
            connected.completeExceptionally(e);
            listener.ended(e);
            return;
        }
        String why = connected.complete(socket) ? read(socket) : "closed here";
        lock.lock();
        try {
            isClosed = true;
            Libc.close(socket);
        } finally {
            lock.unlock();
        }
        listener.ended(
                CellException.supervisorGone(
                        "The supervisor of cells went away (%s): its cells are lost, start again"
                                .formatted(why)));
    }

    private String read(int socket) {
        try (var receiver = new MessageReceiver(socket, PacketLoop.MAX_PACKET_BYTES)) {
            while (true) {
                switch (receiver.receive()) {
                    case MessageReceiver.Packet packet -> listener.packet(packet);
                    case MessageReceiver.End _ -> {
                        return "end of file";
                    }
                    case MessageReceiver.Broken(String what) -> {
                        return what;
                    }
                }
            }
        } catch (RuntimeException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private int connect() {
        Path path = directory.resolve(SOCKET);
        int length = path.toString().getBytes(StandardCharsets.UTF_8).length;
        if (length > Libc.maxSocketPathBytes()) {
            throw CellException.unsupported(
                    "%s is too long for a socket (%d bytes, at most %d): set HANZO_HOME to a shorter path"
                            .formatted(path, length, Libc.maxSocketPathBytes()));
        }
        int first = tryConnect(path);
        if (first >= 0) {
            return first;
        }
        if (first != -Errno.ENOENT && first != -Errno.ECONNREFUSED) {
            throw CellException.supervisorGone(
                    "%s cannot be connected to (%s): check its owner and permissions"
                            .formatted(path, Errno.name(-first)));
        }
        start();
        int second = tryConnect(path);
        if (second < 0) {
            throw CellException.supervisorGone(
                    "The supervisor was started but %s cannot be connected to (%s): see supervisor.log"
                            .formatted(path, Errno.name(-second)));
        }
        return second;
    }

    private static int tryConnect(Path path) {
        int socket = Libc.packetSocket();
        if (socket < 0) {
            return socket;
        }
        int result = Libc.connect(socket, path);
        if (result < 0) {
            Libc.close(socket);
            return result;
        }
        return socket;
    }

    /**
     * Returns when a supervisor answers: this one, or another that was started at the same time.
     */
    private void start() {
        List<String> command =
                List.of("cell", "supervise", "--dir", directory.toString(), "--detach");
        switch (CellBinary.run(command)) {
            case NativeProcess.Ended(int exit, String printed) -> {
                if (exit != 0) {
                    throw CellException.supervisorGone(
                            "The supervisor of cells did not start (exit %d): %s"
                                    .formatted(
                                            exit, printed.isEmpty() ? "no reason given" : printed));
                }
            }
            case NativeProcess.NotRun(String why) ->
                    throw CellException.supervisorGone(
                            "The supervisor of cells cannot be run: " + why);
        }
    }
}
