package ai.hanzo.dev.host.core;

import ai.hanzo.dev.protocol.Bytes;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.Memory;
import com.dylibso.chicory.runtime.WasmRuntimeException;
import com.dylibso.chicory.wasm.types.ActiveDataSegment;
import com.dylibso.chicory.wasm.types.DataSegment;
import com.dylibso.chicory.wasm.types.OpCode;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A linear memory in one byte array, which can be exchanged for that of another session between
 * calls. The array grows when something beyond its end is touched, so a session costs what it uses
 * and not whole pages.
 *
 * <p>One thread at a time. An access outside of the pages throws {@link WasmRuntimeException}.
 */
final class FlatMemory implements Memory {
    private static final VarHandle SHORTS =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /**
     * What the array begins with: the stack, the constants, and the heap of a session of some
     * twenty messages. To grow is to copy all of it, which costs as much as several steps.
     */
    private static final int FIRST_BYTES = 24 << 10;

    /** The array grows in steps of this, and by at least an eighth. */
    private static final int STEP_BYTES = 8 << 10;

    private static final byte[] NO_BYTES = new byte[0];

    private final int initialPages;
    private final int maximumPages;
    private byte[] bytes;
    private int pages;

    /** What was put in last. */
    private @Nullable Image attached;

    FlatMemory(int initialPages, int maximumPages) {
        this.initialPages = initialPages;
        this.maximumPages = maximumPages;
        this.pages = initialPages;
        this.bytes = new byte[(int) Math.min(FIRST_BYTES, sizeBytes())];
    }

    /** Puts a session's memory in. */
    void attach(Image image) {
        bytes = image.bytes();
        pages = image.pages();
        attached = image;
    }

    /** Takes the session's memory out; the same image if it has not grown. */
    @SuppressWarnings("ReferenceEquality") // the array itself tells whether it was exchanged
    Image detach() {
        Image image = attached;
        if (image == null || image.bytes() != bytes || image.pages() != pages) {
            image = new Image(bytes, pages);
        }
        attached = null;
        bytes = NO_BYTES;
        pages = initialPages;
        return image;
    }

    private long sizeBytes() {
        return (long) pages * PAGE_SIZE;
    }

    /** Whether {@code count} bytes from {@code addr} on lie in the memory; both unsigned. */
    boolean holds(int addr, int count) {
        return Integer.toUnsignedLong(addr) + Integer.toUnsignedLong(count) <= sizeBytes();
    }

    /** Makes the array reach over a range, or throws if the range is outside of the memory. */
    private void reach(int addr, int count) {
        if (!holds(addr, count)) {
            throw new WasmRuntimeException(
                    "out of bounds memory access: "
                            + Integer.toUnsignedString(count)
                            + " bytes at "
                            + Integer.toUnsignedString(addr)
                            + " of "
                            + sizeBytes());
        }
        long end = Integer.toUnsignedLong(addr) + count;
        if (end > bytes.length) {
            long roomy = Math.max(end, bytes.length + bytes.length / 8L);
            long rounded = (roomy + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
            bytes = Arrays.copyOf(bytes, (int) Math.min(rounded, sizeBytes()));
        }
    }

    @Override
    public int pages() {
        return pages;
    }

    @Override
    public int grow(int more) {
        long wanted = (long) pages + Integer.toUnsignedLong(more);
        if (wanted > maximumPages) {
            return -1;
        }
        int before = pages;
        pages = (int) wanted;
        return before;
    }

    @Override
    public int initialPages() {
        return initialPages;
    }

    @Override
    public int maximumPages() {
        return maximumPages;
    }

    @Override
    public boolean shared() {
        return false;
    }

    @Override
    @Deprecated
    @SuppressWarnings("removal")
    public Object lock(int address) {
        throw new UnsupportedOperationException("memory is not shared");
    }

    @Override
    @Deprecated
    @SuppressWarnings("removal")
    public int waitOn(int address, int expected, long timeout) {
        throw new UnsupportedOperationException("memory is not shared");
    }

    @Override
    @Deprecated
    @SuppressWarnings("removal")
    public int waitOn(int address, long expected, long timeout) {
        throw new UnsupportedOperationException("memory is not shared");
    }

    @Override
    @Deprecated
    @SuppressWarnings("removal")
    public int notify(int address, int maxThreads) {
        throw new UnsupportedOperationException("memory is not shared");
    }

    @Override
    public void initialize(Instance instance, DataSegment[] segments) {
        for (DataSegment segment : segments) {
            if (segment instanceof ActiveDataSegment active) {
                write(offset(active), active.data(), 0, active.data().length);
            }
        }
    }

    /** The linker places data at constants. */
    private static int offset(ActiveDataSegment segment) {
        var code = segment.offsetInstructions();
        if (code.isEmpty() || code.get(0).opcode() != OpCode.I32_CONST) {
            throw CoreException.abi("a data segment of the module is not at a constant offset");
        }
        return (int) code.get(0).operand(0);
    }

    @Override
    public void initPassiveSegment(int segment, int dest, int offset, int size) {
        throw new WasmRuntimeException("the module has no passive segments");
    }

    @Override
    public void drop(int segment) {
        // Active segments are used up at the start.
    }

    @Override
    public void write(int addr, byte[] data, int offset, int size) {
        reach(addr, size);
        System.arraycopy(data, offset, bytes, addr, size);
    }

    void write(int addr, Bytes data) {
        reach(addr, data.length());
        data.copyTo(bytes, addr);
    }

    @Override
    public byte[] readBytes(int addr, int len) {
        reach(addr, len);
        return Arrays.copyOfRange(bytes, addr, addr + len);
    }

    @Override
    public void copy(int dest, int src, int size) {
        reach(dest, size);
        reach(src, size);
        System.arraycopy(bytes, src, bytes, dest, size);
    }

    @Override
    public void fill(byte value, int from, int to) {
        if (Integer.compareUnsigned(to, from) < 0) {
            throw new WasmRuntimeException("out of bounds memory access: fill wraps");
        }
        reach(from, to - from);
        Arrays.fill(bytes, from, to, value);
    }

    @Override
    public void zero() {
        Arrays.fill(bytes, (byte) 0);
    }

    @Override
    public byte read(int addr) {
        if (addr >= 0 && addr < bytes.length) {
            return bytes[addr];
        }
        reach(addr, Byte.BYTES);
        return bytes[addr];
    }

    @Override
    public short readShort(int addr) {
        try {
            return (short) SHORTS.get(bytes, addr);
        } catch (IndexOutOfBoundsException e) {
            reach(addr, Short.BYTES);
            return (short) SHORTS.get(bytes, addr);
        }
    }

    @Override
    public long readU16(int addr) {
        return readShort(addr) & 0xFFFF;
    }

    @Override
    public int readInt(int addr) {
        try {
            return (int) INTS.get(bytes, addr);
        } catch (IndexOutOfBoundsException e) {
            reach(addr, Integer.BYTES);
            return (int) INTS.get(bytes, addr);
        }
    }

    @Override
    public long readLong(int addr) {
        try {
            return (long) LONGS.get(bytes, addr);
        } catch (IndexOutOfBoundsException e) {
            reach(addr, Long.BYTES);
            return (long) LONGS.get(bytes, addr);
        }
    }

    @Override
    public void writeByte(int addr, byte value) {
        if (addr < 0 || addr >= bytes.length) {
            reach(addr, Byte.BYTES);
        }
        bytes[addr] = value;
    }

    @Override
    public void writeShort(int addr, short value) {
        try {
            SHORTS.set(bytes, addr, value);
        } catch (IndexOutOfBoundsException e) {
            reach(addr, Short.BYTES);
            SHORTS.set(bytes, addr, value);
        }
    }

    @Override
    public void writeI32(int addr, int value) {
        try {
            INTS.set(bytes, addr, value);
        } catch (IndexOutOfBoundsException e) {
            reach(addr, Integer.BYTES);
            INTS.set(bytes, addr, value);
        }
    }

    @Override
    public void writeLong(int addr, long value) {
        try {
            LONGS.set(bytes, addr, value);
        } catch (IndexOutOfBoundsException e) {
            reach(addr, Long.BYTES);
            LONGS.set(bytes, addr, value);
        }
    }

    // The core has no floats; a module that has them still runs.

    @Override
    public void writeF32(int addr, float value) {
        writeI32(addr, Float.floatToRawIntBits(value));
    }

    @Override
    public long readF32(int addr) {
        return readInt(addr);
    }

    @Override
    public float readFloat(int addr) {
        return Float.intBitsToFloat(readInt(addr));
    }

    @Override
    public void writeF64(int addr, double value) {
        writeLong(addr, Double.doubleToRawLongBits(value));
    }

    @Override
    public double readDouble(int addr) {
        return Double.longBitsToDouble(readLong(addr));
    }

    @Override
    public long readF64(int addr) {
        return readLong(addr);
    }
}
