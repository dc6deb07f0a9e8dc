package ai.hanzo.dev.host.core;

import java.nio.charset.StandardCharsets;

/**
 * A part of a WebAssembly file, read from front to back: nothing is believed, nothing outside of
 * the part is touched. One thread.
 */
final class WasmBytes {
    /** What a u32 in LEB128 has at most. */
    private static final int MAX_LEB_BYTES = 5;

    private final byte[] bytes;
    private final int end;
    private int at;

    WasmBytes(byte[] bytes, int from, int end) {
        this.bytes = bytes;
        this.at = from;
        this.end = end;
    }

    /** The bytes are not what the format has here; the message says where. */
    static final class Malformed extends Exception {
        private static final long serialVersionUID = 1L;

        Malformed(String what, int at) {
            super(what + " at byte " + at, null, false, false);
        }
    }

    boolean isAtEnd() {
        return at >= end;
    }

    int at() {
        return at;
    }

    int u8() throws Malformed {
        if (at >= end) {
            throw new Malformed("it ends too early", at);
        }
        return bytes[at++] & 0xFF;
    }

    /** An unsigned number of 32 bits. */
    long u32() throws Malformed {
        int from = at;
        long value = 0;
        for (int i = 0; i < MAX_LEB_BYTES; i++) {
            int next = u8();
            value |= (long) (next & 0x7F) << (7 * i);
            if (next < 0x80) {
                if (value > 0xFFFF_FFFFL) {
                    break;
                }
                return value;
            }
        }
        throw new Malformed("it has a number of more than 32 bits", from);
    }

    /** A number of bytes that are still there. */
    int length() throws Malformed {
        int from = at;
        long length = u32();
        if (length > end - at) {
            throw new Malformed("it has a length of " + length + ", past its end,", from);
        }
        return (int) length;
    }

    /** A number of things of at least a byte each. */
    int count() throws Malformed {
        return length();
    }

    /** The next {@code length} bytes as a part of their own. */
    WasmBytes part(int length) {
        int from = at;
        at += length;
        return new WasmBytes(bytes, from, at);
    }

    String name() throws Malformed {
        int length = length();
        at += length;
        return new String(bytes, at - length, length, StandardCharsets.UTF_8);
    }

    /** Passes over a number of any width. */
    void skipNumber() throws Malformed {
        while (u8() >= 0x80) {
            // its last byte has no high bit
        }
    }
}
