package ai.hanzo.dev.protocol.id;

/** An action, minted by the core within its session, from 1 to 2^63-1. */
public record ActionId(long value) implements Comparable<ActionId> {

    /** Throws {@link IllegalArgumentException} below 1. */
    public ActionId {
        if (value < 1) {
            throw new IllegalArgumentException(value + " is below 1");
        }
    }

    @Override
    public int compareTo(ActionId other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
