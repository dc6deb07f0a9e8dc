package ai.hanzo.dev.host.core;

import static ai.hanzo.dev.host.core.Driver.exec;
import static ai.hanzo.dev.host.core.Driver.ops;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Config;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.Event.Family;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.TurnId;
import ai.hanzo.dev.protocol.wire.ActionWire;
import ai.hanzo.dev.protocol.wire.ConfigWire;
import ai.hanzo.dev.protocol.wire.EventWire;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the core refuses and what it lets through: invariants 15, 16, 18, 21, 22. */
final class RefusalTest {
    private static Cores cores;
    private Driver driver;

    @BeforeAll
    static void load() {
        cores = new WasmCores(CoreLimits.DEFAULTS);
    }

    @AfterAll
    static void unload() {
        cores.close();
    }

    @BeforeEach
    void open() {
        driver = Driver.open(cores);
    }

    @AfterEach
    void close() {
        driver.close();
    }

    private static void assertCode(ThrowingCallable call, CoreException.Code code) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        CoreException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    private void assertRefused(Bytes event) {
        Bytes state = driver.snapshot();
        assertCode(() -> driver.core().step(event), CoreException.Code.MALFORMED);
        assertThat(driver.snapshot()).isEqualTo(state);
    }

    private static byte[] turn() {
        return EventWire.encode(new Event.Turn(new TurnId(1), "go", List.of()), new Seq(2))
                .toArray();
    }

    /** The place of a field in the event's root object. */
    private static int root(byte[] message, int offset) {
        return java.nio.ByteBuffer.wrap(message).order(java.nio.ByteOrder.LITTLE_ENDIAN).getInt(8)
                + offset;
    }

    @Test
    void invariant15EveryTextCrossesAsItIs() {
        String nasty = "\"quotes\" \\ \u0000 \n \ud83d\ude80 \u202e \uFEFF";
        driver.turn(1, nasty);
        List<Action> acts = driver.calls(1, nasty, exec("printf", "\"x\"\n\ud83d\ude80"));
        assertThat(acts.getFirst().op())
                .isEqualTo(new Op.Emit(Op.EmitKind.SAY, 0, nasty, List.of()));
        assertThat(((Op.Exec) acts.getLast().op()).argv())
                .containsExactly("printf", "\"x\"\n\ud83d\ude80");
    }

    @Test
    void invariant15TheHighestTurnIdIsTaken() {
        assertThat(ops(driver.turn(Long.MAX_VALUE, "last"))).containsExactly("1 ModelAsk");
        assertThat(driver.turn(Long.MAX_VALUE, "again")).isEmpty();
    }

    @Test
    void invariant15WhatTheCoreWritesIsCanonical() {
        driver.turn(1, "go");
        Bytes batch =
                driver.feedBytes(
                        new Event.ModelReply(
                                new ai.hanzo.dev.protocol.id.ActionId(1),
                                java.util.Optional.of("text"),
                                List.of(
                                        exec("a", "b"),
                                        Driver.plan("one", "two"),
                                        Driver.agent("task"),
                                        Driver.read("x")),
                                Event.Usage.NONE));
        assertThat(ActionWire.encodeBatch(ActionWire.decodeBatch(batch))).isEqualTo(batch);
    }

    @Test
    void invariant16NothingAndJunkAreRefused() {
        assertRefused(Bytes.empty());
        assertRefused(Bytes.utf8("junk"));
        assertRefused(Bytes.wrap(new byte[64]));
        assertRefused(Bytes.copyOf(java.util.Arrays.copyOf(turn(), turn().length - 1)));
        assertRefused(Bytes.copyOf(java.util.Arrays.copyOf(turn(), turn().length + 1)));
    }

    @Test
    void invariant16AMissingFieldIsRefused() {
        byte[] message = turn();
        java.util.Arrays.fill(message, root(message, 16), root(message, 20), (byte) 0);
        assertRefused(Bytes.wrap(message));
        byte[] without = turn();
        java.util.Arrays.fill(without, root(without, 8), root(without, 16), (byte) 0);
        assertRefused(Bytes.wrap(without));
    }

    @Test
    void invariant16AnUnknownVariantIsRefused() {
        for (int kind : new int[] {0, 13, 255}) {
            byte[] message = turn();
            message[root(message, 0)] = (byte) kind;
            assertRefused(Bytes.wrap(message));
        }
    }

    @Test
    void invariant16AnIdOverTheBoundIsRefused() {
        byte[] message = turn();
        // The turn lies first in the message; its id is its first field.
        message[16 + 7] = (byte) 0x80;
        assertRefused(Bytes.wrap(message));
        byte[] zero = turn();
        zero[16] = 0;
        assertRefused(Bytes.wrap(zero));
    }

    @Test
    void invariant16AnEmptyPromptIsRefused() {
        assertRefused(EventWire.encode(new Event.Turn(new TurnId(1), "", List.of()), new Seq(2)));
    }

    @Test
    void invariant16EveryDamagedByteIsRefusedOrUnderstood() {
        byte[] good = turn();
        for (int i = 0; i < good.length; i++) {
            for (int bit = 0; bit < 8; bit++) {
                byte[] bad = good.clone();
                bad[i] ^= (byte) (1 << bit);
                try (Driver fresh = Driver.open(cores)) {
                    Bytes state = fresh.snapshot();
                    try {
                        fresh.core().step(Bytes.wrap(bad));
                    } catch (CoreException e) {
                        assertThat(e.code()).isEqualTo(CoreException.Code.MALFORMED);
                        assertThat(fresh.snapshot()).isEqualTo(state);
                    }
                }
            }
        }
    }

    @Test
    void aConfigThatIsNoneIsRefused() {
        assertCode(
                () -> cores.open(cores.current(), Bytes.utf8("junk")),
                CoreException.Code.MALFORMED);
        var twice = List.of(Driver.TOOLS.getFirst(), Driver.TOOLS.getFirst());
        var config = new Config("p", "", "", twice, Config.Limits.DEFAULTS);
        assertCode(
                () -> cores.open(cores.current(), ConfigWire.encode(config)),
                CoreException.Code.MALFORMED);
    }

    @Test
    void anUnknownDigestIsRefused() {
        var other = new CoreDigest("0".repeat(64));
        assertCode(
                () -> cores.open(other, ConfigWire.encode(Driver.config(Config.Limits.DEFAULTS))),
                CoreException.Code.DIGEST);
    }

    @Test
    void invariant18AClosedSessionIsGone() {
        Core core = driver.core();
        core.close();
        core.close();
        assertCode(() -> core.step(Bytes.wrap(turn())), CoreException.Code.HANDLE);
        assertCode(core::snapshot, CoreException.Code.HANDLE);
    }

    @Test
    void invariant21ThirtyTwoSessionsDoNotSeeEachOther() throws Exception {
        try (var virtual = java.util.concurrent.Executors.newVirtualThreadPerTaskExecutor()) {
            var tasks = new java.util.ArrayList<java.util.concurrent.Future<Bytes>>();
            for (int i = 0; i < 32; i++) {
                tasks.add(virtual.submit(RefusalTest::workOnItsOwn));
            }
            Bytes expected = workOnItsOwn();
            for (var task : tasks) {
                assertThat(task.get()).isEqualTo(expected);
            }
        }
    }

    private static Bytes workOnItsOwn() {
        try (Driver driver = Driver.open(cores)) {
            for (int turn = 1; turn <= 20; turn++) {
                long ask = driver.turn(turn, "turn " + turn).getFirst().id().value();
                driver.calls(ask, "", exec("make"));
                long next = driver.result(Family.EXEC, ask + 1, "ok").getFirst().id().value();
                driver.says(next, "done");
            }
            return driver.snapshot();
        }
    }

    @Test
    void invariant22APromptOfTwentyFourMebibytesIsRefusedInGoodOrder() {
        List<Action> refused = driver.turn(1, "x".repeat(24 << 20));
        assertThat(ops(refused)).containsExactly("1 Save", "2 Done");
        assertThat(ops(driver.turn(2, "small"))).containsExactly("3 ModelAsk");
    }

    @Test
    void invariant22ALengthBeyondAllBoundsIsNullAndLeavesTheSessionIntact() {
        Bytes state = driver.snapshot();
        assertCode(
                () -> driver.core().step(Bytes.wrap(new byte[40 << 20])), CoreException.Code.NULL);
        assertThat(driver.snapshot()).isEqualTo(state);
        assertThat(ops(driver.turn(1, "go"))).containsExactly("1 ModelAsk");
    }
}
