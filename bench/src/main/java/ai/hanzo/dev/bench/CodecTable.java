package ai.hanzo.dev.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs {@link CodecBenchmark} by JMH and makes a table of it. */
final class CodecTable {
    private static final String ALLOCATED = "gc.alloc.rate.norm";

    private CodecTable() {}

    /**
     * A row of the table.
     *
     * @param prefix of the benchmarks' names; the rest is the codec
     */
    private record Row(String title, String prefix, String goal) {}

    private static final List<Row> ROWS =
            List.of(
                    new Row("open + 5 reads", "open", "≤ 15 ns, 0 B"),
                    new Row("build", "build", "≤ ⅓ of protobuf"),
                    new Row("list of 100, read", "list", ""),
                    new Row("list of 100, build", "buildList", ""));

    static List<String> measure() throws RunnerException {
        Map<String, String> cells = new TreeMap<>();
        var options =
                new OptionsBuilder()
                        .include(CodecBenchmark.class.getName() + "\\.")
                        .addProfiler(GCProfiler.class)
                        .verbosity(VerboseMode.SILENT)
                        .shouldFailOnError(true)
                        .build();
        for (RunResult result : new Runner(options).run()) {
            cells.put(result.getPrimaryResult().getLabel(), cell(result));
        }
        var lines = new ArrayList<String>();
        lines.add("| ns (bytes allocated) | ZAP | ZAP, strict | protobuf-java | Jackson | goal |");
        lines.add("|---|---:|---:|---:|---:|---|");
        for (Row row : ROWS) {
            lines.add(
                    "| %s | %s | %s | %s | %s | %s |"
                            .formatted(
                                    row.title(),
                                    cells.getOrDefault(row.prefix() + "Zap", "–"),
                                    cells.getOrDefault(row.prefix() + "ZapStrictly", "–"),
                                    cells.getOrDefault(row.prefix() + "Protobuf", "–"),
                                    cells.getOrDefault(row.prefix() + "Jackson", "–"),
                                    row.goal()));
        }
        return lines;
    }

    private static String cell(RunResult result) {
        double bytes = Double.NaN;
        for (String name : result.getSecondaryResults().keySet()) {
            if (name.contains(ALLOCATED)) {
                bytes = result.getSecondaryResults().get(name).getScore();
            }
        }
        return String.format(
                Locale.ROOT, "%.1f (%.0f)", result.getPrimaryResult().getScore(), bytes);
    }
}
