package ai.hanzo.dev.ledger;

/**
 * What models were used.
 *
 * @param inputTokens as providers count them; 0 or more
 * @param outputTokens as providers count them; 0 or more
 * @param modelCalls answered calls; 0 or more
 */
public record Usage(long inputTokens, long outputTokens, long modelCalls) {
    /** Nothing. */
    public static final Usage NONE = new Usage(0, 0, 0);

    /** Throws {@link IllegalArgumentException} when a count is below 0. */
    public Usage {
        if (inputTokens < 0 || outputTokens < 0 || modelCalls < 0) {
            throw new IllegalArgumentException(
                    inputTokens + ", " + outputTokens + ", " + modelCalls + " below 0");
        }
    }
}
