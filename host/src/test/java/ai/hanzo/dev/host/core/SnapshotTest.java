package ai.hanzo.dev.host.core;

import static ai.hanzo.dev.host.core.Driver.agent;
import static ai.hanzo.dev.host.core.Driver.exec;
import static ai.hanzo.dev.host.core.Driver.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.protocol.Bytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The state as bytes: whole, or refused. */
final class SnapshotTest {
    private static Cores cores;

    @BeforeAll
    static void load() {
        cores = new WasmCores(CoreLimits.DEFAULTS);
    }

    @AfterAll
    static void unload() {
        cores.close();
    }

    private static byte[] busyState() {
        try (Driver driver = Driver.open(cores)) {
            driver.turn(1, "go");
            driver.turn(2, "then this");
            driver.calls(1, "I look", exec("a"), read("../x"), agent("help", "read"));
            return driver.snapshot().toArray();
        }
    }

    private static void assertRefused(byte[] state, CoreException.Code code) {
        assertThatThrownBy(() -> cores.restore(cores.current(), Bytes.copyOf(state)))
                .isInstanceOfSatisfying(
                        CoreException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void aRestoredStateIsTheSameBytes() {
        byte[] state = busyState();
        try (Core core = cores.restore(cores.current(), Bytes.copyOf(state))) {
            assertThat(core.snapshot()).isEqualTo(Bytes.copyOf(state));
        }
    }

    @Test
    void everyTruncationIsRefused() {
        byte[] state = busyState();
        for (int length = 0; length < state.length; length++) {
            assertRefused(Arrays.copyOf(state, length), CoreException.Code.MALFORMED);
        }
        assertRefused(Arrays.copyOf(state, state.length + 1), CoreException.Code.MALFORMED);
    }

    @Test
    void everyFlippedBitIsRefused() {
        byte[] state = busyState();
        for (int i = 0; i < state.length; i++) {
            for (int bit = 0; bit < 8; bit++) {
                byte[] bad = state.clone();
                bad[i] ^= (byte) (1 << bit);
                // In the version of the format a flipped bit looks like a newer one.
                boolean isNewer = i >= 4 && i < 8 && !(i == 4 && bit == 0);
                assertRefused(
                        bad, isNewer ? CoreException.Code.VERSION : CoreException.Code.MALFORMED);
            }
        }
    }

    @Test
    void aNewerFormatIsRefusedWithBothNumbers() {
        byte[] state = busyState();
        ByteBuffer.wrap(state).order(ByteOrder.LITTLE_ENDIAN).putInt(4, 7);
        assertThatThrownBy(() -> cores.restore(cores.current(), Bytes.copyOf(state)))
                .hasMessageContaining("format 7")
                .hasMessageContaining("up to " + SnapshotFormat.CURRENT);
    }

    @Test
    void theStateOfTwentyMessagesIsSmall() {
        try (Driver driver = Driver.open(cores)) {
            long id = 1;
            for (int turn = 1; turn <= 10; turn++) {
                id = driver.turn(turn, "prompt " + turn).getLast().id().value();
                driver.says(id, "answer");
            }
            assertThat(driver.snapshot().length()).isLessThan(2_048);
        }
    }
}
