package ai.hanzo.dev.protocol.id;

/**
 * The id of a run, which is one turn of a session: {@code run_} and 26 characters of Crockford's
 * base 32.
 */
public record RunId(String value) {
    private static final String PREFIX = "run_";

    /** Throws {@link IllegalArgumentException} when {@code value} is not of the form above. */
    public RunId {
        Crockford.require(PREFIX, value);
    }

    /** A new id from {@code ids}. */
    public static RunId next(Uuid7 ids) {
        return new RunId(PREFIX + Crockford.encode(ids.next()));
    }

    @Override
    public String toString() {
        return value;
    }
}
