package ai.hanzo.dev.zap.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CEmitterTest {
    private static final Path SCHEMA = Path.of("../wasm/dev.zap");
    private static final Path CELL = Path.of("../native/landlock/src");

    /** What the cell's Makefile asks for. */
    private static String roots() {
        try (Stream<String> lines = Files.lines(Path.of("../native/landlock/Makefile"))) {
            String start = "ROOTS = ";
            return lines.filter(line -> line.startsWith(start))
                    .map(line -> line.substring(start.length()))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void theCommittedCIsWhatTheSchemaGives() {
        assertThat(run(CELL, "--check"))
                .as("make -C native/landlock generate writes it again")
                .isZero();
    }

    @Test
    void aStaleFileFailsTheCheck(@TempDir Path dir) throws IOException {
        assertThat(run(dir)).isZero();
        Files.writeString(dir.resolve("dev_zap.c"), "stale");
        assertThat(run(dir, "--check")).isEqualTo(1);
    }

    @Test
    void onlyWhatTheRootsLeadToIsEmitted() throws IOException {
        Schema schema = SchemaParser.parse("dev.zap", Files.readString(SCHEMA));
        SortedMap<String, String> files = new CEmitter(List.of("CellAck")).emit(schema);
        assertThat(files.get("dev_zap.h"))
                .contains("uint64_t cell_ack_actions_at(struct zap_list l, uint32_t i)")
                .doesNotContain("cell_request", "enum ");
    }

    private static int run(Path dir, String... more) {
        String[] fixed = {SCHEMA.toString(), "--c", dir.toString(), "--roots", roots()};
        String[] args = Arrays.copyOf(fixed, fixed.length + more.length);
        System.arraycopy(more, 0, args, fixed.length, more.length);
        return Main.run(args);
    }
}
