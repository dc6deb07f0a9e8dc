package ai.hanzo.dev.zap;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * How a generated builder of dialect shape fills the array of its message, front to back. The
 * builder counts the bytes first, so the array is made once, of the right size and zero, and
 * nothing is moved or copied again: what is empty or zero is there already. Where the builder is
 * goes from call to call in a number, not in an object: a local variable costs nothing.
 *
 * <p>For generated code, whose offsets the schema compiler has checked; whoever writes by hand uses
 * {@link ZapWriter}, which traps mistakes. What does not fit, because a value was changed between
 * counting and filling, ends in an exception and never in a message. Without state.
 */
public final class ZapArray {
    /** Where the first object or list of a message may begin. */
    public static final int START = Header.BYTES;

    private static final int SHORT_TEXT_CHARS = 32;
    private static final byte[] NONE = {};
    private static final Object[] NO_TEXTS = {};

    private ZapArray() {}

    /**
     * An array for a message that ends at {@code end}, header included.
     *
     * @throws IllegalStateException if that is more than a message may have
     */
    public static byte[] of(long end) {
        if (end > Budget.MAX_MESSAGE_BYTES) {
            throw new IllegalStateException(
                    "a message of %d bytes, more than %d".formatted(end, Budget.MAX_MESSAGE_BYTES));
        }
        return new byte[(int) end];
    }

    /**
     * Writes the header and hands the message out.
     *
     * @param written what the write of the root gave
     * @throws IllegalStateException if the array is not full
     */
    public static byte[] finish(byte[] array, int version, long written) {
        if (end(written) != array.length) {
            throw new IllegalStateException(
                    "%d bytes were counted and %d written".formatted(array.length, end(written)));
        }
        Words.INT.set(array, 0, Header.MAGIC);
        Words.INT.set(array, 4, version);
        Words.INT.set(array, 8, at(written));
        Words.INT.set(array, 12, array.length);
        return array;
    }

    /** Where an object is, and where it ends with its tails, in one number. */
    public static long written(int at, int end) {
        return (long) end << 32 | at;
    }

    /** Where the object is. */
    public static int at(long written) {
        return (int) written;
    }

    /** Where it ends. */
    public static int end(long written) {
        return (int) (written >>> 32);
    }

    /** The first multiple of 8 from {@code at} on: where an object or a list begins. */
    public static long aligned(long at) {
        return at + 7 & -8;
    }

    /** The first multiple of 8 from {@code at} on. */
    public static int aligned(int at) {
        return at + 7 & -8;
    }

    /** The bytes of nothing. */
    public static byte[] none() {
        return NONE;
    }

    /** The texts of an empty list. */
    public static Object[] noTexts() {
        return NO_TEXTS;
    }

    /**
     * A text as a builder keeps it: itself if it is short and ASCII, else its UTF-8 bytes, in which
     * an unpaired surrogate is '?'. {@link #length} and {@link #tail(byte[], int, int, Object)}
     * take what this gives.
     */
    public static Object text(String text) {
        return isShortAscii(text) ? text : text.getBytes(StandardCharsets.UTF_8);
    }

    /** Each text as a builder keeps it. */
    public static Object[] texts(List<String> texts) {
        Object[] all = new Object[texts.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = text(texts.get(i));
        }
        return all;
    }

    /** Bytes that a kept text takes. */
    public static int length(Object text) {
        return text instanceof String ascii ? ascii.length() : ((byte[]) text).length;
    }

    /** Looking at each char is cheaper than the JDK's encoder, which allocates, up to here. */
    private static boolean isShortAscii(String text) {
        int length = text.length();
        if (length > SHORT_TEXT_CHARS) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (text.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }

    /** Sets a one-byte number. */
    public static void u8(byte[] array, int at, int value) {
        array[at] = (byte) value;
    }

    /** Sets a truth value. */
    public static void bool(byte[] array, int at, boolean value) {
        array[at] = (byte) (value ? 1 : 0);
    }

    /** Sets a two-byte number. */
    public static void u16(byte[] array, int at, int value) {
        Words.SHORT.set(array, at, (short) value);
    }

    /** Sets a four-byte number; for an f32 its bits. */
    public static void u32(byte[] array, int at, int value) {
        Words.INT.set(array, at, value);
    }

    /** Sets an eight-byte number; for an f64 its bits. */
    public static void u64(byte[] array, int at, long value) {
        Words.LONG.set(array, at, value);
    }

    /** Puts bytes as they are. */
    public static void put(byte[] array, int at, byte[] value) {
        System.arraycopy(value, 0, array, at, value.length);
    }

    /**
     * Puts an element of a list of {@code bytes_fixed[length]}.
     *
     * @throws IllegalArgumentException if it has another length
     */
    public static void fixed(byte[] array, int at, byte[] value, int length) {
        if (value.length != length) {
            throw new IllegalArgumentException(
                    "an element of %d bytes, not %d".formatted(value.length, length));
        }
        put(array, at, value);
    }

    /**
     * Puts the value of the bytes at {@code slot} at {@code pos}; none is null. Answers its end.
     */
    public static int tail(byte[] array, int pos, int slot, byte[] value) {
        int length = value.length;
        if (length == 0) {
            return pos;
        }
        copy(value, array, pos, length);
        return point(array, pos, slot, length);
    }

    /** Names and ids are short: two words that may overlap cost less than the call of a copy. */
    private static void copy(byte[] from, byte[] to, int at, int length) {
        if (length < 8 || length > 16) {
            System.arraycopy(from, 0, to, at, length);
            return;
        }
        Words.LONG.set(to, at, (long) Words.LONG.get(from, 0));
        Words.LONG.set(to, at + length - 8, (long) Words.LONG.get(from, length - 8));
    }

    /** Puts a text, as {@link #text} gives it, at {@code pos}; "" is null. Answers its end. */
    public static int tail(byte[] array, int pos, int slot, Object text) {
        return text instanceof String ascii
                ? ascii(array, pos, slot, ascii)
                : tail(array, pos, slot, (byte[]) text);
    }

    /** The only copy of chars to bytes in the JDK that allocates nothing; right for ASCII. */
    @SuppressWarnings("deprecation")
    private static int ascii(byte[] array, int pos, int slot, String ascii) {
        int length = ascii.length();
        if (length == 0) {
            return pos;
        }
        ascii.getBytes(0, length, array, pos);
        return point(array, pos, slot, length);
    }

    private static int point(byte[] array, int pos, int slot, int length) {
        Words.LONG.set(array, slot, (long) length << 32 | pos - slot);
        return pos + length;
    }

    /** Points to the object at {@code target}; 0 is null. */
    public static void pointer(byte[] array, int slot, int target) {
        if (target != 0) {
            Words.INT.set(array, slot, target - slot);
        }
    }

    /** Points to {@code count} elements at {@code target}; 0 of them is null. */
    public static void list(byte[] array, int slot, int target, int count) {
        if (count != 0) {
            Words.INT.set(array, slot, target - slot);
            Words.INT.set(array, slot + 4, count);
        }
    }
}
