package ai.hanzo.dev.zap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class ZapWriterTest {
    private final ZapWriter writer = ZapWriter.of(1);

    private static void assertTrapped(String what, Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(what);
    }

    @Test
    void theGoldenMessageIsWrittenByteForByte() {
        int object = writer.startObject(24);
        writer.u32(object, 0, 0xDEADBEEF);
        writer.text(object, 8, "zap");
        writer.bytes(object, 16, new byte[] {1, 2, 3, 4});
        writer.finishRoot(object);

        assertThat(HexFormat.of().formatHex(writer.toByteArray()))
                .isEqualTo(
                        "5a41500001000000100000002f000000"
                                + "efbeadde00000000"
                                + "1000000003000000"
                                + "0b00000004000000"
                                + "7a617001020304");
    }

    @Test
    void aFieldThatIsSetTwiceIsTrapped() {
        int object = writer.startObject(40);
        writer.text(object, 0, "one");
        writer.list(object, 8, 16, 1);
        writer.object(object, 16, 16);
        writer.text(object, 24, "");

        assertTrapped("set twice", () -> writer.text(object, 0, "two"));
        assertTrapped("set twice", () -> writer.text(object, 0, ""));
        assertTrapped("set twice", () -> writer.bytes(object, 0, new byte[1]));
        assertTrapped("set twice", () -> writer.list(object, 8, 16, 2));
        assertTrapped("set twice", () -> writer.object(object, 16, 24));
        writer.text(object, 24, "what was empty may be set");
    }

    @Test
    void aFieldOutsideItsObjectIsTrapped() {
        int object = writer.startObject(8);

        assertTrapped("a field of 8 bytes at 1", () -> writer.u64(object, 1, 0));
        assertTrapped("a field of 1 bytes at 8", () -> writer.u8(object, 8, 0));
        assertTrapped("a field of 1 bytes at -1", () -> writer.u8(object, -1, 0));
    }

    @Test
    void anOpenListTakesElementsOnly() {
        writer.startList();
        writer.addU32(7);

        assertTrapped("a list is open", () -> writer.startObject(4));
        assertTrapped("a list is open", writer::startList);
        assertTrapped("a list is open", () -> writer.writeBytes(new byte[1]));
        assertTrapped("a list is open", writer::finishMessage);
        writer.endList();
        assertTrapped("no list is open", () -> writer.addU8(1));
        assertTrapped("no list is open", writer::endList);
    }

    @Test
    void anObjectIsFinishedOnceAndAlways() {
        int outer = writer.startObject(8);
        int inner = writer.startObject(8);
        writer.finish(inner);

        assertTrapped("not open", () -> writer.finish(inner));
        assertTrapped("not open", () -> writer.u8(inner, 0, 1));
        assertTrapped("not finished", writer::finishMessage);
        writer.finishRoot(outer);
        writer.finishMessage();
    }

    @Test
    void objectsMayBeOpenInsideEachOtherAndEndInAnyOrder() {
        int outer = writer.startObject(12);
        int inner = writer.startObject(8);
        writer.text(outer, 0, "outer");
        writer.text(inner, 0, "inner");
        writer.object(outer, 8, inner);
        writer.finishRoot(outer);
        writer.finish(inner);

        ZapReader reader = ZapReader.open(writer.toByteArray(), ZapReader.Mode.STRICT);
        assertThat(reader.text(reader.run(reader.root(), 0))).isEqualTo("outer");
        long child = reader.child(reader.root(), 8);
        assertThat(reader.text(reader.run(child, 0))).isEqualTo("inner");
    }

    @Test
    void aRecordHasNoTails() {
        writer.startList();
        int record = writer.addRecord(8);
        writer.text(record, 0, "tail");

        assertTrapped("no tails", () -> writer.finishRecord(record));
        assertTrapped("not open", () -> writer.finishRecord(record + 1));
    }

    @Test
    void aMessageAboveTheLimitIsTrappedAndOneAtTheLimitIsNot() {
        ZapWriter small = ZapWriter.of(2, 32);
        int object = small.startObject(8);
        small.text(object, 0, "12345678");
        small.finishRoot(object);
        assertThat(small.toByteArray()).hasSize(32);

        small.reset();
        int other = small.startObject(8);
        small.text(other, 0, "123456789");
        assertTrapped("more than 32 bytes", () -> small.finish(other));
        assertTrapped("more than 32 bytes", () -> ZapWriter.of(2, 32).startObject(17));
    }

    @Test
    void resetForgetsTheFlagsUnlessItMustDoAsGoDoes() {
        ZapWriter compatible = ZapWriter.compatible(1);
        for (ZapWriter each : new ZapWriter[] {writer, compatible}) {
            each.flags(0xC800);
            each.reset();
        }

        assertThat(writer.toByteArray()[7]).isZero();
        assertThat(compatible.toByteArray()[7]).isEqualTo((byte) 0xC8);
    }

    @Test
    void textsOfEveryLengthAndKindAreWrittenAsUtf8() {
        for (String unit : new String[] {"a", "é", "→", "😀"}) {
            for (int length : new int[] {1, 11, 12, 13, 47, 48, 49, 500}) {
                writer.reset();
                int object = writer.startObject(8);
                writer.text(object, 0, unit.repeat(length));
                writer.finishRoot(object);

                ZapReader reader = ZapReader.open(writer.toByteArray(), ZapReader.Mode.STRICT);
                assertThat(reader.text(reader.run(reader.root(), 0)))
                        .isEqualTo(unit.repeat(length));
            }
        }
    }

    @Test
    void aReusedWriterLeavesNothingOfTheMessageBefore() {
        int first = writer.startObject(200);
        for (int i = 0; i < 200; i++) {
            writer.u8(first, i, 0xFF);
        }
        writer.finishRoot(first);
        writer.finishMessage();

        writer.reset();
        writer.finishRoot(writer.startObject(12));
        int list = writer.startList();
        writer.endList();

        assertThat(list).isEqualTo(32);
        assertThat(HexFormat.of().formatHex(writer.toByteArray()))
                .isEqualTo("5a415000010000001000000020000000" + "00".repeat(16));
    }
}
