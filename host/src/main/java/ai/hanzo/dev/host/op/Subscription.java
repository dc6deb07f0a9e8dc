package ai.hanzo.dev.host.op;

import java.time.Duration;
import java.util.Optional;

/**
 * One follower of one session. Used by one thread; {@link #close()} may be called from any and more
 * than once. What waits for the follower is bounded: deltas are dropped first; entries are never
 * lost, they are read again from the ledger.
 */
public interface Subscription extends AutoCloseable {
    /**
     * The next item, or empty after {@code wait} without one. After {@link StreamItem.End}, and
     * after {@code close}, always an {@code End} at once.
     *
     * @throws InterruptedException when the thread is interrupted while it waits
     */
    Optional<StreamItem> next(Duration wait) throws InterruptedException;

    @Override
    void close();
}
