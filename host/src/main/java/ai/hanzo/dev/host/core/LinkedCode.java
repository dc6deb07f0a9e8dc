package ai.hanzo.dev.host.core;

import com.dylibso.chicory.runtime.ChicoryInterruptedException;
import com.dylibso.chicory.runtime.TrapException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;

/**
 * What the code of a linked module rests on. The build lets Chicory compile the module and then
 * links the result to this class ({@code src/build/java/CoreLinker.java}): every function of the
 * module is a static method of a subclass whose last two parameters are the memory and this.
 *
 * <p>The static methods here are called by generated code only; their names and the order of their
 * parameters are Chicory's.
 */
abstract class LinkedCode implements CoreCode {
    private static final VarHandle STOP = stopHandle();

    final FlatMemory memory;
    private final WasiHost host;

    /** The only state of a module outside of its memory; after a call it is as it was before. */
    private int stackPointer;

    LinkedCode(FlatMemory memory, WasiHost host, int stackPointer) {
        this.memory = memory;
        this.host = host;
        this.stackPointer = stackPointer;
    }

    /** The call inside is to end. Looked at without ordering, which would cost each loop dearly. */
    private boolean stop;

    /** Puts the module's data into the memory, as it is before the first call. */
    abstract void load();

    /** A piece of the module's data, a byte in each character. */
    final void put(int address, String data) {
        memory.write(address, data.getBytes(StandardCharsets.ISO_8859_1), 0, data.length());
    }

    // The imports.

    static int environ_get(int pointers, int text, FlatMemory memory, LinkedCode code) {
        return code.host.environ(memory, pointers, text);
    }

    static int environ_sizes_get(int count, int bytes, FlatMemory memory, LinkedCode code) {
        return code.host.environSizes(memory, count, bytes);
    }

    static int fd_write(
            int fd, int runs, int count, int written, FlatMemory memory, LinkedCode code) {
        return code.host.write(memory, fd, runs, count, written);
    }

    // What is not in a function itself.

    static long readGlobal(int index, LinkedCode code) {
        return code.stackPointer;
    }

    static void writeGlobal(long value, int index, LinkedCode code) {
        code.stackPointer = (int) value;
    }

    private static VarHandle stopHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(LinkedCode.class, "stop", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @Override
    public final void stop(Thread caller) {
        STOP.setVolatile(this, true);
    }

    @Override
    public final boolean takeStop() {
        return (boolean) STOP.compareAndSet(this, true, false);
    }

    /** At each turn of a loop and where a function may come back to itself. */
    static void checkInterruption(LinkedCode code) {
        if ((boolean) STOP.getOpaque(code)) {
            throw new ChicoryInterruptedException("stopped");
        }
    }

    static RuntimeException throwTrapException() {
        throw new TrapException("Trapped on unreachable instruction");
    }

    static RuntimeException throwBadIndirectCall() {
        throw new TrapException("an indirect call of no function of that type");
    }

    static int i32_ge_u(int a, int b) {
        return Integer.compareUnsigned(a, b) >= 0 ? 1 : 0;
    }

    /** A sum that wraps would be an address inside; a negative one is outside in any case. */
    private static int at(int base, int offset) {
        return base < 0 ? base : base + offset;
    }

    static byte memoryReadByte(int base, int offset, FlatMemory memory) {
        return memory.read(at(base, offset));
    }

    static short memoryReadShort(int base, int offset, FlatMemory memory) {
        return memory.readShort(at(base, offset));
    }

    static int memoryReadInt(int base, int offset, FlatMemory memory) {
        return memory.readInt(at(base, offset));
    }

    static long memoryReadLong(int base, int offset, FlatMemory memory) {
        return memory.readLong(at(base, offset));
    }

    static void memoryWriteByte(int base, byte value, int offset, FlatMemory memory) {
        memory.writeByte(at(base, offset), value);
    }

    static void memoryWriteShort(int base, short value, int offset, FlatMemory memory) {
        memory.writeShort(at(base, offset), value);
    }

    static void memoryWriteInt(int base, int value, int offset, FlatMemory memory) {
        memory.writeI32(at(base, offset), value);
    }

    static void memoryWriteLong(int base, long value, int offset, FlatMemory memory) {
        memory.writeLong(at(base, offset), value);
    }

    static void memoryCopy(int to, int from, int size, FlatMemory memory) {
        memory.copy(to, from, size);
    }

    static void memoryFill(int from, byte value, int size, FlatMemory memory) {
        memory.fill(value, from, from + size);
    }

    static int memoryPages(FlatMemory memory) {
        return memory.pages();
    }

    static int memoryGrow(int more, FlatMemory memory) {
        return memory.grow(more);
    }
}
