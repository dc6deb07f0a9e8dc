package ai.hanzo.dev.host.model;

import java.time.Duration;

/**
 * A model that can be asked. Safe for all threads: one provider serves all asks of a session side
 * by side.
 */
public interface ModelProvider {
    /** The longest that one ask may take, retries included: 10 minutes. */
    Duration TIME_LIMIT = Duration.ofMinutes(10);

    /**
     * Asks and waits for the whole answer, on the calling (virtual) thread, at most {@link
     * #TIME_LIMIT}. Transport faults, 429 and 5xx are retried inside; everything that can go wrong
     * outside of this program is an outcome and not an exception.
     *
     * @param deltas told of the pieces as they come, on the calling thread
     * @throws InterruptedException when the calling thread is interrupted; the request is aborted
     */
    ModelOutcome ask(ModelRequest request, DeltaListener deltas, Cancellation cancellation)
            throws InterruptedException;
}
