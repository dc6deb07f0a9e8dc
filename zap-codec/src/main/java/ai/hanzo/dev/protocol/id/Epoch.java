package ai.hanzo.dev.protocol.id;

/** The count of a session's leases; a higher one fences all lower ones, from 1 to 2^63-1. */
public record Epoch(long value) implements Comparable<Epoch> {

    /** Throws {@link IllegalArgumentException} below 1. */
    public Epoch {
        if (value < 1) {
            throw new IllegalArgumentException(value + " is below 1");
        }
    }

    @Override
    public int compareTo(Epoch other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
