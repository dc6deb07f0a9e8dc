package ai.hanzo.dev.sandbox;

import java.util.Optional;

/**
 * The connections that commands of one cell make to the way out that they are given: port {@value
 * #PORT} on their own loopback. Whoever takes them decides where they lead.
 *
 * <p>Threads: any; calls block and are meant for virtual threads. It ends with the cell, with its
 * next lease by another host, and with {@link #close}; so do its connections.
 */
public interface CellNetwork extends AutoCloseable {

    /** {@code wasm/dev.zap}, the network. */
    int PORT = 3128;

    /** Waits for the next connection; empty when there will be none any more. */
    Optional<CellConnection> accept() throws InterruptedException;

    /** Ends all connections; commands find nobody at the port from now on. May be called twice. */
    @Override
    void close();
}
