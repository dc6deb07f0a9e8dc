package ai.hanzo.dev.bench;

import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.id.Uuid7;
import ai.hanzo.dev.sandbox.Cell;
import ai.hanzo.dev.sandbox.CellSummary;
import ai.hanzo.dev.sandbox.Cells;
import ai.hanzo.dev.sandbox.CellsConfig;
import ai.hanzo.dev.sandbox.ExecOutcome;
import ai.hanzo.dev.sandbox.ExecRequest;
import ai.hanzo.dev.sandbox.LeaseSpec;
import ai.hanzo.dev.sandbox.LeaseSpec.Places;
import ai.hanzo.dev.sandbox.Level;
import ai.hanzo.dev.sandbox.Reply;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

/**
 * {@code bench/run cells}: measures cells beside what is here to compare with, prints a table in
 * Markdown, and leaves it in {@code bench/target/cells.md}. Wall time: what a person waits. One
 * thread.
 */
public final class CellReport implements AutoCloseable {
    private static final int FILES = 30_800;
    private static final int SPAWNS = 25;

    /** Leases before those that count, as a host that has worked for a while has had. */
    private static final int LEASES_BEFORE = 500;

    private static final int POOL = 2;
    private static final int COMMANDS = 200;
    private static final int TRIPS = 5_000;

    /** Before those that count: until the compilers are done. */
    private static final int WARM_UP = 30_000;

    private static final int LOOPS = 200;
    private static final int STUBBORN = 100;
    private static final int KILLS = 5;
    private static final Duration FLOOD = Duration.ofSeconds(10);

    private final Path home;
    private final Path place;
    private final Path workspace;
    private final Cells cells;
    private final Uuid7 ids = new Uuid7(Clock.systemUTC(), new SecureRandom());
    private final StringBuilder text = new StringBuilder();
    private long lastAction;

    private CellReport(Path home, Path place) throws IOException {
        this.home = home;
        this.place = place;
        this.workspace = Files.createDirectories(place.resolve("workspace"));
        this.cells = Cells.open(CellsConfig.in(place.resolve("s")));
    }

    /** Measures everything; the only argument is the folder of the project. */
    public static void main(String... arguments) throws IOException {
        Path home = Path.of(arguments.length == 0 ? "." : arguments[0]).toAbsolutePath();
        // Short, for the supervisor's socket.
        Path place = Files.createTempDirectory("hanzo-bench");
        try (CellReport report = new CellReport(home, place.toRealPath())) {
            report.run();
            Files.writeString(home.resolve("bench/target/cells.md"), report.text);
            System.out.print(report.text);
        } finally {
            shell("rm -rf '" + place + "'", Duration.ofMinutes(5));
        }
    }

    private void run() throws IOException {
        line("# hanzo dev: cells");
        line("");
        line(
                Machine.describe()
                        + ". Medians; wall time, so on a busy machine all of it is longer.");
        line("");
        line("| measure | found | beside | goal |");
        line("|---|---|---|---|");
        fill();
        for (int i = 0; i < LEASES_BEFORE; i++) {
            spawnOne();
        }
        double bubblewrap = loop(BUBBLEWRAP + " /bin/true", LOOPS / 4);
        row(
                "spawn → first packet, workspace of %,d files".formatted(FILES),
                millis(spawn()),
                bubblewrap < 0 ? "no bwrap here" : "bubblewrap true %.1f ms".formatted(bubblewrap),
                "≤ bubblewrap");
        row("the same from the warm pool", millis(warmSpawn()), "", "< 2 ms");
        row("the same where namespaces are refused", millis(plainSpawn()), "", "≤ 7 ms");
        try (Cell cell = cells.lease(spec(session()))) {
            exec(cell); // the first commands of a JVM
            double before = spawnBare();
            double exec = exec(cell);
            double bare = (before + spawnBare()) / 2;
            row(
                    "exec of true, request → result",
                    millis(exec),
                    "posix_spawn and wait from C %s".formatted(millis(bare)),
                    "≤ bare + 1 ms");
            smallTrips(cell, WARM_UP);
            largeTrips(cell, WARM_UP / 3);
            row("round trip, small", micros(smallTrips(cell, TRIPS)), "", "≤ 45 µs");
            row("round trip, a read of 96 KiB", micros(largeTrips(cell, TRIPS)), "", "≤ 60 µs");
            row("idle cell, resident", idle(cell.session()), "", "≤ 1 MiB");
            flood(cell);
        }
        kill();
    }

    private static final String BUBBLEWRAP =
            "bwrap --unshare-all --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib"
                    + " --symlink usr/lib64 /lib64 --proc /proc --dev /dev";

    private void fill() throws IOException {
        for (int i = 0; i < FILES; i++) {
            if (i % 100 == 0) {
                Files.createDirectories(workspace.resolve("d" + i / 100));
            }
            Files.createFile(workspace.resolve("d" + i / 100).resolve("f" + i));
        }
        Files.write(workspace.resolve("large"), new byte[98_304]);
    }

    private SessionId session() {
        return SessionId.next(ids);
    }

    private LeaseSpec spec(SessionId session) {
        return LeaseSpec.of(
                session, new Epoch(1), workspace, Places.in(place.resolve(session.value())));
    }

    private ActionId next() {
        return new ActionId(++lastAction);
    }

    private double spawn() {
        return median(SPAWNS, this::spawnOne);
    }

    private long spawnOne() {
        return spawnOne(cells);
    }

    private long spawnOne(Cells of) {
        SessionId session = session();
        long before = System.nanoTime();
        of.lease(spec(session)).close();
        long took = System.nanoTime() - before;
        of.kill(session, new Epoch(1));
        return took;
    }

    /** Of a supervisor that was started as in a plain container; {@code bench/run} has built it. */
    private double plainSpawn() throws IOException {
        Path dir = place.resolve("p");
        Process supervisor =
                new ProcessBuilder(
                                home.resolve("bench/target/peers/plain").toString(),
                                home.resolve("native/landlock/build/cell").toString(),
                                "supervise",
                                "--dir",
                                dir.toString())
                        .inheritIO()
                        .start();
        await(() -> Files.exists(dir.resolve("supervisor.sock")));
        try (Cells plain = Cells.open(CellsConfig.in(dir))) {
            plain.lease(spec(session())).close();
            if (plain.list().stream().anyMatch(cell -> cell.level() != Level.LANDLOCK)) {
                throw new IllegalStateException("the cell has namespaces");
            }
            for (int i = 0; i < LEASES_BEFORE; i++) {
                spawnOne(plain);
            }
            double median = median(SPAWNS, () -> spawnOne(plain));
            plain.endAll();
            return median;
        } finally {
            supervisor.destroy();
        }
    }

    /** Each of them waits until the pool is full again, as a person does between two sessions. */
    private double warmSpawn() {
        try (Cells warm = Cells.open(CellsConfig.in(place.resolve("s")).withWarm(POOL))) {
            return median(
                    SPAWNS,
                    () -> {
                        SessionId session = session();
                        await(() -> warm.ready() == POOL);
                        long before = System.nanoTime();
                        warm.lease(spec(session)).close();
                        long took = System.nanoTime() - before;
                        if (warm.list().stream()
                                .noneMatch(cell ->
                                        cell.session().equals(session.value()) && cell.isWarm())) {
                            throw new IllegalStateException("a cell was not of the pool");
                        }
                        warm.kill(session, new Epoch(1));
                        return took;
                    });
        }
    }

    private static void await(BooleanSupplier holds) {
        Instant end = Instant.now().plus(Duration.ofMinutes(1));
        while (!holds.getAsBoolean()) {
            if (Instant.now().isAfter(end)) {
                throw new IllegalStateException("what was waited for does not come");
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    private double exec(Cell cell) {
        return median(
                COMMANDS,
                () -> {
                    ActionId id = next();
                    long before = System.nanoTime();
                    done(cell.exec(id, ExecRequest.of("/bin/true")));
                    long took = System.nanoTime() - before;
                    cell.ack(id);
                    cell.lowWater(id);
                    return took;
                });
    }

    private double smallTrips(Cell cell, int times) {
        ActionId never = new ActionId(1L << 40);
        return median(times, () -> timed(() -> cell.status(never)));
    }

    private double largeTrips(Cell cell, int times) {
        return median(times, () -> timed(() -> cell.read("large", 0, 98_304)));
    }

    private static long timed(Runnable what) {
        long before = System.nanoTime();
        what.run();
        return System.nanoTime() - before;
    }

    private String idle(SessionId session) throws IOException {
        int pid =
                cells.list().stream()
                        .filter(cell -> cell.session().equals(session.value()))
                        .mapToInt(CellSummary::pid)
                        .findFirst()
                        .orElseThrow();
        long kib =
                Files.readAllLines(Path.of("/proc", Integer.toString(pid), "smaps_rollup")).stream()
                        .filter(line -> line.startsWith("Pss:"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                        .findFirst()
                        .orElseThrow();
        return String.format(Locale.ROOT, "%.2f MiB", kib / 1024.0);
    }

    private void flood(Cell cell) {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        long before = runtime.totalMemory() - runtime.freeMemory();
        ExecRequest request = ExecRequest.of("yes").withTimeout(FLOOD);
        ExecOutcome outcome = done(cell.exec(next(), request));
        System.gc();
        long grown = runtime.totalMemory() - runtime.freeMemory() - before;
        double gigabytes = outcome.stdout().totalBytes() / 1e9 / FLOOD.toSeconds();
        row(
                "yes for %d s".formatted(FLOOD.toSeconds()),
                String.format(
                        Locale.ROOT,
                        "%.1f GB/s drained, host %+.1f MiB",
                        gigabytes,
                        grown / 1048576.0),
                "",
                "≥ 1 GB/s, < 64 MiB");
    }

    private void kill() throws IOException {
        StubbornTree tree = new StubbornTree(STUBBORN);
        List<Long> bare = new ArrayList<>();
        List<Long> ours = new ArrayList<>();
        long left = 0;
        for (int i = 0; i < KILLS; i++) {
            tree.bareKill().ifPresent(bare::add);
            SessionId session = session();
            try (Cell cell = cells.lease(spec(session))) {
                done(cell.exec(next(), ExecRequest.shell(tree.line()).keepingLeftovers()));
                ours.add(timed(() -> cells.kill(session, new Epoch(1))));
            }
            left += StubbornTree.left();
        }
        row(
                "kill of a cell with %d stubborn processes".formatted(STUBBORN),
                "%s, %d left".formatted(millis(middle(ours)), left),
                bare.isEmpty()
                        ? "no bare namespace here"
                        : "of a bare pid namespace " + millis(middle(bare)),
                "≤ 60 ms, 0 left");
    }

    private static double middle(List<Long> nanos) {
        return nanos.stream().sorted().skip(nanos.size() / 2).findFirst().orElseThrow();
    }

    private static <T> T done(Reply<T> reply) {
        return switch (reply) {
            case Reply.Done<T>(T value) -> value;
            case Reply.Refused<T> refused -> throw new IllegalStateException(refused.toString());
        };
    }

    private static double median(int times, LongSupplier nanos) {
        return middle(LongStream.generate(nanos).limit(times).boxed().toList());
    }

    /** Milliseconds for one of many in a shell; negative when it cannot be run here. */
    private static double loop(String command, int times) throws IOException {
        String one = command + " >/dev/null 2>&1 </dev/null";
        if (shell(one, Duration.ofMinutes(1)) != 0) {
            return -1;
        }
        String line = "i=0; while [ $i -lt " + times + " ]; do " + one + "; i=$((i+1)); done";
        long before = System.nanoTime();
        shell(line, Duration.ofMinutes(5));
        return (System.nanoTime() - before) / 1e6 / times;
    }

    /** Nanoseconds that a spawn takes a small program; {@code bench/run} has built it. */
    private double spawnBare() throws IOException {
        Path program = home.resolve("bench/target/peers/spawn");
        Process process =
                new ProcessBuilder(program.toString(), Integer.toString(LOOPS))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try (BufferedReader said = process.inputReader()) {
            String median = said.readLine();
            if (median == null) {
                throw new IllegalStateException(program + " measured nothing");
            }
            return Double.parseDouble(median) * 1e3;
        }
    }

    private static int shell(String line, Duration atMost) throws IOException {
        Process process = new ProcessBuilder(List.of("/bin/sh", "-c", line)).inheritIO().start();
        try {
            if (!process.waitFor(atMost)) {
                process.destroyForcibly();
                throw new IllegalStateException("it takes too long: " + line);
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while measuring", e);
        }
    }

    private static String millis(double nanos) {
        return String.format(Locale.ROOT, "%.1f ms", nanos / 1e6);
    }

    private static String micros(double nanos) {
        return String.format(Locale.ROOT, "%.0f µs", nanos / 1e3);
    }

    private void row(String measure, String found, String beside, String goal) {
        line("| " + measure + " | " + found + " | " + beside + " | " + goal + " |");
    }

    private void line(String line) {
        text.append(line).append('\n');
    }

    @Override
    public void close() {
        cells.endAll();
        cells.close();
    }
}
