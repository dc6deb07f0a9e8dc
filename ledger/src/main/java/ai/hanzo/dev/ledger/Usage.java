package ai.hanzo.dev.ledger;

/** Tokens, as providers count them; each 0 or more. */
public record Usage(long inputTokens, long outputTokens) {
    /** Nothing. */
    public static final Usage NONE = new Usage(0, 0);

    /** Throws {@link IllegalArgumentException} when a count is below 0. */
    public Usage {
        if (inputTokens < 0 || outputTokens < 0) {
            throw new IllegalArgumentException(inputTokens + ", " + outputTokens + " below 0");
        }
    }
}
