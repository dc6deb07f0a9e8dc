package ai.hanzo.dev.sandbox;

import static java.util.Objects.requireNonNull;

/**
 * A cell's answer: it did what was asked, or it refused and nothing happened.
 *
 * @param <T> what a done request gives
 */
public sealed interface Reply<T> {

    /** It was done (now or earlier, under the same action id). */
    record Done<T>(T value) implements Reply<T> {
        public Done {
            requireNonNull(value, "value");
        }
    }

    /**
     * Nothing happened, and the action id stays free.
     *
     * @param message one sentence for the model and the person
     */
    record Refused<T>(RefusalCode code, String message) implements Reply<T> {
        public Refused {
            requireNonNull(code, "code");
            requireNonNull(message, "message");
        }

        /** The same refusal in the place of another result. */
        public <U> Refused<U> as() {
            return new Refused<>(code, message);
        }
    }
}
