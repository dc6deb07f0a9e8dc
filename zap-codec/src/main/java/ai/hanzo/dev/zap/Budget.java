package ai.hanzo.dev.zap;

/**
 * What one message may cost its reader, counted while it is read. The counts are exact and depend
 * on the bytes alone, so that tests can assert them and a hostile message is stopped at the same
 * place everywhere. One budget serves one message; used by one thread.
 *
 * <ul>
 *   <li><b>visit</b>: an object, a text, a run of bytes, a list, or an element of a list that is
 *       looked at by itself;
 *   <li><b>byte</b>: a byte of the message that belongs to a visited value;
 *   <li><b>depth</b>: the root is at depth 1, what an object points to is one deeper.
 * </ul>
 */
public final class Budget {
    /** The largest message: 64 MiB, which is also the largest frame. */
    public static final int MAX_MESSAGE_BYTES = 64 << 20;

    /** The deepest nesting. */
    public static final int MAX_DEPTH = 64;

    /** Visits and bytes that even the smallest message may cost. */
    public static final int FREE_VISITS = 64 << 10;

    /** Visits and bytes per byte of the message, besides the free ones. */
    public static final int VISITS_PER_BYTE = 8;

    private final long maxMessageBytes;
    private final int maxDepth;
    private long maxVisits = -1;
    private long visits;
    private long bytes;
    private int deepest;

    private Budget(long maxMessageBytes, int maxDepth) {
        this.maxMessageBytes = maxMessageBytes;
        this.maxDepth = maxDepth;
    }

    /** The limits above. */
    public static Budget standard() {
        return new Budget(MAX_MESSAGE_BYTES, MAX_DEPTH);
    }

    /** Other limits. */
    public static Budget of(long maxMessageBytes, int maxDepth) {
        return new Budget(maxMessageBytes, maxDepth);
    }

    /** Objects, texts, runs, lists and elements looked at so far. */
    public long visits() {
        return visits;
    }

    /** Bytes of the message that were claimed by a value so far. */
    public long bytes() {
        return bytes;
    }

    /** The deepest object so far; the root is at 1. */
    public int deepest() {
        return deepest;
    }

    /** The visits, and the bytes, that are allowed: set by the size of the message. */
    public long maxVisits() {
        return maxVisits;
    }

    /** Begins with a message of that size. */
    void begin(long sizeBytes) {
        if (sizeBytes > maxMessageBytes) {
            throw CodecException.of(
                    CodecException.Code.TOO_LARGE,
                    -1,
                    "a message of "
                            + sizeBytes
                            + " bytes is above the limit of "
                            + maxMessageBytes);
        }
        maxVisits = FREE_VISITS + VISITS_PER_BYTE * sizeBytes;
        visits = 0;
        bytes = 0;
        deepest = 0;
    }

    void visit(long position) {
        if (++visits > maxVisits) {
            throw tooMany(position, "more than " + maxVisits + " values to look at");
        }
    }

    void take(long position, long count) {
        bytes += count;
        if (bytes > maxVisits) {
            throw tooMany(position, "more than " + maxVisits + " bytes to look at");
        }
    }

    void enter(int depth, long position) {
        if (depth > maxDepth) {
            throw CodecException.of(
                    CodecException.Code.TOO_DEEP, position, "nested deeper than " + maxDepth);
        }
        deepest = Math.max(deepest, depth);
    }

    private static CodecException tooMany(long position, String what) {
        return CodecException.of(CodecException.Code.TOO_MANY_VISITS, position, what);
    }
}
