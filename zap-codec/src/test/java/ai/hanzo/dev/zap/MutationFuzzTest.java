package ai.hanzo.dev.zap;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.protocol.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The reader under damaged messages: 200,000 in each build, 10 million with {@code -Pnightly}. The
 * corpus is committed; {@link #main} adds to it what a longer run finds.
 */
final class MutationFuzzTest {
    private static final Path CORPUS = Path.of("src/test/resources/fuzz/corpus.txt");
    private static final Path VECTORS = Path.of("src/test/resources/vectors");
    private static final long EXECUTIONS = Long.getLong("fuzz.executions", 200_000);
    private static final int MAX_SEED_BYTES = 2_048;
    private static final int MAX_KEPT_BYTES = 512;
    private static final int MAX_LINES = 400;

    private static List<byte[]> seeds() throws IOException {
        var seeds = new ArrayList<byte[]>();
        for (String line : Files.readAllLines(CORPUS)) {
            if (!line.startsWith("#")) {
                seeds.add(Bytes.hex(line).toArray());
            }
        }
        for (String name : List.of("zap-valid.jsonl", "zap-malformed.jsonl")) {
            for (String line : Files.readAllLines(VECTORS.resolve(name))) {
                Map<String, Object> vector = Json.object(line);
                Object hex = Json.get(vector, "hex");
                if (!Json.isNull(hex) && ((String) hex).length() <= 2 * MAX_SEED_BYTES) {
                    seeds.add(VectorText.bytes(hex));
                }
            }
        }
        return seeds;
    }

    @Test
    void damagedMessagesAreValuesOrRefusalsWithinTheirBudget() throws IOException {
        var fuzzer = new MutationFuzzer(20_261_129L, seeds());
        fuzzer.run(EXECUTIONS);
        // A fuzzer whose inputs all die at the header would find nothing.
        assertThat(fuzzer.accepted()).as("accepted").isGreaterThan(EXECUTIONS / 50);
        assertThat(fuzzer.refused()).as("refused").isGreaterThan(EXECUTIONS / 5);
        assertThat(fuzzer.ways()).as("ways of treatment").isGreaterThan(200);
    }

    @Test
    void theSameBytesCostTheSameEachTime() throws IOException {
        for (byte[] seed : seeds()) {
            for (FuzzSubjects.Subject subject : FuzzSubjects.ALL) {
                assertThat(cost(seed, subject)).isEqualTo(cost(seed, subject));
            }
        }
    }

    private static List<Object> cost(byte[] message, FuzzSubjects.Subject subject) {
        Budget budget = Budget.standard();
        String end = "accepted";
        try {
            ZapReader reader = ZapReader.open(message, ZapReader.Mode.STRICT);
            new Validator().check(reader, subject.layout(), budget);
        } catch (CodecException e) {
            end = e.getMessage();
        }
        return List.of(end, budget.visits(), budget.bytes(), budget.deepest());
    }

    /** Fuzzes for so many executions and writes what was kept to the corpus. */
    public static void main(String... arguments) throws IOException {
        var fuzzer = new MutationFuzzer(System.nanoTime(), seeds());
        int before = fuzzer.corpus().size();
        fuzzer.run(Long.parseLong(arguments[0]));
        var lines = new ArrayList<String>(Files.readAllLines(CORPUS));
        fuzzer.corpus().stream()
                .skip(before)
                .filter(kept -> kept.length <= MAX_KEPT_BYTES)
                .limit(MAX_LINES - (long) lines.size())
                .map(kept -> Bytes.wrap(kept).toHex())
                .forEach(lines::add);
        Files.write(CORPUS, lines);
        System.out.println(lines.size() + " lines, " + fuzzer.ways() + " ways");
    }
}
