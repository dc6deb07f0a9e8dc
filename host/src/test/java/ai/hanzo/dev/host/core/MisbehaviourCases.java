package ai.hanzo.dev.host.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.protocol.Bytes;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What the host does with a core that traps, loops, or lies: invariants 17 to 20. The module is
 * {@code misbehave.wat}; it does what the first byte of an event says. The same for both ways in
 * which a module can be run.
 */
@Timeout(120)
abstract class MisbehaviourCases {
    private static final Duration DEADLINE = Duration.ofMillis(200);
    private static final Bytes CONFIG = Bytes.utf8("any");

    private WasmCores cores;
    private Core core;

    @BeforeEach
    void open() {
        cores = new WasmCores(program(), new CoreLimits(DEADLINE, 1 << 20), 2, _ -> {});
        core = cores.open(cores.current(), CONFIG);
    }

    @AfterEach
    void close() {
        cores.close();
    }

    /** {@code misbehave.wasm}, by one way to run it. */
    abstract CoreProgram program();

    private static void assertCode(ThrowingCallable call, CoreException.Code code) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        CoreException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    private Bytes step(String event) {
        return core.step(Bytes.utf8(event));
    }

    private void assertOthersLive() {
        try (Core other = cores.open(cores.current(), CONFIG)) {
            assertThat(other.step(Bytes.utf8("echo"))).isEqualTo(Bytes.utf8("echo"));
        }
    }

    @Test
    void theModuleEchoesWhatItIsNotToldToBreak() {
        assertThat(step("hello")).isEqualTo(Bytes.utf8("hello"));
        assertThat(step("again")).isEqualTo(Bytes.utf8("again"));
    }

    @Test
    void invariant17ATrapPoisonsItsOwnSession() {
        assertCode(() -> step("T"), CoreException.Code.PANIC);
        assertCode(() -> step("hello"), CoreException.Code.POISON);
        assertCode(core::snapshot, CoreException.Code.POISON);
        assertOthersLive();
        core.close();
        assertCode(() -> step("hello"), CoreException.Code.HANDLE);
    }

    @Test
    void invariant17AnAccessOutsideIsATrap() {
        assertCode(() -> step("O"), CoreException.Code.PANIC);
        assertOthersLive();
    }

    @Test
    void invariant17ARecursionWithoutEndIsATrap() {
        assertCode(() -> step("R"), CoreException.Code.PANIC);
        assertOthersLive();
    }

    @Test
    void invariant19ALoopIsStoppedAndTheSessionIsOver() {
        assertCode(() -> step("L"), CoreException.Code.DEADLINE);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertCode(() -> step("hello"), CoreException.Code.HANDLE);
        assertOthersLive();
    }

    @Test
    void invariant19ALoopIsStoppedForAVirtualThreadToo() throws Exception {
        try (var virtual = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> stopped =
                    virtual.submit(() -> assertCode(() -> step("L"), CoreException.Code.DEADLINE));
            stopped.get();
            virtual.submit(this::assertOthersLive).get();
        }
    }

    @Test
    void invariant19AnInterruptOfTheCallerDoesNotStopTheCall() throws Exception {
        try (var virtual = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Boolean> kept =
                    virtual.submit(() -> {
                        Thread.currentThread().interrupt();
                        assertThat(step("hello")).isEqualTo(Bytes.utf8("hello"));
                        return Thread.interrupted();
                    });
            assertThat(kept.get()).isTrue();
        }
        Thread.currentThread().interrupt();
        assertThat(step("there")).isEqualTo(Bytes.utf8("there"));
        assertThat(Thread.interrupted()).isTrue();
    }

    /** What a looping call ends with when its platform thread is interrupted all the while. */
    final CoreException.Code interrupted(Duration deadline) throws InterruptedException {
        try (var own = new WasmCores(program(), new CoreLimits(deadline, 1 << 20), 1, _ -> {})) {
            Core looping = own.open(own.current(), CONFIG);
            var began = new CountDownLatch(1);
            var outcome = new AtomicReference<CoreException>();
            var kept = new AtomicBoolean();
            Thread caller =
                    Thread.ofPlatform()
                            .start(() -> {
                                began.countDown();
                                try {
                                    looping.step(Bytes.utf8("L"));
                                } catch (CoreException e) {
                                    outcome.set(e);
                                    kept.set(Thread.currentThread().isInterrupted());
                                }
                            });
            began.await();
            while (caller.isAlive()) {
                caller.interrupt(); // also one that comes before the loop begins
                caller.join(10);
            }
            assertThat(kept).isTrue();
            assertCode(() -> looping.step(CONFIG), CoreException.Code.HANDLE);
            return outcome.get().code();
        }
    }

    @Test
    void invariant20ACallThatFindsAnotherInsideIsTurnedAway() throws Exception {
        var outcome = new AtomicReference<CoreException>();
        Thread looping =
                Thread.ofPlatform()
                        .start(() -> {
                            while (outcome.get() == null) {
                                try {
                                    step("L");
                                } catch (CoreException e) {
                                    // The probe below may have been inside first.
                                    if (e.code() != CoreException.Code.BUSY) {
                                        outcome.set(e);
                                    }
                                }
                            }
                        });
        boolean sawBusy = false;
        while (looping.isAlive() && !sawBusy) {
            try {
                core.snapshot();
            } catch (CoreException e) {
                sawBusy = e.code() == CoreException.Code.BUSY;
            }
        }
        assertThat(sawBusy).isTrue();
        looping.join();
        assertThat(outcome.get().code()).isEqualTo(CoreException.Code.DEADLINE);
        assertCode(() -> step("hello"), CoreException.Code.HANDLE);
    }

    @Test
    void invariant20AStepThatRacesCloseEndsInOneOfTwoWays() throws Exception {
        for (int i = 0; i < 200; i++) {
            Core racing = cores.open(cores.current(), CONFIG);
            Thread closer =
                    Thread.ofPlatform()
                            .start(() -> {
                                try {
                                    racing.close();
                                } catch (CoreException e) {
                                    assertThat(e.code()).isEqualTo(CoreException.Code.BUSY);
                                }
                            });
            try {
                assertThat(racing.step(Bytes.utf8("x"))).isEqualTo(Bytes.utf8("x"));
            } catch (CoreException e) {
                assertThat(e.code()).isEqualTo(CoreException.Code.HANDLE);
            }
            closer.join();
            racing.close();
        }
    }

    @Test
    void bytesThatLieOutsideAreNotBelieved() {
        assertCode(() -> step("B"), CoreException.Code.ABI);
        assertOthersLive();
    }

    @Test
    void aNegativeLengthIsNotBelieved() {
        assertCode(() -> step("N"), CoreException.Code.ABI);
        assertOthersLive();
    }

    @Test
    void memoryEndsWhereTheLimitIs() {
        assertThat(step("M").at(0)).isEqualTo((byte) 16);
        assertOthersLive();
    }

    @Test
    void aSessionOfClosedCoresIsGone() {
        cores.close();
        assertCode(() -> step("hello"), CoreException.Code.HANDLE);
    }
}
