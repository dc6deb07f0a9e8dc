package ai.hanzo.dev.zap;

/** Bytes that are refused: they are not a message, or not one that their schema allows. */
public final class CodecException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Code code;
    private final long position;

    /** Why the bytes are refused. */
    public enum Code {
        /** Fewer than 16 bytes, or a stated size below 16 or beyond the input. */
        TOO_SMALL,
        /** Larger than the budget allows. */
        TOO_LARGE,
        /** The first four bytes are not {@code 5A 41 50 00}. */
        BAD_MAGIC,
        /** Neither version 1 nor 2, or not the version of the schema's dialect. */
        BAD_VERSION,
        /** A flag that has no meaning here. */
        BAD_FLAGS,
        /** The root object is not inside the message. */
        BAD_ROOT,
        /** Bytes after the message. */
        TRAILING_BYTES,
        /** A slot points to what is not in the message. */
        BAD_POINTER,
        /** A null slot that has a length or a count. */
        NULL_WITH_LENGTH,
        /** A list has fewer elements than it counts. */
        TRUNCATED_LIST,
        /** A count times its stride is beyond the message. */
        STRIDE_OVERFLOW,
        /** Text that is not UTF-8. */
        BAD_UTF8,
        /** Two values share bytes. */
        OVERLAP,
        /** Values are nested deeper than the budget allows. */
        TOO_DEEP,
        /** More values to visit, or more bytes to look at, than the budget allows. */
        TOO_MANY_VISITS,
        /** A value that its schema or its meaning does not allow. */
        BAD_VALUE,
        /** A frame of a byte stream that cannot be. */
        BAD_FRAME,
        /** A capability that does not hold. */
        BAD_CAPABILITY
    }

    private CodecException(Code code, long position, String what) {
        super(position < 0 ? "zap: " + what : "zap: " + what + " at byte " + position);
        this.code = code;
        this.position = position;
    }

    /**
     * A refusal.
     *
     * @param position in the message, or -1 if it has none
     */
    public static CodecException of(Code code, long position, String what) {
        return new CodecException(code, position, what);
    }

    /** A value that its schema or its meaning does not allow. */
    public static CodecException badValue(String what) {
        return new CodecException(Code.BAD_VALUE, -1, what);
    }

    /** Why. */
    public Code code() {
        return code;
    }

    /** The byte of the message that is at fault, or -1. */
    public long position() {
        return position;
    }
}
