package ai.hanzo.dev.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The best of a number of batches, by measure and engine. Batches of all engines take turns, so
 * that a busy machine is as unkind to one as to the other. A run in which they had to wait for a
 * processor is void and is repeated, a few times.
 */
final class Timings {
    private static final int ROUNDS = 25;
    private static final int ATTEMPTS = 4;

    /** Less of the time on a processor than this, and others were there too. */
    private static final double QUIET = 0.9;

    /** The JIT has compiled the core after some four seconds; measured. */
    private static final long WARM_UP_NANOS = 12_000_000_000L;

    private final List<Engine> engines;
    private final Map<Measure, double[]> bestNanos = new LinkedHashMap<>();
    private final Map<Measure.Kind, Boolean> warm = new EnumMap<>(Measure.Kind.class);
    private final List<String> contended = new ArrayList<>();

    Timings(List<Engine> engines) {
        this.engines = List.copyOf(engines);
    }

    /** Nanoseconds of one operation; empty if the engine or the measure was not run. */
    OptionalDouble nanos(Measure measure, int engine) {
        double[] row = bestNanos.get(measure);
        return row == null ? OptionalDouble.empty() : OptionalDouble.of(row[engine]);
    }

    /** The measures of which no run was quiet; their figures mean little. */
    List<String> contended() {
        return List.copyOf(contended);
    }

    void run(List<Measure> measures) {
        for (Measure measure : measures) {
            warmUp(measure);
            boolean isQuiet = false;
            for (int attempt = 0; attempt < ATTEMPTS && !isQuiet; attempt++) {
                var best = new double[engines.size()];
                Arrays.fill(best, Double.MAX_VALUE);
                isQuiet = rounds(measure, best) >= QUIET;
                bestNanos.put(measure, best);
            }
            if (!isQuiet) {
                contended.add(measure.title());
            }
        }
    }

    /** Fills {@code best}; answers how much of its time the core was on a processor. */
    private double rounds(Measure measure, double[] best) {
        long cpuNanos = 0;
        long wallNanos = 0;
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < best.length; i++) {
                Engine.Batch batch = engines.get(i).batch(measure);
                best[i] = Math.min(best[i], (double) batch.cpuNanos() / measure.operations());
                if (batch.wallNanos() != 0) {
                    wallNanos += batch.wallNanos();
                    cpuNanos += batch.cpuNanos();
                }
            }
        }
        return wallNanos == 0 ? 1 : (double) cpuNanos / wallNanos;
    }

    /** The compiler of a JVM wants its time once for each kind. */
    private void warmUp(Measure measure) {
        boolean isFirst = warm.put(measure.kind(), true) == null;
        for (Engine engine : engines) {
            long until = System.nanoTime() + (isFirst ? WARM_UP_NANOS : WARM_UP_NANOS / 8);
            while (System.nanoTime() < until) {
                engine.batch(measure);
            }
        }
    }
}
