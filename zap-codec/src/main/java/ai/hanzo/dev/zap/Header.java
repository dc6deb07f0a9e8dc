package ai.hanzo.dev.zap;

import ai.hanzo.dev.zap.CodecException.Code;

/** What can be wrong with a header, in the order in which all runtimes look. */
enum Header {
    GOOD(Code.BAD_VALUE, -1, ""),
    SHORT(Code.TOO_SMALL, 0, "fewer bytes than a header has"),
    WRONG_MAGIC(Code.BAD_MAGIC, 0, "no ZAP message: the magic bytes are missing"),
    WRONG_VERSION(Code.BAD_VERSION, 4, "a version that is neither 1 nor 2"),
    WRONG_SIZE(Code.TOO_SMALL, 12, "a size below 16 or above what is there"),
    TRAILING(Code.TRAILING_BYTES, 12, "bytes after the message"),
    FLAGGED(Code.BAD_FLAGS, 6, "a flag that nothing here can honour"),
    WRONG_ROOT(Code.BAD_ROOT, 8, "a root object that is not inside the message");

    /** Bytes of the header. */
    static final int BYTES = 16;

    /** {@code 5A 41 50 00} as a little-endian number. */
    static final int MAGIC = 0x0050415A;

    private final Code code;
    private final int position;
    private final String what;

    Header(Code code, int position, String what) {
        this.code = code;
        this.position = position;
        this.what = what;
    }

    /** The refusal of this fault. */
    CodecException refusal() {
        return CodecException.of(code, position, what);
    }

    static Header check(byte[] array, int from, int length, ZapReader.Mode mode) {
        if (length < BYTES) {
            return SHORT;
        }
        if ((int) Words.INT.get(array, from) != MAGIC) {
            return WRONG_MAGIC;
        }
        int version = (short) Words.SHORT.get(array, from + 4);
        if (version != 1 && version != 2) {
            return WRONG_VERSION;
        }
        long size = Words.u32(array, from + 12);
        if (size < BYTES || size > length) {
            return WRONG_SIZE;
        }
        return mode == ZapReader.Mode.STRICT ? checkStrictly(array, from, length, size) : GOOD;
    }

    private static Header checkStrictly(byte[] array, int from, int length, long size) {
        if (size != length) {
            return TRAILING;
        }
        // Compressed, encrypted, signed and five without a name; the high byte is a message type.
        if (array[from + 6] != 0) {
            return FLAGGED;
        }
        long root = Words.u32(array, from + 8);
        return root < BYTES || root > size ? WRONG_ROOT : GOOD;
    }
}
