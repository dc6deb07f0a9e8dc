package ai.hanzo.dev.sandbox.netty;

/**
 * A connected packet socket, as the kernel has it. Nothing in it waits. One thread at a time sends,
 * one receives, and both may happen at once. What the kernel refuses for other reasons than those
 * named here is an {@link java.io.UncheckedIOException}.
 */
public interface PacketSocket extends AutoCloseable {

    /** What {@link #nextBytes} says when nothing has come. */
    int NONE = -1;

    /** What became of a packet. */
    enum Taken {
        /** The kernel has all of it. */
        SENT,
        /** The peer is behind: nothing was sent. */
        FULL,
        /** The peer is gone: nothing was sent. */
        GONE
    }

    /** For the event loop, which asks the kernel about it. */
    int descriptor();

    /** Sends one packet or nothing, at once. */
    Taken send(byte[] packet);

    /** How large the next packet is, which stays; 0 at the end, or {@link #NONE}. */
    int nextBytes();

    /** Takes the next packet, which is just as large. */
    void take(byte[] packet);

    /** Lets its descriptor go. Called once, after everything else. */
    @Override
    void close();
}
