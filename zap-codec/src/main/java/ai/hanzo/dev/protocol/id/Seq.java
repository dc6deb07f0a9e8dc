package ai.hanzo.dev.protocol.id;

/** A place in the journal of a session; 0 is before its first entry, from 0 to 2^63-1. */
public record Seq(long value) implements Comparable<Seq> {

    /** Throws {@link IllegalArgumentException} below 0. */
    public Seq {
        if (value < 0) {
            throw new IllegalArgumentException(value + " is below 0");
        }
    }

    @Override
    public int compareTo(Seq other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
