package ai.hanzo.dev.zap;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Little-endian words in a byte array, at any position. */
final class Words {
    static final VarHandle SHORT = view(short[].class);
    static final VarHandle INT = view(int[].class);
    static final VarHandle LONG = view(long[].class);

    private Words() {}

    private static VarHandle view(Class<?> type) {
        return MethodHandles.byteArrayViewVarHandle(type, ByteOrder.LITTLE_ENDIAN);
    }

    /** The four bytes at {@code at} as a number from 0 to 2^32-1. */
    static long u32(byte[] array, int at) {
        return (int) INT.get(array, at) & 0xFFFF_FFFFL;
    }
}
