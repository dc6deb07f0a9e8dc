package ai.hanzo.dev.zap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.zap.CodecException.Code;
import ai.hanzo.dev.zap.Layout.Kind;
import ai.hanzo.dev.zap.Layout.Slot;
import ai.hanzo.dev.zap.ZapReader.Mode;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ValidatorTest {
    private static final Layout LEAF = Layout.of("Leaf", 4).define();
    private static final Layout TEXT = Layout.of("Text", 8).define(Slot.of(Kind.TEXT, 0));
    private static final Layout NODE = node();
    private static final Layout FAN = fan();
    private static final Layout NESTED = nested();

    private final Budget budget = Budget.standard();

    /** A struct that points to another of its kind. */
    private static Layout node() {
        Layout node = Layout.of("Node", 4);
        return node.define(Slot.of(Kind.STRUCT, 0, node));
    }

    private static Layout fan() {
        Layout fan = Layout.of("Fan", 8);
        return fan.define(Slot.of(Kind.POINTERS, 0, fan));
    }

    private static Layout nested() {
        Layout nested = Layout.of("Nested", 8);
        return nested.define(Slot.of(Kind.MESSAGE_ENTRIES, 0, nested));
    }

    private void walk(byte[] message, Layout layout) {
        new Validator().check(ZapReader.open(message, Mode.STRICT), layout, budget);
    }

    private static byte[] written(Consumer<ZapWriter> writes) {
        ZapWriter writer = ZapWriter.compatible(2);
        writes.accept(writer);
        return writer.toByteArray();
    }

    private void assertRefused(Code code, byte[] message, Layout layout) {
        assertThatThrownBy(() -> walk(message, layout))
                .isInstanceOfSatisfying(
                        CodecException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    private static byte[] chain(int depth) {
        return written(writer -> {
            int below = 0;
            for (int i = 0; i < depth; i++) {
                int object = writer.startObject(4);
                writer.object(object, 0, below);
                below = writer.finish(object);
            }
            writer.root(below);
        });
    }

    @Test
    void everyObjectIsOneVisitAndOneDepth() {
        walk(chain(5), NODE);

        assertThat(budget.visits()).isEqualTo(5);
        assertThat(budget.deepest()).isEqualTo(5);
        assertThat(budget.bytes()).isEqualTo(16 + 5 * 4);
    }

    @Test
    void sixtyFourIsDeepEnoughAndSixtyFiveTooDeep() {
        walk(chain(64), NODE);
        assertThat(budget.deepest()).isEqualTo(64);

        assertRefused(Code.TOO_DEEP, chain(65), NODE);
        assertThat(budget.visits()).isEqualTo(65);
    }

    @Test
    void messagesInsideMessagesAreAsDeepAsTheyAreNested() {
        byte[] message = written(w -> w.finishRoot(w.startObject(8)));
        for (int depth = 2; depth <= 64; depth++) {
            message = wrapped(message);
        }
        walk(message, NESTED);
        assertThat(budget.deepest()).isEqualTo(64);

        assertRefused(Code.TOO_DEEP, wrapped(message), NESTED);
    }

    private static byte[] wrapped(byte[] message) {
        return written(w -> {
            int object = w.startObject(8);
            int list = w.startList();
            w.addEntry(message);
            w.list(object, 0, list, 1);
            w.finishRoot(object);
        });
    }

    @Test
    void anObjectThatIsNamedTwiceIsRefused() {
        byte[] shared =
                written(w -> {
                    int leaf = w.finish(w.startObject(4));
                    int root = w.startObject(8);
                    w.object(root, 0, leaf);
                    w.object(root, 4, leaf);
                    w.finishRoot(root);
                });
        Layout pair =
                Layout.of("Pair", 8)
                        .define(Slot.of(Kind.STRUCT, 0, LEAF), Slot.of(Kind.STRUCT, 4, LEAF));

        assertRefused(Code.OVERLAP, shared, pair);
    }

    @Test
    void aCircleIsRefusedAfterOneRound() {
        byte[] message = chain(2);
        // The inner object, at 16, points to the outer one, at 24.
        message[16] = 8;

        assertRefused(Code.OVERLAP, message, NODE);
        assertThat(budget.visits()).isEqualTo(3);
    }

    @Test
    void aTextThatLiesInItsOwnSlotIsRefused() {
        byte[] message = written(w -> w.finishRoot(w.startObject(8)));
        message[16] = 4;
        message[20] = 4;

        assertRefused(Code.OVERLAP, message, TEXT);
    }

    @Test
    void aFanOfPointerListsCostsNoMoreVisitsThanItHasBytes() {
        // Each level is a list of cells that all name the level below: 2^n visits without a budget.
        byte[] message =
                written(w -> {
                    int below = 0;
                    while (w.sizeBytes() < 128 * 1024 - 64) {
                        int list = w.startList();
                        for (int i = 0; i < 8; i++) {
                            w.addPointer(below);
                        }
                        int object = w.startObject(8);
                        w.list(object, 0, list, 8);
                        below = w.finish(object);
                    }
                    w.root(below);
                });

        assertRefused(Code.TOO_DEEP, message, FAN);
        assertThat(budget.visits()).isLessThanOrEqualTo(2 * 65);
    }

    @Test
    void aFlatFanThatSharesItsLeavesIsRefusedAtTheSecondCell() {
        byte[] message =
                written(w -> {
                    int leaf = w.startObject(8);
                    w.finish(leaf);
                    int list = w.startList();
                    for (int i = 0; i < 30_000; i++) {
                        w.addPointer(leaf);
                    }
                    int object = w.startObject(8);
                    w.list(object, 0, list, 30_000);
                    w.finishRoot(object);
                });

        assertRefused(Code.OVERLAP, message, FAN);
        assertThat(budget.visits()).isEqualTo(4);
    }

    @Test
    void aLongListOfEntriesIsWalkedOnce() {
        byte[] message =
                written(w -> {
                    int object = w.startObject(8);
                    int list = w.startList();
                    for (int i = 0; i < 30_000; i++) {
                        w.addEntry(new byte[0]);
                    }
                    w.list(object, 0, list, 30_000);
                    w.finishRoot(object);
                });
        walk(message, Layout.of("L", 8).define(Slot.of(Kind.BYTES_ENTRIES, 0)));

        assertThat(budget.visits()).isEqualTo(30_002);
        assertThat(budget.bytes()).isEqualTo(message.length);
    }

    @Test
    void aListThatEndsBeforeItsCountIsRefused() {
        byte[] message =
                written(w -> {
                    int object = w.startObject(8);
                    int list = w.startList();
                    w.addEntry(new byte[] {1});
                    w.list(object, 0, list, 2);
                    w.finishRoot(object);
                });

        assertRefused(
                Code.TRUNCATED_LIST,
                message,
                Layout.of("L", 8).define(Slot.of(Kind.BYTES_ENTRIES, 0)));
        assertRefused(Code.STRIDE_OVERFLOW, message, Layout.of("L", 8).define(Slot.packed(0, 4)));
    }

    @Test
    void aTextThatIsNotUtf8IsRefused() {
        byte[] message =
                written(w -> {
                    int object = w.startObject(8);
                    w.bytes(object, 0, new byte[] {(byte) 0xE2, (byte) 0x82});
                    w.finishRoot(object);
                });

        assertRefused(Code.BAD_UTF8, message, TEXT);
        walk(message, Layout.of("B", 8).define(Slot.of(Kind.BYTES, 0)));
    }

    @Test
    void aNullSlotWithALengthIsRefused() {
        byte[] message = written(w -> w.finishRoot(w.startObject(8)));
        message[20] = 1;

        assertRefused(Code.NULL_WITH_LENGTH, message, TEXT);
        assertRefused(Code.NULL_WITH_LENGTH, message, Layout.of("L", 8).define(Slot.packed(0, 1)));
    }

    @Test
    void aMessageAboveTheBudgetIsRefused() {
        byte[] message = chain(3);
        var reader = ZapReader.open(message, Mode.STRICT);

        assertThatThrownBy(() ->
                        new Validator().check(reader, NODE, Budget.of(message.length - 1, 64)))
                .isInstanceOfSatisfying(
                        CodecException.class, e -> assertThat(e.code()).isEqualTo(Code.TOO_LARGE));
        new Validator().check(reader, NODE, Budget.of(message.length, 3));
    }

    @Test
    void aValidatorCanBeUsedAgainAfterARefusal() {
        var validator = new Validator();
        byte[] bad = chain(65);
        assertThatThrownBy(() -> validator.check(ZapReader.open(bad, Mode.STRICT), NODE, budget))
                .isInstanceOf(CodecException.class);

        validator.check(ZapReader.open(chain(3), Mode.STRICT), NODE, budget);

        assertThat(budget.visits()).isEqualTo(3);
    }

    @Test
    void headAcceptsAMessageInPlaceOfAStruct() {
        byte[] inner =
                written(w -> {
                    int object = w.startObject(8);
                    w.text(object, 0, "in");
                    w.finishRoot(object);
                });
        byte[] message =
                written(w -> {
                    int at = w.writeBytes(inner);
                    int object = w.startObject(4);
                    w.object(object, 0, at);
                    w.finishRoot(object);
                });
        Layout outer = Layout.of("Outer", 4).define(Slot.of(Kind.STRUCT_OR_MESSAGE, 0, TEXT));

        walk(message, outer);

        assertThat(budget.visits()).isEqualTo(3);
        assertThat(budget.deepest()).isEqualTo(2);
    }
}
