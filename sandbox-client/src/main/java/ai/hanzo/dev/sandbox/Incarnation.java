package ai.hanzo.dev.sandbox;

/**
 * One life of a cell's daemon: two equal values are the same process.
 *
 * @param value random, in hexadecimal
 */
public record Incarnation(String value) {
    public Incarnation {
        if (value.isEmpty() || value.length() > 64) {
            throw new IllegalArgumentException("not an incarnation: '" + value + "'");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
