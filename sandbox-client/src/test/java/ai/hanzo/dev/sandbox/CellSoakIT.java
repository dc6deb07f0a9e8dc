package ai.hanzo.dev.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.sandbox.LeaseSpec.Places;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many leases and many commands, of several sessions at once, and nothing of them is left: no
 * process, descriptor, mount or directory. The nightly profile takes 10,000 and 100,000 of them;
 * {@code -Dcell.soak.leases} and {@code -Dcell.soak.commands} say otherwise. Long runs tell how far
 * they are.
 */
@Timeout(value = 6, unit = TimeUnit.HOURS)
class CellSoakIT {
    private static final int LEASES = Integer.getInteger("cell.soak.leases", 20);
    private static final int COMMANDS = Integer.getInteger("cell.soak.commands", 200);
    private static final int LANES = 4;
    private static final Duration LONG = Duration.ofSeconds(60);

    /** Prints each twentieth of a long run. */
    private record Progress(String what, int all, AtomicInteger done, Instant start) {
        private static final int LONG_RUN = 1_000;
        private static final int PARTS = 20;

        static Progress of(String what, int all) {
            return new Progress(what, all, new AtomicInteger(), Instant.now());
        }

        @SuppressWarnings("SystemOut")
        void one() {
            int count = done.incrementAndGet();
            if (all >= LONG_RUN && count % (all / PARTS) == 0) {
                System.out.printf(
                        "soak: %,d of %,d %s after %,d s%n",
                        count, all, what, Duration.between(start, Instant.now()).toSeconds());
            }
        }
    }

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

    /** One session of several side by side: its own cells, one after the other. */
    private record Lane(Scene scene, SessionId session, Path workspace, Places places) {
        static List<Lane> of(Scene scene) throws IOException {
            List<Lane> lanes = new ArrayList<>();
            for (int i = 0; i < LANES; i++) {
                Path workspace = Files.createDirectory(scene.workspace().resolve("w" + i));
                Places places = Places.in(scene.places().resolve("p" + i));
                lanes.add(new Lane(scene, TestIds.session(), workspace, places));
            }
            return lanes;
        }

        LeaseSpec spec() {
            return LeaseSpec.of(session, new Epoch(1), workspace, places);
        }

        void isEmpty() throws IOException {
            assertThat(count(places.spool())).isZero();
            assertThat(count(workspace)).isZero();
        }
    }

    /** Runs it for each lane at once; the first failure is this one's. */
    private static void sideBySide(List<Lane> lanes, Consumer<Lane> work) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            lanes.forEach(lane -> all.add(threads.submit(() -> work.accept(lane))));
            for (Future<?> each : all) {
                each.get();
            }
        }
    }

    @Test
    void nothingIsLeftOfManyLeases(@TempDir Path root) throws Exception {
        try (Scene scene = new Scene(root)) {
            Cells cells = scene.cells();
            List<Lane> lanes = Lane.of(scene);
            sideBySide(lanes, lane -> round(lane, cells));
            long pid = supervisor(scene).pid();
            Holdings before = Holdings.of(pid);
            long ours = count(Path.of("/proc/self/fd"));
            Progress progress = Progress.of("leases", LEASES);
            sideBySide(
                    lanes,
                    lane -> {
                        for (int i = 0; i < LEASES / LANES; i++) {
                            round(lane, cells);
                            progress.one();
                        }
                    });
            assertThat(cells.list()).isEmpty();
            org.awaitility.Awaitility.await()
                    .atMost(LONG)
                    .untilAsserted(() -> {
                        assertThat(Holdings.of(pid)).isEqualTo(before);
                        assertThat(count(Path.of("/proc/self/fd"))).isLessThanOrEqualTo(ours);
                    });
            for (Lane lane : lanes) {
                lane.isEmpty();
            }
        }
    }

    /** A cell of its own, a command that leaves processes behind, and its end. */
    private static void round(Lane lane, Cells cells) {
        try (Cell cell = cells.lease(lane.spec())) {
            ExecRequest request =
                    ExecRequest.shell("(setsid sleep 600 &) ; sleep 600 & echo x")
                            .keepingLeftovers();
            assertThat(cell.exec(new ActionId(1), request)).isInstanceOf(Reply.Done.class);
        }
        cells.kill(lane.session(), new Epoch(1));
    }

    @Test
    void aCellGrowsByNoneOfItsCommands(@TempDir Path root) throws Exception {
        try (Scene scene = new Scene(root)) {
            List<Lane> lanes = Lane.of(scene);
            Progress progress = Progress.of("commands", COMMANDS);
            sideBySide(lanes, lane -> commands(lane, COMMANDS / LANES, progress));
        }
    }

    private static void commands(Lane lane, int count, Progress progress) {
        Cells cells = lane.scene().cells();
        try (Cell cell = cells.lease(lane.spec())) {
            commands(lane.scene(), cell, 50, () -> {});
            int pid =
                    cells.list().stream()
                            .filter(each -> each.session().equals(lane.session().value()))
                            .mapToInt(CellSummary::pid)
                            .findFirst()
                            .orElseThrow();
            Growth before = Growth.of(pid);
            commands(lane.scene(), cell, count, progress::one);
            // At rest it holds the process that waits for the next command, with its minder.
            org.awaitility.Awaitility.await()
                    .atMost(LONG)
                    .untilAsserted(() -> {
                        Growth after = Growth.of(pid);
                        assertThat(after.descriptors()).isLessThanOrEqualTo(before.descriptors());
                        assertThat(after.processes()).isLessThanOrEqualTo(2);
                        assertThat(after.residentKib() - before.residentKib()).isLessThan(1024);
                    });
            lane.isEmpty();
            assertThat(Files.size(lane.places().journal())).isLessThan(8 << 20);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a daemon holds. */
    private record Growth(long descriptors, long processes, long residentKib) {
        static Growth of(long daemon) throws IOException {
            Path process = Path.of("/proc", Long.toString(daemon));
            return new Growth(
                    count(process.resolve("fd")),
                    ProcessHandle.of(daemon).orElseThrow().descendants().count(),
                    CellSoakIT.residentKib(process));
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
    private static void commands(Scene scene, Cell cell, int count, Runnable afterEach) {
        for (int i = 0; i < count; i++) {
            ActionId id = scene.next();
            Reply<ExecOutcome> reply = cell.exec(id, ExecRequest.shell("echo out; echo err >&2"));
            assertThat(reply).isInstanceOf(Reply.Done.class);
            cell.ack(id);
            cell.lowWater(id);
            afterEach.run();
        }
    }
}
