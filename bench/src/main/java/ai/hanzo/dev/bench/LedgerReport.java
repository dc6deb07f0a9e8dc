package ai.hanzo.dev.bench;

import ai.hanzo.dev.host.Assembly;
import ai.hanzo.dev.host.HostConfig;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.NewEntry;
import ai.hanzo.dev.ledger.jdbc.DatabaseConfig;
import ai.hanzo.dev.ledger.jdbc.EmbeddedStore;
import ai.hanzo.dev.ledger.jdbc.PostgresStore;
import ai.hanzo.dev.ledger.pg.EmbeddedPostgres;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.id.HostId;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.id.Uuid7;
import ai.hanzo.dev.sandbox.Cells;
import ai.hanzo.dev.sandbox.CellsConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/**
 * {@code bench/ledger}: what an action costs, on an embedded PostgreSQL with fsync on. Prints a
 * table in Markdown and leaves it in {@code bench/target/ledger.md}.
 */
public final class LedgerReport {
    /** Whose commits are counted. */
    private static final int ACTIONS = 2_000;

    /** An idle process of the server tells what it counted every ten. */
    private static final Duration UNTIL_COUNTED = Duration.ofSeconds(11);

    /** Of the session whose appends are measured. */
    private static final int ACTIONS_BEFORE = 2_000;

    private static final int SESSIONS = 64;
    private static final int ENTRIES = 20_000;
    private static final int EDGE = 100;
    private static final int SUSPENDED = Integer.getInteger("hanzo.bench.suspended", 10_000);
    private static final int CONNECTIONS = 16;
    private static final int BLOCK = 8 * 1024;
    private static final int SYNCS = 500;

    private final Uuid7 ids = new Uuid7(Clock.systemUTC(), new SecureRandom());
    private final Path project;
    private final Path root;
    private final EmbeddedPostgres postgres;
    private final List<String> lines = new ArrayList<>();

    private LedgerReport(Path project, Path root) {
        this.project = project;
        this.root = root;
        this.postgres = new EmbeddedPostgres(root.resolve("pg"));
    }

    /** Measures; the arguments are the folder of the project and one for the database. */
    public static void main(String... arguments) throws Exception {
        Path project = Path.of(arguments[0]).toAbsolutePath();
        Path root = Files.createTempDirectory(Path.of(arguments[1]).toAbsolutePath(), "ledger-");
        var report = new LedgerReport(project, root);
        try {
            report.run();
        } finally {
            report.postgres.stop();
        }
        String text = String.join("\n", report.lines) + "\n";
        Files.writeString(project.resolve("bench/target/ledger.md"), text);
        System.out.print(text);
        deleteTree(root);
    }

    /** After a run that failed it is left, with what was printed in it. */
    private static void deleteTree(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }

    private void run() throws Exception {
        lines.add("# hanzo dev: the ledger");
        lines.add("");
        lines.add(Machine.describe() + "  ");
        lines.add(
                LocalDate.now(java.time.ZoneId.systemDefault())
                        + ". Embedded PostgreSQL, fsync and synchronous_commit on.");
        lines.add("");
        lines.add("| | measured | goal |");
        lines.add("|---|---:|---|");
        DatabaseConfig database =
                EmbeddedStore.prepare(postgres.start())
                        .withMaxConnections(CONNECTIONS)
                        // Nobody beats here.
                        .withLeaseTtl(Duration.ofHours(1));
        try (PostgresStore store = PostgresStore.open(database, ids)) {
            HostId host = new HostId("host-bench");
            store.leases().register(host, LedgerLoad.RUNNER);
            double sync = syncMillis();
            row("a write of 8 KiB and fdatasync, median", "%.2f ms", sync, "");
            LedgerSteps ours = new LedgerSteps(store, host, ids, SESSIONS);
            commits(ours, database);
            race(ours, sync);
            append(store);
            for (int i = 0; i < SUSPENDED; i++) {
                LedgerLoad.open(store, host, ids).suspend();
            }
            store.leases().retire(host);
        }
        away(database);
        kills();
    }

    /** A killed host, started again and taken over. */
    private void kills() throws Exception {
        Kills.Measured kills = new Kills(root).run();
        double start = Median.of(kills.start()) / 1e3;
        row(
                "SIGKILL of a host in a turn, to the next event at a client, median of "
                        + kills.recovery().size(),
                "%.2f s",
                Median.of(kills.recovery()) / 1e3,
                String.format(Locale.ROOT, "< 3 s + start = %.2f s", 3 + start));
        row("… the longest", "%.2f s", Collections.max(kills.recovery()) / 1e3, "the same");
        row("… start of the host that follows, until it serves, median", "%.2f s", start, "");
        row(
                "SIGKILL of one of two hosts in a turn, from its last heartbeat to the other's"
                        + " lease, longest of "
                        + kills.silence().size(),
                "%.2f s",
                Collections.max(kills.silence()) / 1e3,
                "≤ 10 s, which leases live");
        row(
                "… from SIGKILL to the next event at a client of the other, longest",
                "%.2f s",
                Collections.max(kills.takeover()) / 1e3,
                "");
    }

    private void row(String what, String format, double value, String goal) {
        lines.add(
                "| %s | %s | %s |"
                        .formatted(what, String.format(Locale.ROOT, format, value), goal));
    }

    /** As pg_test_fsync does it. */
    private double syncMillis() throws IOException {
        long[] nanos = new long[SYNCS];
        try (FileChannel file =
                FileChannel.open(
                        root.resolve("sync"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE)) {
            for (int i = 0; i < SYNCS; i++) {
                long before = System.nanoTime();
                file.write(ByteBuffer.allocate(BLOCK), 0);
                file.force(false);
                nanos[i] = System.nanoTime() - before;
            }
        }
        return Median.millis(nanos);
    }

    private void commits(LedgerSteps ours, DatabaseConfig database)
            throws SQLException, InterruptedException {
        double _ = ours.one(ACTIONS);
        Thread.sleep(UNTIL_COUNTED);
        long takenBefore = transactions(database);
        long syncsBefore = walSyncs(database);
        double _ = ours.one(ACTIONS);
        Thread.sleep(UNTIL_COUNTED);
        double syncs = (double) (walSyncs(database) - syncsBefore) / ACTIONS;
        double taken = (double) (transactions(database) - takenBefore) / ACTIONS;
        row("synchronous commits of an action, by the syncs of the WAL", "%.2f", syncs, "≤ 2");
        row("… transactions, with those that only notify and sync nothing", "%.2f", taken, "");
    }

    /** Transactions that took an id, ever: by a write, or by a notification (ADR 10). */
    private static long transactions(DatabaseConfig database) throws SQLException {
        return number(database, "SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint");
    }

    /** Syncs that the WAL's writer makes in the background are among them. */
    private static long walSyncs(DatabaseConfig database) throws SQLException {
        return number(database, "SELECT wal_sync FROM pg_stat_wal");
    }

    private static long number(DatabaseConfig database, String query) throws SQLException {
        try (Connection db =
                        DriverManager.getConnection(
                                database.url(),
                                database.owner().user(),
                                database.owner().password());
                Statement statement = db.createStatement()) {
            statement.execute("SELECT pg_stat_clear_snapshot()");
            try (ResultSet rows = statement.executeQuery(query)) {
                rows.next();
                return rows.getLong(1);
            }
        }
    }

    /** Ours, and a step that does nothing on others, by turns. */
    private void race(LedgerSteps ours, double sync) throws Exception {
        List<StepEngine> engines = new ArrayList<>(List.of(ours));
        var peers = new StepPeers(project, root, SESSIONS);
        DatabaseConfig database = EmbeddedStore.prepare(postgres.start(), "peer");
        add(engines, "DBOS Transact", () -> peers.dbos(database, CONNECTIONS));
        add(engines, "Restate", peers::restate);
        try {
            StepRace race = new StepRace(engines);
            List<StepRace.Ran> ran = race.run();
            StepRace.Ran mine =
                    ran.stream().filter(one -> one.engine() == ours).findFirst().orElseThrow();
            String goal = text("≤ 2 × fdatasync + 2 ms = %.2f ms", 2 * sync + 2);
            millis("dispatch and completion of an action, one session", mine, goal);
            String many = sync <= 2 ? "≥ 800" : "≥ 800 where fdatasync is 2 ms or less";
            perSecond(SESSIONS + " sessions at once, " + CONNECTIONS + " connections", mine, many);
            String slower = text("ours, %.3f ms, is not slower", Median.of(mine.millis()));
            String fewer = text("ours, %.0f, is not slower", Median.of(mine.perSecond()));
            ran.remove(mine);
            for (StepRace.Ran other : ran) {
                String name = other.engine().name();
                millis("a step that does nothing on " + name + ", one workflow", other, slower);
                perSecond("… " + SESSIONS + " workflows at once", other, fewer);
            }
            race.failed().forEach(this::absent);
        } finally {
            engines.forEach(StepEngine::close);
        }
    }

    private static String text(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }

    private void add(List<StepEngine> engines, String name, Callable<StepEngine> start)
            throws Exception {
        try {
            engines.add(start.call());
        } catch (IOException e) {
            absent(name, String.valueOf(e.getMessage()));
        }
    }

    private void absent(String name, String why) {
        lines.add("| the same on %s | absent: %s | |".formatted(name, why));
    }

    private void millis(String what, StepRace.Ran ran, String goal) {
        rounds(
                what + ", median of " + ran.millis().size() + " rounds",
                "%.3f",
                " ms",
                ran.millis(),
                goal);
    }

    private void perSecond(String what, StepRace.Ran ran, String goal) {
        rounds(what, "%.0f", " per s", ran.perSecond(), goal);
    }

    /** The middle one, and the least and the most. */
    private void rounds(String what, String format, String unit, List<Double> rounds, String goal) {
        double least = Collections.min(rounds);
        double most = Collections.max(rounds);
        String range = String.format(Locale.ROOT, " (" + format + "–" + format + ")", least, most);
        row(what, format + unit + range, Median.of(rounds), goal);
    }

    private void append(PostgresStore store) {
        HostId host = new HostId("host-append");
        SessionId session = opened(store, host);
        long[] nanos = new long[ENTRIES];
        for (int i = 0; i < ENTRIES; i++) {
            long before = System.nanoTime();
            store.ledger()
                    .append(
                            LedgerLoad.ORG,
                            session,
                            NewEntry.ofHost(
                                    EntryKind.NOTE, Optional.empty(), Bytes.wrap(new byte[300])));
            nanos[i] = System.nanoTime() - before;
        }
        store.leases().retire(host);
        double first = Median.millis(Arrays.copyOf(nanos, EDGE));
        double last = Median.millis(Arrays.copyOfRange(nanos, ENTRIES - EDGE, ENTRIES));
        row(
                "an append, the last 100 of 20,000 to the first 100, medians",
                "%.2f ×",
                last / first,
                "≤ 1.2 ×");
    }

    private SessionId opened(PostgresStore store, HostId host) {
        store.leases().register(host, LedgerLoad.RUNNER);
        LedgerLoad load = LedgerLoad.open(store, host, ids);
        for (int i = 0; i < ACTIONS_BEFORE; i++) {
            load.act();
        }
        return load.session();
    }

    /** A host among sessions that are away: they hold nothing of it. */
    private void away(DatabaseConfig database) throws Exception {
        HostConfig config = HostConfig.of(root.resolve("home"), Map.of()).withDatabase(database);
        try (Assembly host = new Assembly(config, () -> {})) {
            host.start();
            row(
                    String.format(
                            Locale.ROOT, "%,d suspended sessions: loops in a host", SUSPENDED),
                    "%.0f",
                    host.busy() ? 1 : 0,
                    "0");
            row("… leases, of the database's rows", "%.0f", count(database, "leases"), "0");
            row(
                    "… connections of the host",
                    "%.0f",
                    count(database, "pg_stat_activity WHERE application_name LIKE 'hanzo%'"),
                    "a pool's, whatever their number");
            row(
                    String.format(
                            Locale.ROOT,
                            "%,d sessions loaded and idle: the heap of the host",
                            IdleSessions.COUNT),
                    "%.0f MiB",
                    IdleSessions.heap(host, root),
                    "< 512 MiB");
        }
        try (Cells cells = Cells.open(CellsConfig.in(config.state().resolve("cells")))) {
            cells.endAll();
        }
    }

    private static double count(DatabaseConfig database, String from) throws SQLException {
        try (Connection db =
                        DriverManager.getConnection(
                                database.url(),
                                database.owner().user(),
                                database.owner().password());
                Statement statement = db.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM " + from)) {
            rows.next();
            return rows.getDouble(1);
        }
    }
}
