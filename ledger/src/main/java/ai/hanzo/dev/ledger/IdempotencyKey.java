package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.Sha256;

/**
 * A caller's own name for a request, by which a repetition is known.
 *
 * @param value 1 to 200 characters, unique within the source and session (or org, for a start)
 * @param body digest of the request: the same key with another body is refused
 */
public record IdempotencyKey(String value, Sha256 body) {
    private static final int MAX_CHARS = 200;

    /** Throws {@link IllegalArgumentException} when {@code value} is empty or too long. */
    public IdempotencyKey {
        if (value.isEmpty() || value.length() > MAX_CHARS) {
            throw new IllegalArgumentException(
                    "an idempotency key has 1 to " + MAX_CHARS + " characters");
        }
    }
}
