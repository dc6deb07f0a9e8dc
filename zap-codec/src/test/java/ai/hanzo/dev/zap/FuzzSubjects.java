package ai.hanzo.dev.zap;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.wire.ActionWire;
import ai.hanzo.dev.protocol.wire.ConfigWire;
import ai.hanzo.dev.protocol.wire.EventWire;
import ai.hanzo.dev.zap.Layout.Kind;
import ai.hanzo.dev.zap.Layout.Slot;
import ai.hanzo.dev.zap.dev.ActionsView;
import ai.hanzo.dev.zap.dev.CellReplyView;
import ai.hanzo.dev.zap.dev.CellRequestView;
import ai.hanzo.dev.zap.dev.ConfigView;
import ai.hanzo.dev.zap.dev.EventView;
import ai.hanzo.dev.zap.dev.StateView;
import java.util.List;
import java.util.function.Consumer;

/** The schemas that hostile bytes are read by. */
final class FuzzSubjects {
    /**
     * A schema and what is made of a message that passes.
     *
     * @param decode reads all of it; throws CodecException if the values cannot be
     */
    record Subject(String name, Layout layout, Consumer<Bytes> decode) {}

    static final List<Subject> ALL =
            List.of(
                    new Subject("event", EventView.LAYOUT, EventWire::decode),
                    new Subject("actions", ActionsView.LAYOUT, ActionWire::decodeBatch),
                    new Subject("config", ConfigView.LAYOUT, ConfigWire::decode),
                    new Subject("state", StateView.LAYOUT, _ -> {}),
                    new Subject("request", CellRequestView.LAYOUT, _ -> {}),
                    new Subject("reply", CellReplyView.LAYOUT, _ -> {}),
                    new Subject("every", everyKind(), _ -> {}));

    private FuzzSubjects() {}

    /** A struct with a slot of each kind, of both dialects, that points to itself. */
    private static Layout everyKind() {
        Layout every = Layout.of("Every", 80);
        Layout plain = Layout.of("Plain", 12).define();
        return every.define(
                Slot.of(Kind.TEXT, 0),
                Slot.of(Kind.BYTES, 8),
                Slot.of(Kind.STRUCT, 16, every),
                Slot.of(Kind.STRUCT_OR_MESSAGE, 20, every),
                Slot.packed(24, 4),
                Slot.inline(32, 12, plain),
                Slot.inline(40, 80, every),
                Slot.of(Kind.POINTERS, 48, every),
                Slot.of(Kind.TEXT_ENTRIES, 56),
                Slot.of(Kind.BYTES_ENTRIES, 64),
                Slot.of(Kind.MESSAGE_ENTRIES, 72, every));
    }
}
