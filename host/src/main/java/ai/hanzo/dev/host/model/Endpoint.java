package ai.hanzo.dev.host.model;

import ai.hanzo.dev.protocol.Event.Usage;
import java.time.Duration;
import java.util.List;

/**
 * One way to reach a model, without retries: those are {@link RetryingModel}'s. Safe for all
 * threads.
 */
interface Endpoint {

    /** Tries once, on the calling thread. */
    Answer attempt(Attempt attempt) throws InterruptedException;

    /**
     * One try.
     *
     * @param number of tries of this ask before it, since it was last parked
     * @param stop set when the try is to end: by the caller, or because its time is over
     * @param limit the longest that it may take
     */
    record Attempt(
            ModelRequest request,
            int number,
            DeltaListener deltas,
            Cancellation stop,
            Duration limit) {}

    /** What came of one try. */
    sealed interface Answer {
        /** The whole reply. */
        record Whole(String text, List<Written> calls, Usage usage, Ending ending)
                implements Answer {
            public Whole {
                calls = List.copyOf(calls);
            }
        }

        /** No reply. */
        record Broken(Fault fault) implements Answer {}

        /** {@link Attempt#stop} came first. */
        record Stopped() implements Answer {}
    }

    /** A call as the model wrote it. */
    record Written(String id, String tool, String arguments) {}

    /** Why a reply ends where it does. */
    enum Ending {
        /** The model was done. */
        WHOLE,
        /** The limit of output tokens was reached. */
        CUT
    }
}
