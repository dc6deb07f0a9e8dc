package ai.hanzo.dev.zap;

import ai.hanzo.dev.zap.CodecException.Code;
import ai.hanzo.dev.zap.Layout.Slot;
import java.util.Arrays;

/**
 * Walks a strictly opened message by its layout and refuses it unless every value in it resolves,
 * no two share a byte, every text is UTF-8 and every list is whole. After that the views cannot
 * fail.
 *
 * <p>No two values share a byte, so a message is a tree: there are no cycles and no shared
 * children, and the walk costs at most one visit per four bytes. The claims are one bit per byte:
 * an eighth of the message is all that is allocated, and kept for the next one. Used by one thread.
 */
public final class Validator {
    private long[] claimed = new long[0];
    private Budget budget = Budget.standard();
    private int origin;

    /** A cursor and a reader for each depth, made when first needed. */
    private final EntryCursor[] cursors = new EntryCursor[Budget.MAX_DEPTH + 2];

    private final ZapReader[] readers = new ZapReader[Budget.MAX_DEPTH + 2];

    /** A validator; it may be used for one message after the other. */
    public Validator() {}

    /**
     * Checks the message of {@code reader} with the standard budget.
     *
     * @throws CodecException if the message is refused
     */
    public static void validate(ZapReader reader, Layout root) {
        new Validator().check(reader, root, Budget.standard());
    }

    /**
     * Checks the message of {@code reader} and counts its cost in {@code counted}.
     *
     * @throws CodecException if the message is refused
     * @throws IllegalArgumentException if the reader is not strict
     */
    public void check(ZapReader reader, Layout root, Budget counted) {
        if (!reader.isStrict()) {
            throw new IllegalArgumentException("the reader is not strict");
        }
        budget = counted;
        budget.begin(reader.sizeBytes());
        origin = reader.base();
        int words = (int) ((reader.sizeBytes() + 63) >>> 6);
        if (claimed.length < words) {
            claimed = new long[words];
        } else {
            Arrays.fill(claimed, 0, words, 0);
        }
        message(reader, root, 1);
    }

    private void message(ZapReader reader, Layout layout, int depth) {
        claim(reader, 0, ZapReader.HEADER_BYTES);
        object(reader, reader.root(), layout, depth);
    }

    private void object(ZapReader reader, long at, Layout layout, int depth) {
        budget.visit(at);
        budget.enter(depth, at);
        claim(reader, at, Math.min(layout.sizeBytes(), reader.sizeBytes() - at));
        slots(reader, at, layout, depth);
    }

    private void slots(ZapReader reader, long at, Layout layout, int depth) {
        for (Slot slot : layout.slots()) {
            switch (slot.kind()) {
                case TEXT -> text(reader, reader.run(at, slot.offset()));
                case BYTES -> run(reader, reader.run(at, slot.offset()));
                case STRUCT -> {
                    long child = reader.child(at, slot.offset());
                    if (child != ZapReader.NULL) {
                        object(reader, child, slot.target(), depth + 1);
                    }
                }
                case STRUCT_OR_MESSAGE -> {
                    long child = reader.child(at, slot.offset());
                    if (child != ZapReader.NULL) {
                        objectOrMessage(reader, child, slot.target(), depth + 1);
                    }
                }
                case PACKED -> array(reader, at, slot);
                case INLINE -> records(reader, at, slot, depth + 1);
                case POINTERS -> pointers(reader, at, slot, depth + 1);
                case TEXT_ENTRIES, BYTES_ENTRIES, MESSAGE_ENTRIES ->
                        entries(reader, at, slot, depth + 1);
            }
        }
    }

    private void objectOrMessage(ZapReader reader, long child, Layout layout, int depth) {
        if (!reader.isEmbedded(child)) {
            object(reader, child, layout, depth);
            return;
        }
        budget.enter(depth, child);
        message(reader.embedded(child, readerAt(depth)), layout, depth);
    }

    private void text(ZapReader reader, long run) {
        run(reader, run);
        reader.checkText(run);
    }

    private void run(ZapReader reader, long run) {
        if (run != 0) {
            budget.visit(ZapReader.start(run));
            claim(reader, ZapReader.start(run), ZapReader.length(run));
        }
    }

    private long array(ZapReader reader, long at, Slot slot) {
        long list = reader.list(at, slot.offset(), slot.stride());
        if (list != 0) {
            budget.visit(ZapReader.start(list));
            long length = (long) ZapReader.length(list) * slot.stride();
            claim(reader, ZapReader.start(list), length);
        }
        return list;
    }

    private void records(ZapReader reader, long at, Slot slot, int depth) {
        long list = array(reader, at, slot);
        Layout layout = slot.target();
        if (list == 0 || !layout.hasTail()) {
            return;
        }
        for (int i = 0; i < ZapReader.length(list); i++) {
            long record = reader.record(list, i, slot.stride());
            budget.visit(record);
            budget.enter(depth, record);
            slots(reader, record, layout, depth);
        }
    }

    private void pointers(ZapReader reader, long at, Slot slot, int depth) {
        long list = reader.list(at, slot.offset(), 4);
        if (list == 0) {
            return;
        }
        budget.visit(ZapReader.start(list));
        claim(reader, ZapReader.start(list), 4L * ZapReader.length(list));
        Layout layout = slot.target();
        for (int i = 0; i < ZapReader.length(list); i++) {
            long target = reader.pointee(list, i);
            if (target != ZapReader.NULL) {
                object(reader, target, layout, depth);
            }
        }
    }

    private void entries(ZapReader reader, long at, Slot slot, int depth) {
        long list = reader.list(at, slot.offset());
        if (list == 0) {
            return;
        }
        budget.visit(ZapReader.start(list));
        boolean isMessage = slot.kind() == Layout.Kind.MESSAGE_ENTRIES;
        budget.enter(depth, at);
        ZapReader inner = isMessage ? readerAt(depth) : reader;
        EntryCursor cursor = cursorAt(depth).on(reader, list);
        while (cursor.next()) {
            long run = cursor.run();
            claim(reader, ZapReader.start(run) - 4L, 4);
            budget.visit(ZapReader.start(run));
            if (!isMessage) {
                claim(reader, ZapReader.start(run), ZapReader.length(run));
                if (slot.kind() == Layout.Kind.TEXT_ENTRIES) {
                    reader.checkText(run);
                }
            } else if (ZapReader.length(run) != 0) {
                message(reader.message(run, inner), slot.target(), depth);
            }
        }
    }

    private ZapReader readerAt(int depth) {
        if (readers[depth] == null) {
            readers[depth] = ZapReader.empty();
        }
        return readers[depth];
    }

    private EntryCursor cursorAt(int depth) {
        if (cursors[depth] == null) {
            cursors[depth] = new EntryCursor();
        }
        return cursors[depth];
    }

    /**
     * Claims bytes of a message, which may be inside another one: the claims are those of the
     * outer.
     */
    private void claim(ZapReader reader, long position, long length) {
        if (length <= 0) {
            return;
        }
        budget.take(position, length);
        long from = position + reader.base() - origin;
        long to = from + length;
        int first = (int) (from >>> 6);
        int last = (int) ((to - 1) >>> 6);
        long head = -1L << from;
        long tail = -1L >>> -to;
        if (first == last) {
            mark(first, head & tail, position);
            return;
        }
        mark(first, head, position);
        for (int word = first + 1; word < last; word++) {
            mark(word, -1L, position);
        }
        mark(last, tail, position);
    }

    private void mark(int word, long bits, long position) {
        if ((claimed[word] & bits) != 0) {
            throw CodecException.of(
                    Code.OVERLAP, position, "a value that shares bytes with another");
        }
        claimed[word] |= bits;
    }
}
