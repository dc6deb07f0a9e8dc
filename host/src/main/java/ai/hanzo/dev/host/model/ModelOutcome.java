package ai.hanzo.dev.host.model;

import ai.hanzo.dev.protocol.Event;
import java.time.Duration;

/** What came of asking a model once, retries included. Immutable. */
public sealed interface ModelOutcome {

    /** The model answered; the reply is ready for the journal. */
    record Replied(Event.ModelReply reply) implements ModelOutcome {}

    /** The model could not be asked, after all retries; the event is ready for the journal. */
    record Failed(Event.ModelFailed failure) implements ModelOutcome {}

    /**
     * The provider said to come back later than a call may wait. Nothing is to be appended: the
     * session waits as {@code waiting_quota} and the same ask is put again after {@code pause},
     * with {@link ModelRequest#parked} one higher.
     *
     * @param pause from now on, never shorter than the provider asked for
     * @param message one sentence for a person
     */
    record Parked(Duration pause, String message) implements ModelOutcome {}

    /** The {@link Cancellation} came first; whatever the model would have said is lost. */
    record Cancelled() implements ModelOutcome {}
}
