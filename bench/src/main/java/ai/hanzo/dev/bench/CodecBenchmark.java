package ai.hanzo.dev.bench;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The same messages by ZAP, protobuf-java and Jackson. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class CodecBenchmark {
    private final ZapCodec zap = new ZapCodec();
    private final ProtobufCodec protobuf = new ProtobufCodec();
    private final JacksonCodec jackson = new JacksonCodec();

    private final byte[] zapResult = zap.buildResult();
    private final byte[] protobufResult = protobuf.buildResult();
    private final byte[] jacksonResult = jackson.buildResult();
    private final byte[] zapListing = zap.buildListing();
    private final byte[] protobufListing = protobuf.buildListing();
    private final byte[] jacksonListing = jackson.buildListing();

    /** A message of our own: opened, five fields read. */
    @Benchmark
    public long openZap() {
        return zap.openAndRead(zapResult);
    }

    /** A stranger's message: opened strictly, every value walked, five fields read. */
    @Benchmark
    public long openZapStrictly() {
        return zap.openStrictlyAndRead(zapResult);
    }

    /** Parsed, five fields read. */
    @Benchmark
    public long openProtobuf() {
        return protobuf.openAndRead(protobufResult);
    }

    /** Parsed, five fields read. */
    @Benchmark
    public long openJackson() {
        return jackson.openAndRead(jacksonResult);
    }

    /** Built to an array of its own. */
    @Benchmark
    public byte[] buildZap() {
        return zap.buildResult();
    }

    /** Built and serialised. */
    @Benchmark
    public byte[] buildProtobuf() {
        return protobuf.buildResult();
    }

    /** Built and serialised. */
    @Benchmark
    public byte[] buildJackson() {
        return jackson.buildResult();
    }

    /** 100 entries opened, three fields of each read. */
    @Benchmark
    public long listZap() {
        return zap.readListing(zapListing);
    }

    /** 100 entries parsed, three fields of each read. */
    @Benchmark
    public long listProtobuf() {
        return protobuf.readListing(protobufListing);
    }

    /** 100 entries parsed, three fields of each read. */
    @Benchmark
    public long listJackson() {
        return jackson.readListing(jacksonListing);
    }

    /** 100 entries built to an array. */
    @Benchmark
    public byte[] buildListZap() {
        return zap.buildListing();
    }

    /** 100 entries built and serialised. */
    @Benchmark
    public byte[] buildListProtobuf() {
        return protobuf.buildListing();
    }

    /** 100 entries built and serialised. */
    @Benchmark
    public byte[] buildListJackson() {
        return jackson.buildListing();
    }
}
