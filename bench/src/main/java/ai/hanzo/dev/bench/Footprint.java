package ai.hanzo.dev.bench;

import ai.hanzo.dev.host.core.Core;
import ai.hanzo.dev.host.core.CoreLimits;
import ai.hanzo.dev.host.core.Cores;
import ai.hanzo.dev.host.core.Loops;
import ai.hanzo.dev.host.core.WasmCores;
import ai.hanzo.dev.protocol.Bytes;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/** What sessions cost beside the time of a step: memory, a cold start, a loop that is stopped. */
final class Footprint {
    private static final int LIVE = 2_000;
    private static final int HIBERNATED = 10_000;
    private static final int THREADS = 2;
    private static final int WARM_UP_STEPS = 60_000;
    private static final int STEPS = 200_000;

    private Footprint() {}

    static List<String> measure(Path target) throws IOException {
        try (Cores cores = new WasmCores(CoreLimits.DEFAULTS)) {
            Conversation conversation = Conversation.of(cores, 20);
            var lines = new ArrayList<String>();
            lines.add("| | measured | goal |");
            lines.add("|---|---:|---|");
            lines.add(
                    "| memory of a live session after 20 messages | %.1f KB | ≤ 70 KB |"
                            .formatted(liveBytes(cores, conversation) / 1_024.0));
            lines.add(
                    "| memory of a hibernated session, 20 messages | %.1f KB | ≤ 10 KB |"
                            .formatted(conversation.state().length() / 1_024.0));
            lines.add(hibernation(cores, conversation));
            lines.add(ColdStart.measure(target));
            Loops.Lateness late = Loops.measure();
            lines.add(
                    "| a loop is stopped after its deadline | median %.2f ms, longest %.2f | < 1 ms |"
                            .formatted(late.medianNanos() / 1e6, late.longestNanos() / 1e6));
            return lines;
        }
    }

    /** The heap that 2,000 more sessions take. */
    private static double liveBytes(Cores cores, Conversation conversation) {
        long before = usedBytes();
        var kept = new ArrayList<Core>();
        for (int i = 0; i < LIVE; i++) {
            Core core = cores.open(cores.current(), conversation.config());
            conversation.log().forEach(core::step);
            kept.add(core);
        }
        double each = (double) (usedBytes() - before) / LIVE;
        kept.forEach(Core::close);
        return each;
    }

    /**
     * Collects until there is nothing more to collect: what is cleared late would count for less.
     */
    private static long usedBytes() {
        var memory = ManagementFactory.getMemoryMXBean();
        long used = Long.MAX_VALUE;
        long before;
        do {
            before = used;
            memory.gc();
            used = memory.getHeapMemoryUsage().getUsed();
        } while (used < before - before / 1_000);
        return used;
    }

    /** Two threads bring sessions back from their bytes, step them and take the bytes again. */
    private static String hibernation(Cores cores, Conversation conversation) {
        var states = new Bytes[HIBERNATED];
        Arrays.setAll(states, _ -> Bytes.copyOf(conversation.state().toArray()));
        var nanos = new long[THREADS][STEPS];
        var threads = new ArrayList<Thread>();
        var elapsed = new long[THREADS];
        for (int t = 0; t < THREADS; t++) {
            int thread = t;
            threads.add(
                    Thread.ofPlatform()
                            .start(() -> {
                                var random = new SplittableRandom(thread);
                                for (int i = 0; i < WARM_UP_STEPS; i++) {
                                    once(cores, conversation, states, random);
                                }
                                long begun = System.nanoTime();
                                for (int i = 0; i < STEPS; i++) {
                                    long before = System.nanoTime();
                                    once(cores, conversation, states, random);
                                    nanos[thread][i] = System.nanoTime() - before;
                                }
                                elapsed[thread] = System.nanoTime() - begun;
                            }));
        }
        threads.forEach(Footprint::join);
        double perSecond = Arrays.stream(elapsed).mapToDouble(e -> STEPS * 1e9 / e).sum();
        long[] all = Arrays.stream(nanos).flatMapToLong(Arrays::stream).sorted().toArray();
        return String.format(
                Locale.ROOT,
                "| 10,000 hibernated sessions, 2 threads | %.2f M steps/s, p99 %.0f µs"
                        + " | ≥ 0.2 M, p99 < 40 µs |",
                perSecond / 1e6,
                all[(int) (all.length * 0.99)] / 1e3);
    }

    private static void once(
            Cores cores, Conversation conversation, Bytes[] states, SplittableRandom random) {
        int session = random.nextInt(states.length);
        try (Core core = cores.restore(cores.current(), conversation.state())) {
            core.step(conversation.turn().getFirst());
            states[session] = core.snapshot();
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while measuring", e);
        }
    }
}
