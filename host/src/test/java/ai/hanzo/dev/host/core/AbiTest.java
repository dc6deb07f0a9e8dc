package ai.hanzo.dev.host.core;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.TurnId;
import ai.hanzo.dev.protocol.wire.ConfigWire;
import ai.hanzo.dev.protocol.wire.EventWire;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The nine exports of {@code dev.wasm} as they are, with many sessions in one instance. */
final class AbiTest {
    private static final int HANDLE = -1;
    private static final int MALFORMED = -2;
    private static final int NULL = -5;
    private static final int FULL = -7;

    /** Sessions that one instance holds; {@code SLOTS} in {@code wasm/core/src/abi.rs}. */
    private static final int SLOTS = 64;

    /** Where out-parameters are; filled with this before each call. */
    private static final long UNTOUCHED = 0x5555_5555_5555_5555L;

    private final CoreProgram.Loaded loaded =
            new BuiltInCore().load(new WasiHost(Map.of(), _ -> {}), 1024);
    private final CoreCode code = loaded.code();
    private final FlatMemory memory = loaded.memory();
    private int out;

    @BeforeEach
    void alloc() {
        out = call("dev_alloc", 16);
    }

    private int call(String name, long... args) {
        return switch (name) {
            case "dev_abi" -> code.abi();
            case "dev_new" -> code.open((int) args[0], (int) args[1], (int) args[2]);
            case "dev_step" -> code.step(args[0], (int) args[1], (int) args[2], (int) args[3]);
            case "dev_snapshot" -> code.snapshot(args[0], (int) args[1]);
            case "dev_restore" -> code.restore((int) args[0], (int) args[1], (int) args[2]);
            case "dev_alloc" -> code.alloc((int) args[0]);
            case "dev_drop" -> nothing(() -> code.drop(args[0]));
            case "dev_free" -> nothing(() -> code.free((int) args[0]));
            case "dev_release" -> nothing(() -> code.release((int) args[0], (int) args[1]));
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static int nothing(Runnable call) {
        call.run();
        return 0;
    }

    private int put(Bytes bytes) {
        int at = call("dev_alloc", Math.max(1, bytes.length()));
        memory.write(at, bytes);
        return at;
    }

    private int made(String name, Bytes input) {
        memory.writeLong(out, UNTOUCHED);
        return call(name, put(input), input.length(), out);
    }

    private static Bytes config() {
        return ConfigWire.encode(Driver.config(ai.hanzo.dev.protocol.Config.Limits.DEFAULTS));
    }

    private static Bytes turn() {
        return EventWire.encode(new Event.Turn(new TurnId(1), "go", List.of()), new Seq(2));
    }

    private long opened() {
        assertThat(made("dev_new", config())).isZero();
        return memory.readLong(out);
    }

    @Test
    void invariant18AHandleIsAGenerationAndAnIndex() {
        long first = opened();
        long second = opened();
        assertThat(first).isEqualTo(1L << 32);
        assertThat(second).isEqualTo(1L << 32 | 1);
        call("dev_drop", first);
        assertThat(opened()).as("the same place, a generation later").isEqualTo(2L << 32);
        assertThat(call("dev_snapshot", first, out)).isEqualTo(HANDLE);
        assertThat(call("dev_snapshot", second, out)).isZero();
    }

    @Test
    void invariant18HandlesThatNeverWereAreStale() {
        long live = opened();
        int event = put(turn());
        for (long bad :
                new long[] {0, 1, -1, live + 1, live + (1L << 32), live | 64, Long.MIN_VALUE}) {
            memory.writeLong(out, UNTOUCHED);
            assertThat(call("dev_step", bad, event, turn().length(), out)).isEqualTo(HANDLE);
            assertThat(call("dev_snapshot", bad, out)).isEqualTo(HANDLE);
            call("dev_drop", bad);
            assertThat(memory.readLong(out)).isEqualTo(UNTOUCHED);
        }
        assertThat(call("dev_snapshot", live, out)).isZero();
    }

    @Test
    void invariant18ANullOutIsRefusedAndAnOutIsWrittenOnOkOnly() {
        Bytes config = config();
        assertThat(call("dev_new", put(config), config.length(), 0)).isEqualTo(NULL);
        assertThat(call("dev_new", 0, config.length(), out)).isEqualTo(NULL);
        assertThat(made("dev_new", Bytes.utf8("junk"))).isEqualTo(MALFORMED);
        assertThat(memory.readLong(out)).isEqualTo(UNTOUCHED);
        assertThat(made("dev_restore", Bytes.utf8("junk"))).isEqualTo(MALFORMED);
        assertThat(memory.readLong(out)).isEqualTo(UNTOUCHED);
        long live = opened();
        memory.writeLong(out, UNTOUCHED);
        assertThat(call("dev_step", live, put(turn()), turn().length(), 0)).isEqualTo(NULL);
        assertThat(call("dev_step", live, 0, 4, out)).isEqualTo(NULL);
        assertThat(call("dev_step", live, put(turn()), -1, out)).isEqualTo(NULL);
        assertThat(call("dev_step", live, put(turn()), 8, out)).isEqualTo(MALFORMED);
        assertThat(call("dev_snapshot", live, 0)).isEqualTo(NULL);
        assertThat(memory.readLong(out)).isEqualTo(UNTOUCHED);
    }

    @Test
    void aFullTableIsFullUntilASessionIsDropped() {
        var handles = new ArrayList<Long>();
        for (int i = 0; i < SLOTS; i++) {
            handles.add(opened());
        }
        assertThat(made("dev_new", config())).isEqualTo(FULL);
        assertThat(memory.readLong(out)).isEqualTo(UNTOUCHED);
        call("dev_drop", handles.get(17));
        assertThat(opened() & 0xFFFF_FFFFL).isEqualTo(17);
    }

    @Test
    void allocIsZeroedAlignedAndRefusesWhatItCannotGive() {
        for (long length :
                new long[] {0, -1, (32 << 20) + 1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            assertThat(call("dev_alloc", length)).isZero();
        }
        for (int length : new int[] {1, 7, 8, 9, 1_000, 70_000}) {
            int at = call("dev_alloc", length);
            assertThat(at % 8).isZero();
            assertThat(memory.readBytes(at, length)).containsOnly(0);
            memory.fill((byte) 7, at, at + length);
            call("dev_release", at, length);
            assertThat(memory.readBytes(call("dev_alloc", length), length)).containsOnly(0);
        }
    }

    @Test
    void aBufferThatIsGivenBackIsEmptyAndMayBeGivenBackAgain() {
        long live = opened();
        assertThat(call("dev_snapshot", live, out)).isZero();
        assertThat(memory.readInt(out)).isNotZero();
        call("dev_free", out);
        assertThat(memory.readBytes(out, 12)).containsOnly(0);
        call("dev_free", out);
        call("dev_free", 0);
        assertThat(call("dev_snapshot", live, out)).isZero();
    }

    @Test
    void invariant21SessionsOfOneInstanceDoNotSeeEachOther() {
        long one = opened();
        long other = opened();
        assertThat(call("dev_step", one, put(turn()), turn().length(), out)).isZero();
        assertThat(call("dev_snapshot", other, out)).isZero();
        Bytes state = Bytes.wrap(memory.readBytes(memory.readInt(out), memory.readInt(out + 4)));
        assertThat(made("dev_new", config())).isZero();
        assertThat(call("dev_snapshot", memory.readLong(out), out)).isZero();
        assertThat(Bytes.wrap(memory.readBytes(memory.readInt(out), memory.readInt(out + 4))))
                .isEqualTo(state);
    }
}
