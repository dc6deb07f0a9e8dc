package ai.hanzo.dev.zap;

import ai.hanzo.dev.zap.Layout.Slot;

/**
 * Counts by the words of {@link Budget} what a message that has passed the strict walk must have
 * cost, without anything of that walk: no claims, no limits. One thread.
 */
final class Recount {
    private long visits;
    private long bytes;
    private int deepest;

    /** Throws {@link AssertionError} unless {@code budget} says the same. */
    void check(ZapReader reader, Layout root, Budget budget) {
        visits = 0;
        bytes = 0;
        deepest = 0;
        message(reader, root, 1);
        same(visits, budget.visits(), "visits");
        same(bytes, budget.bytes(), "bytes looked at");
        same(deepest, budget.deepest(), "levels");
    }

    private static void same(long expected, long found, String what) {
        if (expected != found) {
            throw new AssertionError(found + " " + what + " were counted, not " + expected);
        }
    }

    private void message(ZapReader reader, Layout layout, int depth) {
        bytes += ZapReader.HEADER_BYTES;
        object(reader, reader.root(), layout, depth);
    }

    private void object(ZapReader reader, long at, Layout layout, int depth) {
        bytes += Math.min(layout.sizeBytes(), reader.sizeBytes() - at);
        fields(reader, at, layout, depth);
    }

    /** An object that is looked at by itself: a visit, and a level. */
    private void fields(ZapReader reader, long at, Layout layout, int depth) {
        visits++;
        deepest = Math.max(deepest, depth);
        for (Slot slot : layout.slots()) {
            slot(reader, at, slot, depth);
        }
    }

    private void slot(ZapReader reader, long at, Slot slot, int depth) {
        switch (slot.kind()) {
            case TEXT, BYTES -> {
                long run = reader.run(at, slot.offset());
                visits += run == 0 ? 0 : 1;
                bytes += ZapReader.length(run);
            }
            case STRUCT, STRUCT_OR_MESSAGE -> {
                long child = reader.child(at, slot.offset());
                boolean isMessage =
                        slot.kind() == Layout.Kind.STRUCT_OR_MESSAGE && reader.isEmbedded(child);
                if (isMessage) {
                    ZapReader inner = reader.embedded(child, ZapReader.empty());
                    message(inner, slot.target(), depth + 1);
                } else if (child != ZapReader.NULL) {
                    object(reader, child, slot.target(), depth + 1);
                }
            }
            case PACKED, INLINE, POINTERS, TEXT_ENTRIES, BYTES_ENTRIES, MESSAGE_ENTRIES -> {
                long list = reader.list(at, slot.offset());
                if (list != 0) {
                    visits++;
                    list(reader, list, slot, depth + 1);
                }
            }
        }
    }

    private void list(ZapReader reader, long list, Slot slot, int depth) {
        int count = ZapReader.length(list);
        switch (slot.kind()) {
            case PACKED -> bytes += (long) count * slot.stride();
            case INLINE -> {
                bytes += (long) count * slot.stride();
                for (int i = 0; slot.target().hasTail() && i < count; i++) {
                    fields(reader, reader.record(list, i, slot.stride()), slot.target(), depth);
                }
            }
            case POINTERS -> {
                bytes += 4L * count;
                for (int i = 0; i < count; i++) {
                    long target = reader.pointee(list, i);
                    if (target != ZapReader.NULL) {
                        object(reader, target, slot.target(), depth);
                    }
                }
            }
            case TEXT_ENTRIES, BYTES_ENTRIES, MESSAGE_ENTRIES -> entries(reader, list, slot, depth);
            case TEXT, BYTES, STRUCT, STRUCT_OR_MESSAGE ->
                    throw new IllegalStateException("no list");
        }
    }

    private void entries(ZapReader reader, long list, Slot slot, int depth) {
        deepest = Math.max(deepest, depth);
        var cursor = new EntryCursor().on(reader, list);
        while (cursor.next()) {
            visits++;
            bytes += 4;
            int length = ZapReader.length(cursor.run());
            if (slot.kind() != Layout.Kind.MESSAGE_ENTRIES) {
                bytes += length;
            } else if (length != 0) {
                ZapReader inner = reader.message(cursor.run(), ZapReader.empty());
                message(inner, slot.target(), depth);
            }
        }
    }
}
