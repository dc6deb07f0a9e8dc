package ai.hanzo.dev.zap;

/**
 * Walks a list of length-prefixed entries once, from its first to its last: {@code {len u32,
 * bytes}}. There is no access by index: a reader that offers one is quadratic, which a peer can
 * use. May be set to another list; used by one thread.
 */
public final class EntryCursor {
    private ZapReader reader = ZapReader.empty();
    private long next;
    private int left;
    private long run;

    /** Stands before the first entry of {@code list}. */
    public EntryCursor on(ZapReader ofReader, long list) {
        reader = ofReader;
        next = ZapReader.start(list);
        left = ZapReader.length(list);
        run = 0;
        return this;
    }

    /**
     * Goes to the next entry and says whether there is one. In compatible mode a list that is cut
     * ends early.
     *
     * @throws CodecException in strict mode, if entries are missing
     */
    public boolean next() {
        run = 0;
        if (left == 0) {
            return false;
        }
        long length = reader.u32(next, 0);
        long from = next + 4;
        if (from > reader.sizeBytes() || length > reader.sizeBytes() - from) {
            if (reader.isStrict()) {
                throw CodecException.of(
                        CodecException.Code.TRUNCATED_LIST,
                        next,
                        "a list that ends before its count");
            }
            left = 0;
            return false;
        }
        left--;
        next = from + length;
        run = from << 32 | length;
        return true;
    }

    /** The bytes of this entry; an empty entry has a position and no length. */
    public long run() {
        return run;
    }

    /** Entries that the list still counts; not all need be there. */
    public int left() {
        return left;
    }
}
