package ai.hanzo.dev.sandbox.netty;

import static java.util.Objects.requireNonNull;

/** Why a port ended. */
public sealed interface PacketEnd {

    /** The other side closed its end, or died. */
    record PeerGone() implements PacketEnd {}

    /** {@link PacketPort#close} or {@link PacketLoop#close}. */
    record ClosedHere() implements PacketEnd {}

    /**
     * The other side sent more than {@link PacketLoop#MAX_PACKET_BYTES} in one packet.
     *
     * @param atLeastBytes how many of them were seen
     */
    record Oversize(int atLeastBytes) implements PacketEnd {}

    /** The kernel or the listener failed. */
    record Failed(Throwable cause) implements PacketEnd {
        public Failed {
            requireNonNull(cause, "cause");
        }
    }
}
