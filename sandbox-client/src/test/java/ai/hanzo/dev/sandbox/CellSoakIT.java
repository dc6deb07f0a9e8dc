package ai.hanzo.dev.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.Epoch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many leases and many commands, and nothing of them is left: no process, descriptor, mount or
 * directory. The nightly profile takes 10,000 and 100,000 of them.
 */
@Timeout(value = 6, unit = TimeUnit.HOURS)
class CellSoakIT {
    private static final int LEASES = Integer.getInteger("cell.soak.leases", 20);
    private static final int COMMANDS = Integer.getInteger("cell.soak.commands", 200);
    private static final Duration LONG = Duration.ofSeconds(60);

    /** What a supervisor holds. */
    private record Holdings(long descriptors, long children, long mounts) {
        static Holdings of(long supervisor) throws IOException {
            return new Holdings(
                    count(Path.of("/proc", Long.toString(supervisor), "fd")),
                    ProcessHandle.of(supervisor).orElseThrow().descendants().count(),
                    Files.readAllLines(Path.of("/proc/self/mountinfo")).size());
        }
    }

    private static long count(Path directory) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.count();
        }
    }

    private static ProcessHandle supervisor(Scene scene) {
        return ProcessHandle.allProcesses()
                .filter(process ->
                        process.info()
                                .commandLine()
                                .orElse("")
                                .contains(scene.supervisor().toString()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void nothingIsLeftOfManyLeases(@TempDir Path root) throws IOException {
        try (Scene scene = new Scene(root)) {
            Cells cells = scene.cells();
            round(scene, cells);
            long pid = supervisor(scene).pid();
            Holdings before = Holdings.of(pid);
            long ours = count(Path.of("/proc/self/fd"));
            for (int i = 0; i < LEASES; i++) {
                round(scene, cells);
            }
            assertThat(cells.list()).isEmpty();
            org.awaitility.Awaitility.await()
                    .atMost(LONG)
                    .untilAsserted(() -> {
                        assertThat(Holdings.of(pid)).isEqualTo(before);
                        assertThat(count(Path.of("/proc/self/fd"))).isLessThanOrEqualTo(ours);
                    });
            assertThat(count(scene.places().resolve("spool"))).isZero();
            assertThat(count(scene.workspace())).isZero();
        }
    }

    /** A cell of its own, a command that leaves processes behind, and its end. */
    private static void round(Scene scene, Cells cells) {
        try (Cell cell = cells.lease(scene.spec(1))) {
            ExecRequest request =
                    ExecRequest.shell("(setsid sleep 600 &) ; sleep 600 & echo x")
                            .keepingLeftovers();
            assertThat(cell.exec(new ActionId(1), request)).isInstanceOf(Reply.Done.class);
        }
        cells.kill(scene.session, new Epoch(1));
    }

    @Test
    void aCellGrowsByNoneOfItsCommands(@TempDir Path root) throws IOException {
        try (Scene scene = new Scene(root)) {
            Cell cell = scene.cells().lease(scene.spec(1));
            commands(scene, cell, 50);
            List<CellSummary> cells = scene.cells().list();
            Path daemon = Path.of("/proc", Integer.toString(cells.getFirst().pid()));
            long descriptors = count(daemon.resolve("fd"));
            long residentKib = residentKib(daemon);
            commands(scene, cell, COMMANDS);
            assertThat(count(daemon.resolve("fd"))).isEqualTo(descriptors);
            assertThat(residentKib(daemon) - residentKib).isLessThan(1024);
            assertThat(ProcessHandle.of(cells.getFirst().pid()).orElseThrow().children()).isEmpty();
            assertThat(count(scene.places().resolve("spool"))).isZero();
            assertThat(Files.size(scene.places().resolve("journal"))).isLessThan(8 << 20);
        }
    }

    private static long residentKib(Path process) throws IOException {
        return Files.readAllLines(process.resolve("status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElseThrow();
    }

    /** As a host does: acknowledged one by one, and settled below a mark. */
    private static void commands(Scene scene, Cell cell, int count) {
        for (int i = 0; i < count; i++) {
            ActionId id = scene.next();
            Reply<ExecOutcome> reply = cell.exec(id, ExecRequest.shell("echo out; echo err >&2"));
            assertThat(reply).isInstanceOf(Reply.Done.class);
            cell.ack(id);
            cell.lowWater(id);
        }
    }
}
