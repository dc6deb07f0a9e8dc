package ai.hanzo.dev.bench;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The best of a number of batches, by measure and engine. Batches of all engines take turns, so
 * that a busy machine is as unkind to one as to the other.
 */
final class Timings {
    private static final int ROUNDS = 25;
    private static final long WARM_UP_NANOS = 4_000_000_000L;

    private final List<Engine> engines;
    private final Map<Measure, double[]> bestNanos = new LinkedHashMap<>();
    private final Map<Measure.Kind, Boolean> warm = new EnumMap<>(Measure.Kind.class);

    Timings(List<Engine> engines) {
        this.engines = List.copyOf(engines);
    }

    /** Nanoseconds of one operation; empty if the engine or the measure was not run. */
    OptionalDouble nanos(Measure measure, int engine) {
        double[] row = bestNanos.get(measure);
        return row == null ? OptionalDouble.empty() : OptionalDouble.of(row[engine]);
    }

    void run(List<Measure> measures) {
        for (Measure measure : measures) {
            warmUp(measure);
            var best = new double[engines.size()];
            Arrays.fill(best, Double.MAX_VALUE);
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = 0; i < best.length; i++) {
                    long nanos = engines.get(i).batch(measure);
                    best[i] = Math.min(best[i], (double) nanos / measure.operations());
                }
            }
            bestNanos.put(measure, best);
        }
    }

    /** The compiler of a JVM wants its time once for each kind; the others want less. */
    private void warmUp(Measure measure) {
        boolean isFirst = warm.put(measure.kind(), true) == null;
        for (Engine engine : engines) {
            boolean isHere = engine instanceof CoresEngine;
            long until =
                    System.nanoTime() + (isFirst && isHere ? WARM_UP_NANOS : WARM_UP_NANOS / 8);
            while (System.nanoTime() < until) {
                engine.batch(measure);
            }
        }
    }
}
