package ai.hanzo.dev.bench;

import ai.hanzo.dev.host.core.Core;
import ai.hanzo.dev.host.core.CoreLimits;
import ai.hanzo.dev.host.core.Cores;
import ai.hanzo.dev.host.core.WasmCores;
import ai.hanzo.dev.protocol.Bytes;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * One session of the core: what it costs to open it, to bring it back, and to feed it one event, as
 * the conversation grows.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 1)
public class CoreBenchmark {
    private static final int SESSIONS = 16;

    /** Messages in the conversation when it is measured. */
    @Param({"2", "20", "200", "2000"})
    public int messages;

    private final Cores cores = new WasmCores(CoreLimits.DEFAULTS);
    private Conversation conversation = Conversation.NONE;

    /** Talks until the conversation is as long as it should be. */
    @Setup
    public void talk() {
        conversation = Conversation.of(cores, messages);
    }

    /** Stops the threads of the cores. */
    @TearDown
    public void stop() {
        cores.close();
    }

    /** A session from a Config of 1 KiB, for all lengths the same. */
    @Benchmark
    public Core open() {
        return cores.open(cores.current(), conversation.config());
    }

    /** One event, on average over the five of a turn. */
    @Benchmark
    @OperationsPerInvocation(SESSIONS * Conversation.EVENTS)
    public void step(Sessions sessions, Blackhole sink) {
        for (Core core : sessions.open) {
            for (Bytes event : conversation.turn()) {
                sink.consume(core.step(event));
            }
        }
    }

    /** The state as bytes. */
    @Benchmark
    public Bytes snapshot(Sessions sessions) {
        return sessions.open[0].snapshot();
    }

    /** A session from its bytes. */
    @Benchmark
    public Core restore() {
        return cores.restore(cores.current(), conversation.state());
    }

    /** What a session that is kept as bytes costs at each event: restore, step, snapshot. */
    @Benchmark
    public Bytes hibernatedStep() {
        Core core = cores.restore(cores.current(), conversation.state());
        core.step(conversation.turn().getFirst());
        return core.snapshot();
    }

    /** Sessions that are as long as they should be, made anew before each measured call. */
    @State(Scope.Thread)
    public static class Sessions {
        private final Core[] open = new Core[SESSIONS];

        /** Drops those that have grown. */
        @Setup(Level.Invocation)
        public void restore(CoreBenchmark benchmark) {
            for (int i = 0; i < SESSIONS; i++) {
                open[i] =
                        benchmark.cores.restore(
                                benchmark.cores.current(), benchmark.conversation.state());
            }
        }
    }
}
