package ai.hanzo.dev.ledger.pg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ai.hanzo.dev.ledger.LedgerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cluster of its own per test; the binaries are unpacked once and linked. */
final class EmbeddedPostgresIT {
    /** Above every kernel's largest. */
    private static final String NO_PROCESS = "2000000000";

    @TempDir private Path dir;
    private Path root;
    private EmbeddedPostgres postgres;

    @BeforeEach
    void prepare() throws IOException {
        root = dir.resolve("pg");
        OneCluster.giveCluster(root);
        postgres = new EmbeddedPostgres(root);
    }

    @AfterEach
    void stop() {
        postgres.stop();
    }

    @Test
    void theSecondHostFindsTheServerOfTheFirst() throws IOException {
        EmbeddedPostgres.Running first = postgres.start();
        EmbeddedPostgres.Running second = new EmbeddedPostgres(root).start();

        assertThat(first.wasRunning()).isFalse();
        assertThat(second.wasRunning()).isTrue();
        assertThat(second.ownerPassword()).isEqualTo(first.ownerPassword()).hasSize(48);
        assertThat(Files.getPosixFilePermissions(first.socketDir()))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
        assertThat(Files.getPosixFilePermissions(root.resolve("password")))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void itListensOnItsSocketOnly() throws IOException {
        postgres.start();
        long pid = postgres.pid().orElseThrow();

        String inode =
                Files.readAllLines(Path.of("/proc/net/unix")).stream()
                        .filter(line -> line.endsWith(root.resolve("run/.s.PGSQL.5432").toString()))
                        .map(line -> line.split("\\s+", -1))
                        // __SO_ACCEPTCON: it listens. A connection bears the same name.
                        .filter(fields -> fields[3].equals("00010000"))
                        .map(fields -> fields[6])
                        .findFirst()
                        .orElseThrow();
        try (var descriptors = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
            // A connection that it is about to hand on may be there for a moment, too.
            assertThat(descriptors)
                    .extracting(EmbeddedPostgresIT::target)
                    .contains("socket:[" + inode + "]")
                    .doesNotContainAnyElementsOf(internetSockets());
        }
    }

    private static List<String> internetSockets() throws IOException {
        List<String> found = new ArrayList<>(List.of("socket:[none]"));
        for (String table : List.of("tcp", "tcp6", "udp", "udp6")) {
            Path file = Path.of("/proc/net", table);
            if (Files.exists(file)) {
                Files.readAllLines(file).stream()
                        .skip(1)
                        .map(line -> "socket:[" + line.strip().split("\\s+", -1)[9] + "]")
                        .forEach(found::add);
            }
        }
        return found;
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException e) {
            return "";
        }
    }

    /** A host that is killed while it starts the server leaves one that does not answer yet. */
    @Test
    void aServerThatADeadHostStartedIsWaitedFor() throws Exception {
        postgres.start();
        Optional<Long> server = postgres.pid();
        Path socket = root.resolve("run/.s.PGSQL.5432");
        Path aside = root.resolve("socket");
        Files.move(socket, aside);
        Path pid = root.resolve("data/postmaster.pid");
        List<String> lines = Files.readAllLines(pid);
        // The number of the server before, which is gone.
        Files.writeString(pid, NO_PROCESS + "\n");
        var next = new CompletableFuture<EmbeddedPostgres.Running>();
        Thread starter =
                Thread.ofPlatform()
                        .start(() -> {
                            try {
                                next.complete(new EmbeddedPostgres(root).start());
                            } catch (RuntimeException e) {
                                next.completeExceptionally(e);
                            }
                        });
        await().atMost(Duration.ofSeconds(60))
                .until(() -> starter.getState() == Thread.State.TIMED_WAITING || next.isDone());
        assertThat(next).isNotDone();
        assertThat(pid).hasContent(NO_PROCESS + "\n");
        Files.write(pid, lines);
        Files.move(aside, socket);

        assertThat(next.get(60, TimeUnit.SECONDS).wasRunning()).isFalse();
        assertThat(postgres.pid()).isEqualTo(server);
    }

    @Test
    void startersAtOnceStartOneServer() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Boolean> start = () -> startElsewhere(root);
            assertThat(threads.invokeAll(Collections.nCopies(3, start)))
                    .allSatisfy(done -> assertThat(done.get()).isTrue());
        }
        assertThat(postgres.isRunning()).isTrue();
    }

    /** Another process, since a file lock is the whole JVM's. */
    private static boolean startElsewhere(Path root) throws Exception {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                Starter.class.getName(),
                                root.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(root.resolveSibling("out").toFile())
                        .start();
        return process.waitFor() == 0;
    }

    /** Starts a server and leaves. */
    static final class Starter {
        public static void main(String[] arguments) {
            new EmbeddedPostgres(Path.of(arguments[0])).start();
        }
    }

    @Test
    void aKilledServerIsStartedAgain() throws IOException {
        postgres.start();
        kill(postgres.pid().orElseThrow());

        assertThat(postgres.start().wasRunning()).isFalse();
        assertThat(postgres.isRunning()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"data/postmaster.pid", "run/.s.PGSQL.5432.lock"})
    void aFileThatNamesAnotherProcessIsStale(String name) throws IOException {
        postgres.start();
        kill(postgres.pid().orElseThrow());
        Path file = root.resolve(name);
        String rest = Files.readString(file).substring(Files.readString(file).indexOf('\n'));
        Files.writeString(file, ProcessHandle.current().pid() + rest);

        postgres.start();

        assertThat(postgres.isRunning()).isTrue();
    }

    private static void kill(long pid) {
        ProcessHandle server = ProcessHandle.of(pid).orElseThrow();
        server.destroyForcibly();
        await().atMost(Duration.ofSeconds(20)).until(() -> !server.isAlive());
    }

    @Test
    void anotherVersionsDataIsRefusedWithBothNumbers() throws IOException {
        postgres.start();
        postgres.stop();
        Files.writeString(root.resolve("data/PG_VERSION"), "16\n");

        assertThatThrownBy(() -> postgres.start())
                .isInstanceOf(LedgerException.class)
                .hasMessageContaining("belongs to PostgreSQL 16 and this hanzo brings 17")
                .extracting(e -> ((LedgerException) e).code())
                .isEqualTo(LedgerException.Code.WRONG_VERSION);
    }

    @Test
    void aDirectoryThatIsNoClusterIsCorrupt() throws IOException {
        PgBinaries.deleteTree(root.resolve("data"));
        Files.createDirectories(root.resolve("data"));
        Files.writeString(root.resolve("data/junk"), "junk");

        assertThatThrownBy(() -> postgres.start())
                .isInstanceOf(LedgerException.class)
                .hasMessageContaining("is not a PostgreSQL cluster")
                .extracting(e -> ((LedgerException) e).code())
                .isEqualTo(LedgerException.Code.CORRUPT);
    }

    @Test
    void aBrokenControlFileIsToldWithItsPath() throws IOException {
        postgres.start();
        postgres.stop();
        Files.write(root.resolve("data/global/pg_control"), new byte[8192]);

        assertThatThrownBy(() -> postgres.start())
                .isInstanceOf(LedgerException.class)
                .hasMessageContaining("PostgreSQL cannot read " + root.resolve("data"))
                .extracting(e -> ((LedgerException) e).code())
                .isEqualTo(LedgerException.Code.CORRUPT);
        assertThat(postgres.isRunning()).isFalse();
    }

    @Test
    void aHomeTooLongForASocketGetsAShorterOne() throws IOException {
        Path deep = dir.resolve("d".repeat(120)).resolve("pg");
        OneCluster.giveCluster(deep);
        EmbeddedPostgres far = new EmbeddedPostgres(deep);
        try {
            EmbeddedPostgres.Running running = far.start();
            assertThat(running.socketDir().toString()).hasSizeLessThan(90);
            assertThat(Files.getPosixFilePermissions(running.socketDir()))
                    .isEqualTo(PosixFilePermissions.fromString("rwx------"));
        } finally {
            far.stop();
        }
    }

    @Test
    void aHomeWithSpacesAndQuotesWorks() throws IOException {
        Path odd = dir.resolve("it's, \"odd\" %s $HOME `id`").resolve("pg");
        OneCluster.giveCluster(odd);
        EmbeddedPostgres far = new EmbeddedPostgres(odd);
        try {
            assertThat(far.start().wasRunning()).isFalse();
        } finally {
            far.stop();
        }
    }

    @Test
    void aBrokenUnpackingIsDoneAgain() throws IOException {
        Path target = dir.resolve("bin");
        Files.createDirectories(dir.resolve("bin.new/half"));
        Files.copy(
                OneCluster.binaries().resolve("bin/initdb"),
                dir.resolve("bin.new/half/initdb"),
                StandardCopyOption.REPLACE_EXISTING);

        PgBinaries.unpack(target);

        assertThat(target.resolve("bin/postgres")).isExecutable();
        assertThat(target.resolve("half")).doesNotExist();
    }
}
