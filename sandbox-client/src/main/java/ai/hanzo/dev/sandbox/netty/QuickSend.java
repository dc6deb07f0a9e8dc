package ai.hanzo.dev.sandbox.netty;

/**
 * Sends packets past the event loop, from the thread that has them: to wake the loop for each would
 * take longer than to send it. Used by one thread at a time; nothing in it waits.
 */
public interface QuickSend extends AutoCloseable {

    /** What became of a packet. */
    enum Taken {
        /** The kernel has all of it. */
        SENT,
        /** The peer is behind: nothing was sent. */
        FULL,
        /** The peer is gone: nothing was sent. */
        GONE
    }

    /** Sends one packet or nothing, at once. */
    Taken send(byte[] packet);

    /** Lets its descriptor go. Called once, after the last send. */
    @Override
    void close();
}
