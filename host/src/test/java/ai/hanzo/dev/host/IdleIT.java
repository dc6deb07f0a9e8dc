package ai.hanzo.dev.host;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.Hanzo.Ran;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.jdbc.DatabaseConfig;
import ai.hanzo.dev.sandbox.Cells;
import ai.hanzo.dev.sandbox.CellsConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A session with nothing to do is put away, and taken up when there is something. */
class IdleIT {
    @TempDir Path root;

    @Test
    void aSessionIsPutAwayAndGoesOnWithTheNextTurn() {
        Path home = root.resolve("home");
        Path project = Projects.make(root);
        DatabaseConfig database = Databases.fresh();
        HostConfig config =
                new HostConfig(
                        home,
                        home,
                        java.util.Optional.of(database),
                        Map.of(),
                        Duration.ofMillis(200),
                        java.util.Optional.empty());
        var assembly = new AtomicReference<Assembly>();
        try (TestHost host =
                new TestHost(
                        home,
                        database,
                        (TestHost.Assembler)
                                whenDead -> {
                                    assembly.set(new Assembly(config, whenDead));
                                    return assembly.get();
                                })) {
            String script =
                    new Scripts()
                            .sh("echo 1 >> n")
                            .say("One.")
                            .sh("echo 2 >> n")
                            .say("Two.")
                            .text();
            Ran first = host.in(project).exec(script, "Count.");
            assertThat(first.exit()).as(first.err()).isZero();
            Waiting.until(() -> !assembly.get().busy());
            try (Cells cells = Cells.open(CellsConfig.in(home.resolve("cells")))) {
                Waiting.until(() -> cells.list().isEmpty());
            }
            Session session =
                    host.store().journal().newestAt(TestHost.ORG, project.toString()).orElseThrow();
            Ran second = host.in(project).run("--continue", "exec", "Once more.");
            assertThat(second.exit()).as(second.err()).isZero();
            assertThat(Projects.read(project.resolve("n"))).isEqualTo("1\n2\n");
            host.awaitIdle(session.id());
        }
    }
}
