package ai.hanzo.dev.zap;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Builds one message after the other in a buffer that grows and is kept.
 *
 * <p>The bytes are those that the public Go builder gives for the same calls: objects and lists
 * begin at multiples of 8, the tails of an object (its texts and bytes) follow when it is finished,
 * in the order in which they were set, and nothing is padded at the end. What is empty is written
 * as null.
 *
 * <p>An object is named by its position, which {@link #startObject} returns. Objects may be open
 * inside each other; a list may not be open while anything else is written. What the Go builder
 * lets pass and then writes wrongly is an {@link IllegalStateException} here: a text, list or
 * struct set twice, a field outside its object, a write into an open list, an object finished twice
 * or never, a message above the limit. {@link #compatible} gives a writer without these checks, to
 * replay what others wrote.
 *
 * <p>Used by one thread. Arrays handed in are read when their object is finished.
 */
public final class ZapWriter {
    private static final int FIRST_BYTES = 512;

    /** Short texts are encoded by a loop, longer ones by the JDK, which allocates but is faster. */
    private static final int SHORT_TEXT_CHARS = 48;

    private final int version;
    private final int maxBytes;
    private final boolean isCompatible;

    private byte[] buffer = new byte[FIRST_BYTES];
    private int pos = Header.BYTES;
    private int root;
    private int flags;
    private boolean isListOpen;

    /** The object that was started last and is open: what almost every setter is for. */
    private int top = -1;

    private int topEnd;

    private final OpenObjects open = new OpenObjects();
    private final Tails tails = new Tails();

    private ZapWriter(int version, int maxBytes, boolean isCompatible) {
        if (version != 1 && version != 2) {
            throw new IllegalArgumentException("version " + version);
        }
        this.version = version;
        this.maxBytes = maxBytes;
        this.isCompatible = isCompatible;
    }

    /** A writer of messages of that header version, 1 or 2, up to 64 MiB. */
    public static ZapWriter of(int version) {
        return new ZapWriter(version, Budget.MAX_MESSAGE_BYTES, false);
    }

    /** A writer of messages up to {@code maxBytes}. */
    public static ZapWriter of(int version, int maxBytes) {
        return new ZapWriter(version, maxBytes, false);
    }

    /** A writer that does what the Go builder does, traps included. */
    public static ZapWriter compatible(int version) {
        return new ZapWriter(version, Integer.MAX_VALUE - 64, true);
    }

    /** Forgets what was written. A compatible writer keeps its flags, as Go does. */
    public ZapWriter reset() {
        pos = Header.BYTES;
        root = 0;
        if (!isCompatible) {
            flags = 0;
        }
        isListOpen = false;
        top = -1;
        open.clear();
        tails.truncate(0);
        return this;
    }

    /** Bytes written so far. */
    public int sizeBytes() {
        return pos;
    }

    /** The buffer; its first {@link #sizeBytes} bytes are the message once it is finished. */
    public byte[] buffer() {
        return buffer;
    }

    // ---------------------------------------------------------------------------------------
    // Objects

    /** Starts an object of {@code bytes} zeros and returns its position. */
    public int startObject(int bytes) {
        checkNoList();
        align();
        return push(bytes);
    }

    private int push(int bytes) {
        int at = pos;
        grow(bytes);
        Arrays.fill(buffer, pos, pos + bytes, (byte) 0);
        pos += bytes;
        if (top >= 0) {
            open.push(top, topEnd);
        }
        top = at;
        topEnd = at + bytes;
        return at;
    }

    /** Writes the tails of {@code object} and closes it; returns its position. */
    public int finish(int object) {
        checkNoList();
        if (object != top) {
            open.endOf(object);
        }
        int kept = 0;
        for (int i = 0; i < tails.count(); i++) {
            boolean isMine = tails.object(i) == object;
            if (isMine) {
                writeTail(i);
            }
            if (!isMine || isCompatible) {
                tails.move(i, kept++);
            }
        }
        tails.truncate(kept);
        if (!isCompatible) {
            pop(object);
        }
        return object;
    }

    /** Finishes an object and makes it the root. The last one wins. */
    public int finishRoot(int object) {
        root = finish(object);
        return object;
    }

    /** Makes a finished object the root. */
    public void root(int object) {
        root = object;
    }

    private void pop(int object) {
        if (object != top) {
            open.remove(object);
            return;
        }
        if (open.isEmpty()) {
            top = -1;
            topEnd = 0;
            return;
        }
        top = open.last();
        topEnd = open.lastEnd();
        open.removeLast();
    }

    /** The position of a field, checked. */
    private int slot(int object, int field, int width) {
        int p = object + field;
        if (object == top && field >= 0 && p <= topEnd - width) {
            return p;
        }
        return otherSlot(object, field, width);
    }

    private int otherSlot(int object, int field, int width) {
        int p = object + field;
        if (isCompatible) {
            if (p + width > pos) {
                grow(p + width - pos);
                Arrays.fill(buffer, pos, p + width, (byte) 0);
                pos = p + width;
            }
            return p;
        }
        int end = object == top ? topEnd : open.endOf(object);
        if (field < 0 || p > end - width) {
            throw new IllegalStateException(
                    "a field of %d bytes at %d of an object of %d bytes"
                            .formatted(width, field, end - object));
        }
        return p;
    }

    // ---------------------------------------------------------------------------------------
    // Fields

    /** Sets a one-byte field. */
    public void u8(int object, int field, int value) {
        buffer[slot(object, field, 1)] = (byte) value;
    }

    /** Sets a truth value. */
    public void bool(int object, int field, boolean value) {
        u8(object, field, value ? 1 : 0);
    }

    /** Sets a two-byte field. */
    public void u16(int object, int field, int value) {
        int p = slot(object, field, 2);
        Words.SHORT.set(buffer, p, (short) value);
    }

    /** Sets a four-byte field; for an f32 its bits. */
    public void u32(int object, int field, int value) {
        int p = slot(object, field, 4);
        Words.INT.set(buffer, p, value);
    }

    /** Sets an eight-byte field; for an f64 its bits. */
    public void u64(int object, int field, long value) {
        int p = slot(object, field, 8);
        Words.LONG.set(buffer, p, value);
    }

    /** Sets the first bytes of a {@code bytes_fixed} field; none is no change. */
    public void fixed(int object, int field, byte[] value) {
        if (value.length != 0) {
            int p = slot(object, field, value.length);
            System.arraycopy(value, 0, buffer, p, value.length);
        }
    }

    /** Sets a text; "" is null. An unpaired surrogate is written as '?'. */
    public void text(int object, int field, String value) {
        if (isCompatible) {
            int length = Utf8.lengthOf(value);
            byte[] utf8 = new byte[length];
            Utf8.write(value, utf8, 0);
            bytes(object, field, utf8, 0, length);
            return;
        }
        queue(object, field, value, 0, value.length());
    }

    /** Sets bytes; none is null. */
    public void bytes(int object, int field, byte[] value) {
        queue(object, field, value, 0, value.length);
    }

    /** Sets bytes to a part of an array; none is null. */
    public void bytes(int object, int field, byte[] value, int from, int length) {
        if (from < 0 || length < 0 || from > value.length - length) {
            throw new IndexOutOfBoundsException(
                    "%d bytes from %d of %d".formatted(length, from, value.length));
        }
        queue(object, field, value, from, length);
    }

    private void queue(int object, int field, Object value, int from, int length) {
        int p = slot(object, field, 8);
        if (!isCompatible && (int) Words.INT.get(buffer, p + 4) != 0) {
            throw twice(object, field);
        }
        // The length of a text is not known yet; any number marks the field as set.
        Words.INT.set(buffer, p + 4, length);
        if (length == 0) {
            Words.INT.set(buffer, p, 0);
            return;
        }
        tails.add(object, field, value, from, length);
    }

    private void writeTail(int i) {
        int start = pos;
        if (tails.value(i) instanceof String text) {
            append(text);
        } else {
            copy((byte[]) tails.value(i), tails.from(i), tails.length(i));
        }
        int p = tails.slot(i);
        Words.INT.set(buffer, p, start - p);
        if (!isCompatible) {
            Words.INT.set(buffer, p + 4, pos - start);
        }
    }

    private void copy(byte[] bytes, int from, int length) {
        grow(length);
        System.arraycopy(bytes, from, buffer, pos, length);
        pos += length;
    }

    private void append(String text) {
        if (text.length() <= SHORT_TEXT_CHARS) {
            int room = 3 * text.length();
            grow(room <= maxBytes - pos ? room : Utf8.lengthOf(text));
            pos = Utf8.write(text, buffer, pos);
            return;
        }
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        copy(utf8, 0, utf8.length);
    }

    /** Sets a struct to the object at {@code target}; 0 is null. */
    public void object(int object, int field, int target) {
        int p = slot(object, field, 4);
        if (!isCompatible && (int) Words.INT.get(buffer, p) != 0) {
            throw twice(object, field);
        }
        Words.INT.set(buffer, p, target == 0 ? 0 : target - p);
    }

    /** Sets a list to {@code count} elements at {@code target}; a count or target of 0 is null. */
    public void list(int object, int field, int target, int count) {
        int p = slot(object, field, 8);
        if (!isCompatible && (int) Words.INT.get(buffer, p + 4) != 0) {
            throw twice(object, field);
        }
        boolean isNull = target == 0 || count == 0;
        Words.INT.set(buffer, p, isNull ? 0 : target - p);
        Words.INT.set(buffer, p + 4, isNull ? 0 : count);
    }

    // ---------------------------------------------------------------------------------------
    // Lists

    /** Starts a list and returns its position. Only elements may be added until it ends. */
    public int startList() {
        checkNoList();
        align();
        isListOpen = !isCompatible;
        return pos;
    }

    /** Ends the list that is open. */
    public void endList() {
        checkList();
        isListOpen = false;
    }

    /** Adds a one-byte number. */
    public void addU8(int value) {
        checkList();
        grow(1);
        buffer[pos++] = (byte) value;
    }

    /** Adds a two-byte number. */
    public void addU16(int value) {
        checkList();
        grow(2);
        Words.SHORT.set(buffer, pos, (short) value);
        pos += 2;
    }

    /** Adds a four-byte number. */
    public void addU32(int value) {
        checkList();
        grow(4);
        Words.INT.set(buffer, pos, value);
        pos += 4;
    }

    /** Adds an eight-byte number. */
    public void addU64(long value) {
        checkList();
        grow(8);
        Words.LONG.set(buffer, pos, value);
        pos += 8;
    }

    /** Adds bytes as they are: a record, a fixed run, or any number of one-byte elements. */
    public void addBytes(byte[] value) {
        checkList();
        copy(value, 0, value.length);
    }

    /** Adds a length-prefixed entry: text, bytes, or a whole message. */
    public void addEntry(byte[] value) {
        addU32(value.length);
        addBytes(value);
    }

    /** Adds a cell that points to the object at {@code target}; 0 is a null element. */
    public void addPointer(int target) {
        addU32(target == 0 ? 0 : target - pos);
    }

    /**
     * Adds a record of {@code bytes} zeros and returns its position; its fields are set as those of
     * an object without tails, and it is closed by {@link #finishRecord}.
     */
    public int addRecord(int bytes) {
        checkList();
        return push(bytes);
    }

    /** Closes a record of a list. */
    public void finishRecord(int record) {
        checkList();
        if (record != top) {
            throw new IllegalStateException("the record at " + record + " is not open");
        }
        if (tails.count() != 0 && tails.object(tails.count() - 1) == record) {
            throw new IllegalStateException("a record of a list has no tails");
        }
        pop(record);
    }

    /** Appends bytes at a multiple of 8 and returns their position; none gives 0 and no padding. */
    public int writeBytes(byte[] value) {
        checkNoList();
        if (value.length == 0) {
            return 0;
        }
        align();
        copy(value, 0, value.length);
        return pos - value.length;
    }

    // ---------------------------------------------------------------------------------------
    // The whole

    /** Sets the flags of the message. */
    public void flags(int value) {
        flags = value;
    }

    /** Writes the header; the message is the first {@link #sizeBytes} bytes of the buffer. */
    public void finishMessage() {
        checkNoList();
        if (!isCompatible && top >= 0) {
            throw new IllegalStateException("the object at " + top + " is not finished");
        }
        Words.INT.set(buffer, 0, Header.MAGIC);
        Words.SHORT.set(buffer, 4, (short) version);
        Words.SHORT.set(buffer, 6, (short) flags);
        Words.INT.set(buffer, 8, root);
        Words.INT.set(buffer, 12, pos);
    }

    /** Writes the header and returns a copy of the message. */
    public byte[] toByteArray() {
        finishMessage();
        return Arrays.copyOf(buffer, pos);
    }

    private void align() {
        int padding = -pos & 7;
        grow(padding);
        Arrays.fill(buffer, pos, pos + padding, (byte) 0);
        pos += padding;
    }

    private void grow(int bytes) {
        if (bytes > buffer.length - pos) {
            growBuffer(bytes);
        }
        if (bytes > maxBytes - pos) {
            throw new IllegalStateException(
                    "a message of more than " + maxBytes + " bytes; at " + pos + " and " + bytes);
        }
    }

    private void growBuffer(int bytes) {
        long needed = (long) pos + bytes;
        if (needed <= maxBytes) {
            long doubled = Math.max(needed, Math.min(2L * buffer.length, maxBytes));
            buffer = Arrays.copyOf(buffer, (int) doubled);
        }
    }

    private void checkNoList() {
        if (isListOpen) {
            throw new IllegalStateException("a list is open");
        }
    }

    private void checkList() {
        if (!isListOpen && !isCompatible) {
            throw new IllegalStateException("no list is open");
        }
    }

    private static IllegalStateException twice(int object, int field) {
        return new IllegalStateException(
                "field " + field + " of the object at " + object + " is set twice");
    }
}
