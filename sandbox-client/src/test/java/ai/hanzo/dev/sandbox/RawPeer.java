package ai.hanzo.dev.sandbox;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/** The other end of a pair, by plain blocking system calls. For the test's own platform thread. */
final class RawPeer implements AutoCloseable {
    private final int descriptor;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment buffer = arena.allocate(1 << 20);
    private boolean isClosed;

    RawPeer(int descriptor) {
        this.descriptor = descriptor;
    }

    /** The next packet, or empty at the end. */
    Optional<byte[]> receive() {
        long length = Libc.receive(descriptor, buffer);
        if (length <= 0) {
            return Optional.empty();
        }
        return Optional.of(buffer.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));
    }

    long send(byte[] packet) {
        return Libc.sendWaiting(descriptor, packet);
    }

    long sendNow(byte[] packet) {
        return Libc.sendNow(descriptor, packet);
    }

    /** Ends both directions: a thread in {@link #receive} sees the end. */
    void shutdown() {
        Libc.shutdown(descriptor);
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            Libc.close(descriptor);
            arena.close();
        }
    }
}
