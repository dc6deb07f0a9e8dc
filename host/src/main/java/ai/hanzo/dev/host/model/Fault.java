package ai.hanzo.dev.host.model;

import ai.hanzo.dev.protocol.Event.FailureCode;
import java.time.Duration;
import java.util.Optional;

/**
 * Why one try at a model brought no reply. Immutable.
 *
 * @param message one sentence, without a key in it
 * @param retryAfter the provider's wish, from now on
 */
record Fault(Kind kind, String message, Optional<Duration> retryAfter) {

    Fault(Kind kind, String message) {
        this(kind, message, Optional.empty());
    }

    /** What a fault calls for. */
    enum Kind {
        /** Broken connection, 408, 5xx: may be over soon. */
        TRANSIENT,
        /** 429: too many requests for now. */
        RATE_LIMIT,
        /** A reply that cannot be read. */
        GARBLED,
        /** The conversation is longer than the model takes. */
        OVERFLOW,
        /** 4xx, spent quota, content filter: asking again changes nothing. */
        REFUSED;

        boolean isRetried() {
            return switch (this) {
                case TRANSIENT, RATE_LIMIT, GARBLED -> true;
                case OVERFLOW, REFUSED -> false;
            };
        }

        FailureCode code() {
            return switch (this) {
                case TRANSIENT, RATE_LIMIT -> FailureCode.UNAVAILABLE;
                case GARBLED -> FailureCode.MALFORMED;
                case OVERFLOW -> FailureCode.CONTEXT_OVERFLOW;
                case REFUSED -> FailureCode.REFUSED;
            };
        }
    }
}
