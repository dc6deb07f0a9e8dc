package ai.hanzo.dev.zap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.zap.CodecException.Code;
import ai.hanzo.dev.zap.ZapReader.Mode;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ZapReaderTest {
    private static final String GOOD = "5a415000020000001000000018000000" + "0000000000000000";

    private static ZapReader open(String hex, Mode mode) {
        return ZapReader.open(HexFormat.of().parseHex(hex.replace(" ", "")), mode);
    }

    @ParameterizedTest
    @CsvSource({
        "TRAILING_BYTES, 5a415000020000001000000018000000 0000000000000000 00",
        "BAD_FLAGS,      5a415000020001001000000018000000 0000000000000000",
        "BAD_ROOT,       5a415000020000000f00000018000000 0000000000000000",
        "BAD_ROOT,       5a415000020000000000000018000000 0000000000000000",
        "BAD_ROOT,       5a415000020000001900000018000000 0000000000000000",
        "BAD_ROOT,       5a41500002000000ffffffff18000000 0000000000000000",
    })
    void strictRefusesWhatCompatibleOpens(Code code, String hex) {
        assertThat(open(hex, Mode.COMPATIBLE).sizeBytes()).isEqualTo(24);
        assertThatThrownBy(() -> open(hex, Mode.STRICT))
                .isInstanceOfSatisfying(
                        CodecException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void aMessageTypeInTheHighByteOfTheFlagsIsNoFault() {
        assertThat(open(GOOD.replace("02000000", "020000c8"), Mode.STRICT).flags())
                .isEqualTo(0xC800);
    }

    @ParameterizedTest
    @CsvSource({
        // The slot at 16: rel u32, length u32.
        "BAD_POINTER,      08000000 01000000",
        "BAD_POINTER,      f4ffffff 02000000",
        "BAD_POINTER,      09000000 00000000",
        "BAD_POINTER,      08000000 ffffffff",
        "BAD_POINTER,      10000000 f0ffffff",
        "NULL_WITH_LENGTH, 00000000 05000000",
    })
    void aRunThatDoesNotResolveIsNullOrRefused(Code code, String slot) {
        String hex = "5a415000020000001000000018000000" + slot;
        ZapReader compatible = open(hex, Mode.COMPATIBLE);
        ZapReader strict = open(hex, Mode.STRICT);

        assertThat(compatible.run(compatible.root(), 0)).isZero();
        assertThatThrownBy(() -> strict.run(strict.root(), 0))
                .isInstanceOfSatisfying(
                        CodecException.class,
                        e -> {
                            assertThat(e.code()).isEqualTo(code);
                            assertThat(e.position()).isEqualTo(16);
                        });
    }

    @Test
    void fieldsPastTheEndOfTheMessageAreZeroInBothModes() {
        for (Mode mode : Mode.values()) {
            ZapReader reader = open(GOOD, mode);
            long root = reader.root();
            assertThat(reader.i64(root, 1)).isZero();
            assertThat(reader.run(root, 8)).isZero();
            assertThat(reader.list(root, 100)).isZero();
            assertThat(reader.child(root, Integer.MAX_VALUE)).isEqualTo(ZapReader.NULL);
        }
    }

    @Test
    void aSlotThatTheEndCutsThroughIsRefusedUnlessItIsZero() {
        String cut = "5a415000020000001000000016000000" + "0400 0000 0000".replace(" ", "");
        ZapReader strict = open(cut, Mode.STRICT);

        assertThatThrownBy(() -> strict.run(strict.root(), 0)).isInstanceOf(CodecException.class);
        assertThat(strict.run(strict.root(), 2)).isZero();
    }

    @Test
    void theNullObjectAnswersZeroToEverything() {
        ZapReader reader = open(GOOD, Mode.STRICT);

        assertThat(reader.i64(ZapReader.NULL, 0)).isZero();
        assertThat(reader.run(ZapReader.NULL, 0)).isZero();
        assertThat(reader.text(reader.run(ZapReader.NULL, 0))).isEmpty();
        assertThat(reader.list(ZapReader.NULL, 0)).isZero();
        assertThat(reader.child(ZapReader.NULL, 0)).isEqualTo(ZapReader.NULL);
        assertThat(reader.isNull(ZapReader.NULL)).isTrue();
    }

    @Test
    void aMessageIsReadInTheMiddleOfAnArray() {
        byte[] message =
                HexFormat.of().parseHex("5a41500001000000100000001800000001020304050607ff");
        byte[] array = new byte[100];
        System.arraycopy(message, 0, array, 37, message.length);

        ZapReader reader = ZapReader.open(array, 37, message.length, Mode.STRICT);

        assertThat(reader.i64(reader.root(), 0)).isEqualTo(0xff07060504030201L);
        assertThat(reader.i8(reader.root(), 7)).isEqualTo((byte) -1);
        assertThat(reader.u16(reader.root(), 6)).isEqualTo(0xff07);
        assertThat(reader.i16(reader.root(), 6)).isEqualTo((short) 0xff07);
        assertThat(reader.u32(reader.root(), 4)).isEqualTo(0xff070605L);
        assertThat(reader.version()).isEqualTo(1);
    }

    @Test
    void aReaderWhoseReopeningFailsHasNoMessage() {
        ZapReader reader = open(GOOD, Mode.STRICT);
        assertThatThrownBy(() -> reader.reopen(new byte[3], 0, 3, Mode.STRICT))
                .isInstanceOf(CodecException.class);

        assertThat(reader.root()).isEqualTo(ZapReader.NULL);
        assertThat(reader.sizeBytes()).isZero();
    }

    @Test
    void aSliceOutsideItsArrayIsABugOfTheCaller() {
        assertThatThrownBy(() -> ZapReader.open(new byte[20], 10, 11, Mode.STRICT))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> ZapReader.open(new byte[20], -1, 5, Mode.STRICT))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }
}
