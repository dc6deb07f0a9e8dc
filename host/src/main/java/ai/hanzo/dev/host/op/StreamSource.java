package ai.hanzo.dev.host.op;

import ai.hanzo.dev.host.op.v1.StreamRequest;

/** Gives out the journal of a session as it grows. Any thread. */
public interface StreamSource {
    /**
     * Follows a session: first every committed entry with a sequence above {@code request.after}
     * (absent: all), then each new one when it is committed, and deltas in between.
     *
     * @throws OpException {@link OpCode#NOT_FOUND} when there is no such session in the caller's
     *     org
     */
    Subscription follow(Caller caller, StreamRequest request);
}
