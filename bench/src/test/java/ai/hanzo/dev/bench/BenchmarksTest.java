package ai.hanzo.dev.bench;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.core.CoreLimits;
import ai.hanzo.dev.host.core.Cores;
import ai.hanzo.dev.host.core.WasmCores;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Every benchmark runs, once and briefly; no time is asserted. */
final class BenchmarksTest {

    private static List<String> run(Class<?> benchmark) throws Exception {
        Collection<RunResult> results =
                new Runner(
                                new OptionsBuilder()
                                        .include(benchmark.getName())
                                        .forks(0)
                                        .warmupIterations(0)
                                        .measurementIterations(1)
                                        .measurementTime(TimeValue.milliseconds(5))
                                        .shouldFailOnError(true)
                                        .verbosity(VerboseMode.SILENT)
                                        .build())
                        .run();
        return results.stream()
                .map(result -> result.getPrimaryResult().getLabel())
                .distinct()
                .sorted()
                .toList();
    }

    private static List<String> benchmarksOf(Class<?> type) {
        return Stream.of(type.getDeclaredMethods())
                .filter(m -> m.isAnnotationPresent(org.openjdk.jmh.annotations.Benchmark.class))
                .map(java.lang.reflect.Method::getName)
                .sorted()
                .toList();
    }

    @Test
    void theBenchmarksOfTheCoreRun() throws Exception {
        assertThat(run(CoreBenchmark.class)).isEqualTo(benchmarksOf(CoreBenchmark.class));
    }

    @Test
    void theBenchmarksOfTheCodecRun() throws Exception {
        assertThat(run(CodecBenchmark.class)).isEqualTo(benchmarksOf(CodecBenchmark.class));
    }

    @Test
    void theBenchmarkOfMaskingRuns() throws Exception {
        assertThat(run(RedactionBenchmark.class)).isEqualTo(benchmarksOf(RedactionBenchmark.class));
    }

    @Test
    void allCodecsReadTheSameValues() {
        var zap = new ZapCodec();
        var protobuf = new ProtobufCodec();
        var jackson = new JacksonCodec();
        assertThat(
                        List.of(
                                protobuf.openAndRead(protobuf.buildResult()),
                                jackson.openAndRead(jackson.buildResult()),
                                zap.openStrictlyAndRead(zap.buildResult())))
                .containsOnly(zap.openAndRead(zap.buildResult()));
        assertThat(
                        List.of(
                                protobuf.readListing(protobuf.buildListing()),
                                jackson.readListing(jackson.buildListing())))
                .containsOnly(zap.readListing(zap.buildListing()));
    }

    /** All measures of the report on the engine that is always here, one batch each. */
    @Test
    void everyMeasureOfTheReportRuns() {
        var conversations = new HashMap<Integer, Conversation>();
        Cores cores = new WasmCores(CoreLimits.DEFAULTS);
        for (Measure measure : Measure.ALL) {
            conversations.computeIfAbsent(measure.messages(), n -> Conversation.of(cores, n));
        }
        try (var engine = new CoresEngine("wasm", cores, conversations)) {
            for (Measure measure : Measure.ALL) {
                Engine.Batch batch = engine.batch(Measure.parse(measure.command()));
                assertThat(batch.cpuNanos()).as(measure.title()).isPositive();
                assertThat(batch.wallNanos()).as(measure.title()).isPositive();
            }
            assertThat(engine.kept()).isNotZero();
        }
    }

    @Test
    void aScriptHoldsWhatAnEngineIsFed(@TempDir Path folder) throws Exception {
        Conversation made;
        try (Cores cores = new WasmCores(CoreLimits.DEFAULTS)) {
            made = Conversation.of(cores, 20);
        }
        Script.write(Script.file(folder, 20), made);
        Conversation read = Script.read(Script.file(folder, 20));
        assertThat(read)
                .isEqualTo(new Conversation(made.config(), List.of(), made.state(), made.turn()));
    }
}
