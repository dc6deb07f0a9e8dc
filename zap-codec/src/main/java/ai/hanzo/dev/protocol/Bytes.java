package ai.hanzo.dev.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * An immutable run of bytes. {@link #wrap} takes over an array that nobody else may change any
 * more; everything else copies. Equality is by content. Safe for all threads.
 */
public final class Bytes {
    private static final Bytes EMPTY = new Bytes(new byte[0], 0, 0);

    private final byte[] array;
    private final int offset;
    private final int length;

    private Bytes(byte[] array, int offset, int length) {
        this.array = array;
        this.offset = offset;
        this.length = length;
    }

    /** No bytes. */
    public static Bytes empty() {
        return EMPTY;
    }

    /** The whole of {@code array}, which the caller gives away. */
    public static Bytes wrap(byte[] array) {
        return array.length == 0 ? EMPTY : new Bytes(array, 0, array.length);
    }

    /** A copy of {@code array}. */
    public static Bytes copyOf(byte[] array) {
        return wrap(array.clone());
    }

    /** A copy of what remains in {@code buffer}, which is left as it was. */
    public static Bytes copyOf(ByteBuffer buffer) {
        byte[] copy = new byte[buffer.remaining()];
        buffer.duplicate().get(copy);
        return wrap(copy);
    }

    /** The UTF-8 bytes of {@code text}. */
    public static Bytes utf8(String text) {
        return wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The bytes of an even number of hexadecimal digits. */
    public static Bytes hex(String digits) {
        return wrap(HexFormat.of().parseHex(digits));
    }

    /** The number of bytes. */
    public int length() {
        return length;
    }

    /** Whether there are none. */
    public boolean isEmpty() {
        return length == 0;
    }

    /** The byte at {@code index}, 0 to {@code length() - 1}. */
    public byte at(int index) {
        if (index < 0 || index >= length) {
            throw new IndexOutOfBoundsException(index);
        }
        return array[offset + index];
    }

    /** The bytes from {@code from} (inclusive) to {@code to} (exclusive), without a copy. */
    public Bytes slice(int from, int to) {
        if (from < 0 || to < from || to > length) {
            throw new IndexOutOfBoundsException(from + " to " + to + " of " + length);
        }
        return from == to ? EMPTY : new Bytes(array, offset + from, to - from);
    }

    /** These bytes and then those of {@code other}, in one copy. */
    public Bytes concat(Bytes other) {
        if (other.isEmpty()) {
            return this;
        }
        byte[] joined = new byte[Math.addExact(length, other.length)];
        copyTo(joined, 0);
        other.copyTo(joined, length);
        return wrap(joined);
    }

    /** A copy that the caller owns. */
    public byte[] toArray() {
        return Arrays.copyOfRange(array, offset, offset + length);
    }

    /** A read-only view. */
    public ByteBuffer toBuffer() {
        return ByteBuffer.wrap(array, offset, length).slice().asReadOnlyBuffer();
    }

    /** Copies all bytes into {@code target} at {@code at}. */
    public void copyTo(byte[] target, int at) {
        System.arraycopy(array, offset, target, at, length);
    }

    /** The text of these bytes as UTF-8; what is not UTF-8 becomes U+FFFD. */
    public String toUtf8() {
        return new String(array, offset, length, StandardCharsets.UTF_8);
    }

    /** Lower-case hexadecimal digits. */
    public String toHex() {
        return HexFormat.of().formatHex(array, offset, offset + length);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes that
                && Arrays.equals(
                        array,
                        offset,
                        offset + length,
                        that.array,
                        that.offset,
                        that.offset + that.length);
    }

    @Override
    public int hashCode() {
        int hash = 1;
        for (int i = offset; i < offset + length; i++) {
            hash = 31 * hash + array[i];
        }
        return hash;
    }

    /** The length and at most the first 16 bytes: bytes may be secret and may be long. */
    @Override
    public String toString() {
        return "Bytes[" + length + ": " + slice(0, Math.min(length, 16)).toHex() + "]";
    }
}
