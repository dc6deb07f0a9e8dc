package ai.hanzo.dev.host.core;

import ai.hanzo.dev.protocol.Bytes;
import java.time.Duration;
import java.util.Arrays;

/**
 * How soon after its deadline a call that never ends is stopped. The module is the one that the
 * host's tests use, compiled as {@code dev.wasm} is. In this package to hand the host a module of
 * its own. One thread.
 */
public final class Loops {
    private static final Duration DEADLINE = Duration.ofMillis(20);
    private static final int CALLS = 60;
    private static final Bytes LOOP = Bytes.utf8("L");

    private Loops() {}

    private static final class Linked extends LinkedProgram {
        Linked() {
            super(
                    MisbehaveCode.digest(),
                    MisbehaveCode.initialPages(),
                    MisbehaveCode.maximumPages());
        }

        @Override
        LinkedCode code(FlatMemory memory, WasiHost host) {
            return new MisbehaveCode(memory, host);
        }
    }

    /** Nanoseconds from the deadline to the end of the call: the median and the longest. */
    public record Lateness(long medianNanos, long longestNanos) {}

    /** Lets loops begin and be stopped. */
    public static Lateness measure() {
        var module = new Linked();
        var late = new long[CALLS];
        try (Cores cores = new WasmCores(module, new CoreLimits(DEADLINE, 1 << 20), 1, _ -> {})) {
            for (int i = 0; i < CALLS; i++) {
                late[i] = stop(cores) - DEADLINE.toNanos();
            }
        }
        Arrays.sort(late);
        return new Lateness(late[CALLS / 2], late[CALLS - 1]);
    }

    private static long stop(Cores cores) {
        Core core = cores.open(cores.current(), Bytes.utf8("any"));
        long before = System.nanoTime();
        try {
            core.step(LOOP);
        } catch (CoreException e) {
            if (e.code() == CoreException.Code.DEADLINE) {
                return System.nanoTime() - before;
            }
            throw e;
        }
        throw new IllegalStateException("a loop came to its end");
    }
}
