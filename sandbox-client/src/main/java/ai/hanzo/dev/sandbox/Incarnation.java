package ai.hanzo.dev.sandbox;

import ai.hanzo.dev.protocol.Bytes;

/**
 * One life of a cell's daemon, random at its start: two equal values are the same process.
 *
 * @param value 32 hexadecimal digits
 */
public record Incarnation(String value) {
    public Incarnation {
        if (Bytes.hex(value).length() != 16) {
            throw new IllegalArgumentException("not an incarnation: '" + value + "'");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
