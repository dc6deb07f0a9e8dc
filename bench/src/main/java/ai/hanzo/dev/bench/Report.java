package ai.hanzo.dev.bench;

import ai.hanzo.dev.host.core.CoreLimits;
import ai.hanzo.dev.host.core.Cores;
import ai.hanzo.dev.host.core.WasmCores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.openjdk.jmh.runner.RunnerException;

/**
 * {@code bench/run}: measures the core in all engines that are here and the codec beside its peers,
 * prints a table in Markdown, and writes it beside a chart to {@code bench/target}. One thread.
 */
public final class Report {
    private static final List<Goal> GOALS =
            List.of(
                    new Goal(Measure.Kind.STEP, "V8", 1),
                    new Goal(Measure.Kind.STEP, "native", 3.5),
                    new Goal(Measure.Kind.OPEN, "", 3_000));

    private final Path home;
    private final Path target;
    private final StringBuilder text = new StringBuilder();

    private Report(Path home) {
        this.home = home;
        this.target = home.resolve("bench/target");
    }

    /** Measures the core in its engines ({@code core}), or everything; in the project's folder. */
    public static void main(String... arguments) throws IOException, RunnerException {
        var report = new Report(Path.of("").toAbsolutePath());
        report.engines();
        if (!List.of(arguments).contains("core")) {
            report.others();
        }
        Files.writeString(report.target.resolve("report.md"), report.text);
        System.out.print(report.text);
        progress("written to bench/target/report.md and report.svg");
    }

    private void engines() throws IOException {
        line("# hanzo dev: how fast");
        line("");
        line(Machine.describe() + "  ");
        line(LocalDate.now(java.time.ZoneId.systemDefault()) + ". Best of 25 batches for each");
        line("engine, each alone in its process, taken in turns; CPU time of the calling thread,");
        line("or of the process where the thread's is not to be had.");
        line("");
        try (Peers peers = Peers.start(home, target.resolve("peers"), conversations())) {
            progress("the core in " + peers.engines().stream().map(Engine::name).toList());
            var timings = new Timings(peers.engines());
            timings.run(Measure.ALL);
            cores(peers, timings);
            Files.writeString(target.resolve("report.svg"), Chart.draw(peers.engines(), timings));
        }
    }

    private void others() throws IOException, RunnerException {
        progress("memory and hibernation");
        Footprint.measure(target).forEach(this::line);
        line("");
        progress("the codec, by JMH");
        CodecTable.measure().forEach(this::line);
    }

    private static void progress(String what) {
        System.err.println("bench: " + what);
    }

    private void line(String line) {
        text.append(line).append('\n');
    }

    private static Map<Integer, Conversation> conversations() {
        var made = new LinkedHashMap<Integer, Conversation>();
        try (Cores cores = new WasmCores(CoreLimits.DEFAULTS)) {
            Measure.ALL.forEach(
                    m -> made.computeIfAbsent(m.messages(), n -> Conversation.of(cores, n)));
        }
        return made;
    }

    private void cores(Peers peers, Timings timings) {
        List<String> names = peers.engines().stream().map(Engine::name).toList();
        line("| µs | " + String.join(" | ", names) + " | goal |");
        line("|---|" + "---:|".repeat(names.size()) + "---|");
        for (Measure measure : Measure.ALL) {
            var cells = new ArrayList<String>();
            for (int i = 0; i < names.size(); i++) {
                cells.add(micros(timings.nanos(measure, i)));
            }
            line(
                    "| %s | %s | %s |"
                            .formatted(
                                    measure.title(),
                                    String.join(" | ", cells),
                                    verdicts(measure, names, timings)));
        }
        line("");
        line("Absent: " + String.join("; ", peers.absent()) + ".");
        if (!timings.contended().isEmpty()) {
            line("");
            line(
                    "**The machine was busy**; these figures mean little: "
                            + String.join("; ", timings.contended())
                            + ".");
        }
        line("");
    }

    private static String verdicts(Measure measure, List<String> names, Timings timings) {
        double ours = timings.nanos(measure, 0).orElseThrow();
        return GOALS.stream()
                .filter(goal -> goal.kind() == measure.kind())
                .map(goal -> goal.verdict(ours, ofPeer(measure, goal, names, timings)))
                .filter(verdict -> !verdict.isEmpty())
                .collect(Collectors.joining("; "));
    }

    private static OptionalDouble ofPeer(
            Measure measure, Goal goal, List<String> names, Timings timings) {
        int index = names.indexOf(goal.peer());
        return index < 0 ? OptionalDouble.empty() : timings.nanos(measure, index);
    }

    private static String micros(OptionalDouble nanos) {
        return nanos.isEmpty()
                ? "–"
                : String.format(Locale.ROOT, "%.2f", nanos.getAsDouble() / 1_000);
    }
}
