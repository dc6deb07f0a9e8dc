package ai.hanzo.dev.bench;

import ai.hanzo.dev.host.secret.Redactor;
import ai.hanzo.dev.host.secret.Secrets;
import ai.hanzo.dev.protocol.Bytes;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Masking an outcome in which there is nothing to mask; what is printed is lines of words. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class RedactionBenchmark {
    /** 48 KiB is the most that an entry has of an output. */
    @Param({"1024", "49152", "1048576"})
    int sizeBytes;

    private final Redactor redactor =
            Secrets.of(Map.of("ONE_TOKEN", "0123456789abcdefghij", "TWO_KEY", "qwertyuiopasdf"))
                    .redactor();

    private Bytes printed = Bytes.empty();

    /** Words of one to ten letters, ten to a line. */
    @Setup
    public void print() {
        var random = new Random(1);
        var text = new StringBuilder(sizeBytes);
        while (text.length() < sizeBytes) {
            for (int letters = 1 + random.nextInt(10); letters > 0; letters--) {
                text.append((char) ('a' + random.nextInt(26)));
            }
            text.append(random.nextInt(10) == 0 ? '\n' : ' ');
        }
        printed = Bytes.utf8(text.substring(0, sizeBytes));
    }

    /** One outcome. */
    @Benchmark
    public Bytes mask() {
        return redactor.mask(printed);
    }
}
