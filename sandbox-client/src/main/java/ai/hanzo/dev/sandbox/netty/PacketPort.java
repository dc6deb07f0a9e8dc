package ai.hanzo.dev.sandbox.netty;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

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
     * Waits for what a packet brings soon. The caller looks for it first: it takes what comes, in
     * the event loop's place and as that would, until it is there or {@value SeqPackets#LOOK_NANOS}
     * ns are over. That keeps a processor busy, so not more do it at once than the machine can
     * spare processors.
     *
     * @param isThere asked again and again, at least once unless too many wait already
     * @param wait gives what is there, or waits until the event loop has brought it
     */
    <T> T awaitSoon(BooleanSupplier isThere, Supplier<T> wait);

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
