package ai.hanzo.dev.protocol.id;

/** The id of a session: {@code ses_} and 26 characters of Crockford's base 32. */
public record SessionId(String value) {
    private static final String PREFIX = "ses_";

    /** Throws {@link IllegalArgumentException} when {@code value} is not of the form above. */
    public SessionId {
        Crockford.require(PREFIX, value);
    }

    /** A new id from {@code ids}. */
    public static SessionId next(Uuid7 ids) {
        return new SessionId(PREFIX + Crockford.encode(ids.next()));
    }

    @Override
    public String toString() {
        return value;
    }
}
