package ai.hanzo.dev.bench;

import java.util.Arrays;
import java.util.List;

/** The middle one of what was measured; of an even number the later of two. Pure functions. */
final class Median {
    private Median() {}

    static double of(List<Double> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
    }

    /** In milliseconds. */
    static double millis(long[] nanos) {
        return Arrays.stream(nanos).sorted().skip(nanos.length / 2).findFirst().orElseThrow() / 1e6;
    }
}
