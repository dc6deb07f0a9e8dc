package ai.hanzo.dev.sandbox.netty;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * One end of a connected {@code SOCK_SEQPACKET} pair. Threads: any.
 *
 * <p>A packet goes to the socket at once, from its sender's thread. Behind a slow peer up to 1 MiB
 * of them queue for the event loop; then senders wait.
 */
public interface PacketPort extends AutoCloseable {

    /**
     * Queues one packet for the peer, waiting while too much is queued already.
     *
     * @param packet 1 to {@link PacketLoop#MAX_PACKET_BYTES} bytes, not changed afterwards
     * @throws InterruptedException while waiting; nothing was queued
     */
    Sent send(byte[] packet, Duration atMost) throws InterruptedException;

    /**
     * For one who waits for an answer that comes soon: takes what comes, in the event loop's place
     * and as it would, until it is there or {@value SeqPackets#LOOK_NANOS} ns are over. Keeps a
     * processor busy meanwhile, so it ends at once when as many look as the machine can spare
     * processors, or somebody looks at this port already.
     */
    void look(BooleanSupplier isThere);

    /** What became of a packet. */
    enum Sent {
        /** Sent or queued: it goes out in order unless the port ends first. */
        QUEUED,
        /** The peer did not take the earlier ones in time; nothing was queued. */
        FULL,
        /** The port has ended; nothing was queued. */
        ENDED
    }

    /** Closes the descriptor. Packets still queued are lost. */
    @Override
    void close();
}
