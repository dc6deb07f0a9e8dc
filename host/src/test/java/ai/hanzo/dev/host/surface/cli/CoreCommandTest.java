package ai.hanzo.dev.host.surface.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.surface.rest.Served;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code hanzo dev core verify}; what it finds in real modules is in CoreFilesTest. */
final class CoreCommandTest {
    private final Served served = new Served();
    private final CliRun cli = new CliRun(served);
    @TempDir private Path directory = Path.of("/");

    @AfterEach
    void close() {
        served.close();
    }

    @Test
    void coreVerifyPrintsWhatACoreIsAndNoNameInItMakesALine() {
        assertThat(cli.in(directory).run("core", "verify")).isZero();
        assertThat(cli.out()).isEqualTo("digest 00\n");
        assertThat(cli.in(directory).run("core", "verify", "bad.wasm")).isEqualTo(1);
        assertThat(cli.out())
                .endsWith("digest 01\nexport  \\x1b[31mred\\x07 hanzo: lock matches\n");
        assertThat(cli.err())
                .isEqualTo(
                        "hanzo: "
                                + directory.resolve("bad.wasm")
                                + " is\\x2028none hanzo: all is well\n");
    }
}
