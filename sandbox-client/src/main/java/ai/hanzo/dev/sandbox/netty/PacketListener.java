package ai.hanzo.dev.sandbox.netty;

/**
 * Takes what comes out of a descriptor. It must not block, nor look at a port: packets come one at
 * a time, on the event loop's thread or on that of one who looks, the end on the thread that found
 * it. What {@link #packet} throws ends the port with {@link PacketEnd.Failed}.
 */
public interface PacketListener {

    /**
     * One whole packet, in order.
     *
     * @param packet 1 to {@link PacketLoop#MAX_PACKET_BYTES} bytes, given away
     */
    void packet(byte[] packet);

    /** Nothing can be sent any more; at most the packet in hand still comes. Called once. */
    void ended(PacketEnd end);
}
