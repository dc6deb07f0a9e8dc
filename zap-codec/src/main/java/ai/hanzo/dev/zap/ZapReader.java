package ai.hanzo.dev.zap;

import ai.hanzo.dev.zap.CodecException.Code;
import java.nio.charset.StandardCharsets;

/**
 * A message in a byte array, read in place.
 *
 * <pre>
 *   0        4         6       8              12           16
 *   | magic  | version | flags | root (u32)   | size (u32) | objects, tails, lists …
 *   | ZAP\0  | 1 or 2  | u16   | position     | whole      |
 * </pre>
 *
 * <p>An object is a position, {@code long}, or {@link #NULL}; its fields are at offsets that the
 * schema gives. A null object answers zero to every question. Reading past the end of the message
 * gives zero too: that is how fields are added. A text or bytes value is a <i>run</i>: its position
 * and length in one {@code long}; a list is its position and count. 0 is the null run and the null
 * list. Nothing is copied and nothing allocated but by the methods that return a {@code String} or
 * an array. All arithmetic is in 64 bits: a 32-bit sum could be made to wrap.
 *
 * <p>{@link Mode#COMPATIBLE} answers as the public Go runtime does. {@link Mode#STRICT} refuses
 * with {@link CodecException} what that runtime passes over: see {@link Mode}. For untrusted bytes
 * open strictly, then {@link Validator#validate} before anything else.
 *
 * <p>A reader may be opened again on other bytes. Used by one thread; the bytes must not change.
 */
public final class ZapReader {
    /** The null object. */
    public static final long NULL = -1;

    /** Bytes of the header. */
    public static final int HEADER_BYTES = Header.BYTES;

    private static final byte[] NO_BYTES = new byte[0];

    /** How much is refused. */
    public enum Mode {
        /** Only what cannot be opened; every other fault reads as null or zero. */
        COMPATIBLE,
        /**
         * Also bytes after the message, a root below 16 or past the end, a flag in the low byte, a
         * non-null slot that does not resolve, a null slot with a length, a list shorter than its
         * count, text that is not UTF-8. Values that overlap are found by {@link Validator}.
         */
        STRICT
    }

    private byte[] array = NO_BYTES;
    private int base;
    private long size;
    private boolean isStrict;

    private ZapReader() {}

    /** A reader without a message; every object in it is null. */
    public static ZapReader empty() {
        return new ZapReader();
    }

    /**
     * Opens the message in the whole of {@code array}.
     *
     * @throws CodecException if it is none
     */
    public static ZapReader open(byte[] array, Mode mode) {
        return new ZapReader().reopen(array, 0, array.length, mode);
    }

    /**
     * Opens the message that begins at {@code from}.
     *
     * @throws CodecException if it is none
     */
    public static ZapReader open(byte[] array, int from, int length, Mode mode) {
        return new ZapReader().reopen(array, from, length, mode);
    }

    /**
     * Opens another message with this reader.
     *
     * @throws CodecException if it is none; the reader is then without a message
     */
    public ZapReader reopen(byte[] array, int from, int length, Mode mode) {
        if (from < 0 || length < 0 || from > array.length - length) {
            throw new IndexOutOfBoundsException(
                    "%d bytes from %d of %d".formatted(length, from, array.length));
        }
        this.size = 0;
        Header header = Header.check(array, from, length, mode);
        if (header != Header.GOOD) {
            throw header.refusal();
        }
        this.array = array;
        this.base = from;
        this.isStrict = mode == Mode.STRICT;
        this.size = Words.u32(array, from + 12);
        return this;
    }

    /** The version word, 1 or 2. */
    public int version() {
        return u16(0, 4);
    }

    /** The flags; the high byte is a message type in some uses. */
    public int flags() {
        return u16(0, 6);
    }

    /** Bytes of the message, header included. */
    public long sizeBytes() {
        return size;
    }

    /** Whether faults are refused. */
    public boolean isStrict() {
        return isStrict;
    }

    /** The bytes that are read; position 0 of the message is at {@link #base()}. */
    public byte[] array() {
        return array;
    }

    /** Where the message begins in {@link #array()}. */
    public int base() {
        return base;
    }

    /**
     * The root object. In compatible mode a root below 16 is answered as it stands: {@link #isNull}
     * says that 0 is null, yet its fields read the header, as in Go.
     */
    public long root() {
        return size == 0 ? NULL : u32(0, 8);
    }

    /** Whether an object is null. */
    public boolean isNull(long object) {
        return object <= 0;
    }

    // ---------------------------------------------------------------------------------------
    // Numbers

    /** Whether the byte is not 0. */
    public boolean bool(long object, int field) {
        return u8(object, field) != 0;
    }

    /** 0 to 255. */
    public int u8(long object, int field) {
        return i8(object, field) & 0xFF;
    }

    /** -128 to 127. */
    public byte i8(long object, int field) {
        long p = object + field;
        return object < 0 || p + 1 > size ? 0 : array[base + (int) p];
    }

    /** 0 to 65535. */
    public int u16(long object, int field) {
        return i16(object, field) & 0xFFFF;
    }

    /** -32768 to 32767. */
    public short i16(long object, int field) {
        long p = object + field;
        return object < 0 || p + 2 > size ? 0 : (short) Words.SHORT.get(array, base + (int) p);
    }

    /** 0 to 2^32-1. */
    public long u32(long object, int field) {
        return i32(object, field) & 0xFFFF_FFFFL;
    }

    /** -2^31 to 2^31-1; for an f32 its bits. */
    public int i32(long object, int field) {
        long p = object + field;
        return object < 0 || p + 4 > size ? 0 : (int) Words.INT.get(array, base + (int) p);
    }

    /** The 64 bits: a u64, an i64, or the bits of an f64. */
    public long i64(long object, int field) {
        long p = object + field;
        return object < 0 || p + 8 > size ? 0 : (long) Words.LONG.get(array, base + (int) p);
    }

    /** The number with the bits of that f32; a NaN keeps its bits if they are moved raw. */
    public float f32(long object, int field) {
        return Float.intBitsToFloat(i32(object, field));
    }

    /** The number with the bits of that f64. */
    public double f64(long object, int field) {
        return Double.longBitsToDouble(i64(object, field));
    }

    // ---------------------------------------------------------------------------------------
    // Runs: text and bytes

    /** The position of a run or list. */
    public static int start(long run) {
        return (int) (run >>> 32);
    }

    /** The length of a run, or the count of a list. */
    public static int length(long run) {
        return (int) run;
    }

    private static long pack(long start, long length) {
        return start << 32 | length;
    }

    /** The run of a text or bytes field; 0 if it is null. */
    public long run(long object, int field) {
        long p = object + field;
        if (object < 0 || p + 8 > size) {
            return isStrict && object >= 0 ? cutSlot(p) : 0;
        }
        long rel = Words.u32(array, base + (int) p);
        long length = Words.u32(array, base + (int) p + 4);
        if (rel == 0) {
            return isStrict && length != 0 ? refuse(Code.NULL_WITH_LENGTH, p) : 0;
        }
        long start = p + rel;
        if (start < HEADER_BYTES || start > size || length > size - start) {
            return isStrict ? refuse(Code.BAD_POINTER, p) : 0;
        }
        return pack(start, length);
    }

    /** The run of a {@code bytes_fixed[length]} field; 0 if it does not fit into the message. */
    public long fixed(long object, int field, int length) {
        long p = object + field;
        return object < 0 || length <= 0 || p + length > size ? 0 : pack(p, length);
    }

    /**
     * The text of a run; "" of the null run. In compatible mode what is not UTF-8 becomes U+FFFD.
     *
     * @throws CodecException in strict mode, if it is not UTF-8
     */
    public String text(long run) {
        if (isStrict) {
            checkText(run);
        }
        int length = length(run);
        return length == 0
                ? ""
                : new String(array, base + start(run), length, StandardCharsets.UTF_8);
    }

    /** Refuses a run that is not UTF-8. */
    void checkText(long run) {
        if (!Utf8.isValid(array, base + start(run), length(run))) {
            throw CodecException.of(Code.BAD_UTF8, start(run), "text that is not UTF-8");
        }
    }

    /** A copy of the bytes of a run; none of the null run. */
    public byte[] copy(long run) {
        byte[] copy = new byte[length(run)];
        System.arraycopy(array, base + start(run), copy, 0, copy.length);
        return copy;
    }

    /** Copies the bytes of a run into {@code target}. */
    public void copyTo(long run, byte[] target, int at) {
        System.arraycopy(array, base + start(run), target, at, length(run));
    }

    // ---------------------------------------------------------------------------------------
    // Objects

    /** The object that a struct field points to, or {@link #NULL}. */
    public long child(long object, int field) {
        return object < 0 ? NULL : pointer(object + field);
    }

    private long pointer(long p) {
        if (p + 4 > size) {
            return isStrict && p < size ? cutPointer(p) : NULL;
        }
        int rel = (int) Words.INT.get(array, base + (int) p);
        if (rel == 0) {
            return NULL;
        }
        long target = p + rel;
        if (target < HEADER_BYTES || target >= size) {
            return isStrict ? refuse(Code.BAD_POINTER, p) : NULL;
        }
        return target;
    }

    /**
     * Whether a whole message stands where an object was expected: what old Go generators wrote.
     */
    public boolean isEmbedded(long object) {
        return object >= HEADER_BYTES && object + 4 <= size && i32(object, 0) == Header.MAGIC;
    }

    /**
     * Opens the message that stands at {@code object} to the end of this one, in this reader's mode
     * but for the bytes after it.
     *
     * @throws CodecException in strict mode, if it is none
     */
    public ZapReader embedded(long object, ZapReader into) {
        int from = base + (int) object;
        long stated = u32(object, 12);
        int length = (int) Math.min(size - object, stated);
        return inner(from, Math.max(length, 0), into);
    }

    /**
     * Opens the message that is a run, in this reader's mode. A run that is no message gives a null
     * root, as does the empty one.
     *
     * @throws CodecException in strict mode, if the run is not empty and no message
     */
    public ZapReader message(long run, ZapReader into) {
        return inner(base + start(run), length(run), into);
    }

    private ZapReader inner(int from, int length, ZapReader into) {
        Mode mode = isStrict ? Mode.STRICT : Mode.COMPATIBLE;
        byte[] bytes = array;
        if (length == 0 || (!isStrict && Header.check(bytes, from, length, mode) != Header.GOOD)) {
            into.array = bytes;
            into.size = 0;
            return into;
        }
        return into.reopen(bytes, from, length, mode);
    }

    // ---------------------------------------------------------------------------------------
    // Lists

    /** The list of a field: position and count; 0 if it is null. The count is at most the size. */
    public long list(long object, int field) {
        long p = object + field;
        if (object < 0 || p + 8 > size) {
            return isStrict && object >= 0 ? cutSlot(p) : 0;
        }
        int rel = (int) Words.INT.get(array, base + (int) p);
        long count = Words.u32(array, base + (int) p + 4);
        if (rel == 0) {
            return isStrict && count != 0 ? refuse(Code.NULL_WITH_LENGTH, p) : 0;
        }
        long start = p + rel;
        if (count > size || start < HEADER_BYTES || start >= size) {
            return isStrict ? refuse(Code.BAD_POINTER, p) : 0;
        }
        return pack(start, count);
    }

    /** The list of a field, null as well when {@code count * stride} is beyond the message. */
    public long list(long object, int field, int stride) {
        long list = list(object, field);
        if ((long) length(list) * stride > size - start(list)) {
            return isStrict ? refuse(Code.STRIDE_OVERFLOW, object + field) : 0;
        }
        return list;
    }

    /**
     * The object that is record {@code index} of an inline list. It is null only for an index that
     * the list has not; past the end of the message its fields read 0.
     */
    public long record(long list, int index, int stride) {
        return isIn(list, index) ? start(list) + (long) index * stride : NULL;
    }

    /** The object that cell {@code index} of a pointer list names, or {@link #NULL}. */
    public long pointee(long list, int index) {
        return isIn(list, index) ? pointer(start(list) + 4L * index) : NULL;
    }

    /** The run that is element {@code index} of a list of byte runs; 0 if it is not there. */
    public long fixedAt(long list, int index, int length) {
        return isIn(list, index) ? fixed(start(list) + (long) index * length, 0, length) : 0;
    }

    /** The whole of a list of single bytes as a run; 0 if it is beyond the message. */
    public long raw(long list) {
        return start(list) + (long) length(list) > size ? 0 : list;
    }

    /** Element {@code index} of a list of one-byte numbers, 0 to 255; 0 if it is not there. */
    public int u8At(long list, int index) {
        return isIn(list, index) ? u8(start(list) + (long) index, 0) : 0;
    }

    /** Element {@code index} of a list of two-byte numbers, 0 to 65535. */
    public int u16At(long list, int index) {
        return isIn(list, index) ? u16(start(list) + 2L * index, 0) : 0;
    }

    /** Element {@code index} of a list of four-byte numbers, 0 to 2^32-1. */
    public long u32At(long list, int index) {
        return isIn(list, index) ? u32(start(list) + 4L * index, 0) : 0;
    }

    /** Element {@code index} of a list of eight-byte numbers: its 64 bits. */
    public long i64At(long list, int index) {
        return isIn(list, index) ? i64(start(list) + 8L * index, 0) : 0;
    }

    private static boolean isIn(long list, int index) {
        return index >= 0 && index < length(list);
    }

    // ---------------------------------------------------------------------------------------
    // Strict refusals: the cold paths

    private long cutSlot(long p) {
        boolean isCut = p < size && (p + 4 > size ? !isZero(p) : i32(p, 0) != 0);
        return isCut ? refuse(Code.BAD_POINTER, p) : 0;
    }

    private long cutPointer(long p) {
        return isZero(p) ? NULL : refuse(Code.BAD_POINTER, p);
    }

    private boolean isZero(long p) {
        for (long i = p; i < size; i++) {
            if (array[base + (int) i] != 0) {
                return false;
            }
        }
        return true;
    }

    private static long refuse(Code code, long p) {
        throw CodecException.of(
                code,
                p,
                switch (code) {
                    case NULL_WITH_LENGTH -> "a null slot with a length";
                    case STRIDE_OVERFLOW -> "a list longer than its message";
                    default -> "a pointer to what is not in the message";
                });
    }
}
