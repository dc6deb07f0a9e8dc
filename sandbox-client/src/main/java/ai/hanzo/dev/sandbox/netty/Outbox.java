package ai.hanzo.dev.sandbox.netty;

import ai.hanzo.dev.sandbox.netty.PacketSocket.Taken;
import java.util.ArrayDeque;
import java.util.Deque;

/** What goes out over a socket, in order, with what it has not taken yet. One thread at a time. */
final class Outbox {

    /** Eight of the largest packets. */
    private static final int QUEUED_BYTES = 8 * PacketLoop.MAX_PACKET_BYTES;

    private final PacketSocket socket;
    private final Deque<byte[]> queue = new ArrayDeque<>();
    private int queuedBytes;
    private boolean isFull;

    Outbox(PacketSocket socket) {
        this.socket = socket;
    }

    /** Whether too much is queued, and not half of it has gone since. */
    boolean isFull() {
        return isFull;
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    /** Sends a packet, or queues it behind a slow peer; not for one that has gone. */
    Taken send(byte[] packet) {
        Taken taken = queue.isEmpty() ? socket.send(packet) : Taken.FULL;
        if (taken == Taken.FULL) {
            queue.add(packet);
            queuedBytes += packet.length;
            isFull |= queuedBytes > QUEUED_BYTES;
        }
        return taken;
    }

    /**
     * Sends what is queued, as far as the socket takes it; nobody takes it for a peer that went.
     */
    void flush() {
        while (!queue.isEmpty() && socket.send(queue.element()) != Taken.FULL) {
            queuedBytes -= queue.remove().length;
        }
        isFull &= queuedBytes > QUEUED_BYTES / 2;
    }

    void clear() {
        queue.clear();
    }
}
