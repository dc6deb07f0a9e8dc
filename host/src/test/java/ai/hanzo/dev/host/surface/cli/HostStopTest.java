package ai.hanzo.dev.host.surface.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.local.Home;
import ai.hanzo.dev.host.local.HostFile;
import ai.hanzo.dev.host.surface.rest.Served;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code hanzo dev host stop} where hosts serve beside each other. */
final class HostStopTest {
    private final Served served = new Served();
    private final CliRun cli = new CliRun(served);
    @TempDir private Path directory = Path.of("/");

    @AfterEach
    void close() {
        served.close();
    }

    @Test
    void whoServesBesideIsNamedWithTheWayToEndIt() throws Exception {
        Home other = new Home(directory).beside("second");
        Files.createDirectories(other.path());
        HostFile.ofThisProcess(URI.create("http://127.0.0.1:1"), other.tokenFile(), "b")
                .publish(other);

        int exit =
                cli.in(directory)
                        .env("HANZO_HOME", directory.toString())
                        .run("host", "stop", "--all");

        assertThat(exit).isEqualTo(1);
        assertThat(cli.err())
                .startsWith(
                        "hanzo: The host second serves here too. End it first, by kill "
                                + ProcessHandle.current().pid()
                                + ";");
    }
}
