package ai.hanzo.dev.zap;

import ai.hanzo.dev.zap.Layout.Slot;

/**
 * Reads a message as a peer of the public runtimes would: everything that its layout names, with
 * nothing checked beforehand, to a number of steps, for there may be circles. One thread.
 */
final class CompatibleWalk {
    private static final int MAX_STEPS = 300;
    private static final int MAX_DEPTH = 12;

    private int steps;
    private long sum;

    /** A number that depends on all that was read. */
    long walk(ZapReader reader, Layout layout) {
        steps = 0;
        sum = 0;
        object(reader, reader.root(), layout, 1);
        return sum;
    }

    private boolean isOver(int depth) {
        return depth > MAX_DEPTH || ++steps > MAX_STEPS;
    }

    private void object(ZapReader reader, long at, Layout layout, int depth) {
        if (isOver(depth)) {
            return;
        }
        for (int i = 0; i + Long.BYTES <= layout.sizeBytes(); i += Long.BYTES) {
            sum = 31 * sum + reader.i64(at, i);
        }
        for (Slot slot : layout.slots()) {
            slot(reader, at, slot, depth + 1);
        }
    }

    private void slot(ZapReader reader, long at, Slot slot, int depth) {
        switch (slot.kind()) {
            case TEXT -> sum += reader.text(reader.run(at, slot.offset())).length();
            case BYTES -> sum += ZapReader.length(reader.run(at, slot.offset()));
            case STRUCT -> object(reader, reader.child(at, slot.offset()), slot.target(), depth);
            case STRUCT_OR_MESSAGE -> {
                long child = reader.child(at, slot.offset());
                if (reader.isEmbedded(child)) {
                    ZapReader inner = reader.embedded(child, ZapReader.empty());
                    object(inner, inner.root(), slot.target(), depth);
                } else {
                    object(reader, child, slot.target(), depth);
                }
            }
            case PACKED, INLINE, POINTERS -> elements(reader, at, slot, depth);
            case TEXT_ENTRIES, BYTES_ENTRIES, MESSAGE_ENTRIES ->
                    entries(reader, reader.list(at, slot.offset()), slot, depth);
        }
    }

    private void elements(ZapReader reader, long at, Slot slot, int depth) {
        long list = reader.list(at, slot.offset());
        for (int i = 0; i < ZapReader.length(list) && !isOver(depth); i++) {
            switch (slot.kind()) {
                case INLINE ->
                        object(
                                reader,
                                reader.record(list, i, slot.stride()),
                                slot.target(),
                                depth + 1);
                case POINTERS -> object(reader, reader.pointee(list, i), slot.target(), depth + 1);
                case PACKED ->
                        sum +=
                                reader.u8At(list, i)
                                        + reader.u16At(list, i)
                                        + reader.u32At(list, i)
                                        + reader.i64At(list, i)
                                        + ZapReader.length(reader.fixedAt(list, i, slot.stride()));
                case TEXT,
                        BYTES,
                        STRUCT,
                        STRUCT_OR_MESSAGE,
                        TEXT_ENTRIES,
                        BYTES_ENTRIES,
                        MESSAGE_ENTRIES ->
                        throw new IllegalStateException("no list of elements");
            }
        }
    }

    private void entries(ZapReader reader, long list, Slot slot, int depth) {
        EntryCursor cursor = new EntryCursor().on(reader, list);
        while (cursor.next() && !isOver(depth)) {
            sum += ZapReader.length(cursor.run());
            if (slot.kind() == Layout.Kind.MESSAGE_ENTRIES) {
                ZapReader inner = reader.message(cursor.run(), ZapReader.empty());
                object(inner, inner.root(), slot.target(), depth + 1);
            } else {
                sum += reader.text(cursor.run()).length();
            }
        }
    }
}
