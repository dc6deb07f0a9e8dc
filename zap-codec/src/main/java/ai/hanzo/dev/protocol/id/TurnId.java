package ai.hanzo.dev.protocol.id;

/** A turn, counted within its session, from 1 to 2^63-1. */
public record TurnId(long value) implements Comparable<TurnId> {

    /** Throws {@link IllegalArgumentException} below 1. */
    public TurnId {
        if (value < 1) {
            throw new IllegalArgumentException(value + " is below 1");
        }
    }

    @Override
    public int compareTo(TurnId other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
