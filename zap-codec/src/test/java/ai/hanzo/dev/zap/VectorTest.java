package ai.hanzo.dev.zap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VectorTest {

    @ParameterizedTest
    @ValueSource(strings = {"zap-valid.jsonl", "zap-malformed.jsonl"})
    void everyVectorPasses(String file) throws IOException, URISyntaxException {
        Path path =
                Path.of(Objects.requireNonNull(getClass().getResource("/vectors/" + file)).toURI());
        var runner = new VectorRunner();

        runner.run(path);

        assertThat(runner.failures()).isEmpty();
        assertThat(runner.passed()).isEqualTo(lines(path));
    }

    private static int lines(Path path) {
        try (var lines = Files.lines(path)) {
            return (int) lines.filter(line -> !line.isBlank()).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
