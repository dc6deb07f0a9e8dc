package ai.hanzo.dev.protocol.id;

/** The id of a request for approval: {@code apr_} and 26 characters of Crockford's base 32. */
public record ApprovalId(String value) {
    private static final String PREFIX = "apr_";

    /** Throws {@link IllegalArgumentException} when {@code value} is not of the form above. */
    public ApprovalId {
        Crockford.require(PREFIX, value);
    }

    /** A new id from {@code ids}. */
    public static ApprovalId next(Uuid7 ids) {
        return new ApprovalId(PREFIX + Crockford.encode(ids.next()));
    }

    @Override
    public String toString() {
        return value;
    }
}
