package ai.hanzo.dev.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What a new JVM takes from its start to the end of its first step, beside one that says hello.
 * Wall time; the median of some runs that take turns.
 */
final class ColdStart {
    private static final int RUNS = 11;
    private static final double GOAL_MILLIS = 40;

    private ColdStart() {}

    /** A row for the table of {@link Footprint}. */
    static String measure(Path target) throws IOException {
        Path cache = target.resolve("peers/first-step.aot");
        // A turn of a session that has no conversation yet: every id is new to it.
        String script = target.resolve("peers/2.script").toString();
        run(target, List.of("-XX:AOTCacheOutput=" + cache), script);
        var hello = new long[RUNS];
        var step = new long[RUNS];
        List<String> options = List.of("-XX:AOTCache=" + cache);
        for (int i = 0; i < RUNS; i++) {
            hello[i] = run(target, options, "hello");
            step[i] = run(target, options, script);
        }
        double more = median(step) - median(hello);
        return "| cold JVM to its first step, with an AOT cache | %.0f ms, hello world %.0f | %s |"
                .formatted(
                        median(step),
                        median(hello),
                        more <= GOAL_MILLIS
                                ? "met (hello + %.0f ms, ≤ 40)".formatted(more)
                                : "**missed** (hello + %.0f ms, ≤ 40)".formatted(more));
    }

    private static double median(long[] nanos) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2] / 1e6;
    }

    private static long run(Path target, List<String> options, String argument) throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
        command.addAll(options);
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xlog:disable"));
        command.addAll(List.of("-cp", target.resolve("benchmarks.jar").toString()));
        command.add(FirstStep.class.getName());
        command.add(argument);
        long before = System.nanoTime();
        Process process =
                new ProcessBuilder(command)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try {
            if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
                throw new IllegalStateException("the first step failed: " + command);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while measuring", e);
        }
        return System.nanoTime() - before;
    }
}
