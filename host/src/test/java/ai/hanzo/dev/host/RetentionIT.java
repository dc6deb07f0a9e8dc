package ai.hanzo.dev.host;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.Hanzo.Ran;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.jdbc.DatabaseConfig;
import ai.hanzo.dev.ledger.jdbc.TableDump;
import ai.hanzo.dev.workspace.Digest;
import ai.hanzo.dev.workspace.DiskBlobStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions that are over go with all that only they needed; nothing that lives is touched. */
class RetentionIT {
    @TempDir Path root;
    private final DatabaseConfig database = Databases.fresh();
    private final AtomicReference<Assembly> assembly = new AtomicReference<>();
    private Path home;
    private TestHost host;
    private DiskBlobStore blobs;

    @BeforeEach
    void open() {
        home = root.resolve("home");
        host = new TestHost(home, database, (TestHost.Assembler) this::assembled);
        blobs = new DiskBlobStore(home.resolve("blobs"));
    }

    private Assembly assembled(Runnable whenDead) {
        HostConfig config =
                new HostConfig(
                        home,
                        home,
                        Optional.of(database),
                        Map.of(),
                        Duration.ofMinutes(10),
                        Optional.of(Duration.ZERO));
        assembly.set(new Assembly(config, whenDead));
        return assembly.get();
    }

    @AfterEach
    void close() {
        host.close();
    }

    private Session worked(Path project, String line) {
        Ran ran = host.in(project).exec(new Scripts().sh(line).say("Done.").text(), "Go.");
        assertThat(ran.exit()).as(ran.out() + ran.err()).isZero();
        Session session =
                host.store().journal().newestAt(TestHost.ORG, project.toString()).orElseThrow();
        host.awaitIdle(session.id());
        return session;
    }

    private Set<Digest> stored() {
        try (Stream<Digest> all = blobs.all()) {
            return all.collect(Collectors.toSet());
        }
    }

    /** As if all had been stored long ago. */
    private void age() throws IOException {
        try (Stream<Path> all = Files.walk(home.resolve("blobs/objects"))) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                Files.setLastModifiedTime(
                        file, FileTime.from(Instant.now().minus(Duration.ofDays(3))));
            }
        }
    }

    private boolean isThere(Session session) {
        return host.store().journal().session(TestHost.ORG, session.id()).isPresent();
    }

    @Test
    void whatIsOverGoesAndWhatLivesStays() throws IOException {
        Path shared = Projects.make(root);
        Session lives = worked(shared, "seq 1 100000; echo kept > kept");
        Set<Digest> needed = stored();
        Path gone = Projects.make(root);
        Session over = worked(gone, "seq 1 200000; echo kept > kept; echo mine > mine");
        Set<Digest> all = stored();
        assertThat(all).hasSizeGreaterThan(needed.size());

        Ran early = host.in(root).run("purge", over.id().value());
        assertThat(early.exit()).isEqualTo(1);
        assertThat(early.err()).contains("is not over").contains("hanzo dev rm");
        assertThat(host.in(root).run("rm", over.id().value()).exit()).isZero();
        age();

        Waiting.until(() -> {
            assembly.get().retention().run();
            return !isThere(over);
        });

        assertThat(isThere(over)).isFalse();
        assertThat(isThere(lives)).isTrue();
        assertThat(home.resolve("sessions").resolve(over.id().value())).doesNotExist();
        assertThat(stored()).containsAll(needed);
        assertThat(stored())
                .as("what the index of its workspace takes for stored stays")
                .doesNotContain(digest(200_000));
        assertThat(host.in(root).run("verify", lives.id().value()).exit()).isZero();
        assertThat(host.in(root).run("show", over.id().value()).err()).contains("There is no");
        Session again = worked(gone, "cat mine");
        assertThat(host.in(root).run("verify", again.id().value()).exit())
                .as("a checkpoint made from the index")
                .isZero();
        assertThat(host.in(root).run("undo", lives.id().value()).exit()).isZero();
        assertThat(shared.resolve("kept")).doesNotExist();
    }

    private static Digest digest(int lines) {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i <= lines; i++) {
            text.append(i).append('\n');
        }
        return Digest.of(text.toString().getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    }

    @Test
    void nothingIsSweptWhileABackupIsMade() throws IOException {
        Session over = worked(Projects.make(root), "seq 1 200000");
        Set<Digest> before = stored();

        try (TableDump _ = TableDump.open(database)) {
            assertThat(host.in(root).run("rm", over.id().value()).exit()).isZero();
            Ran purged = host.in(root).run("purge", over.id().value());
            assertThat(purged.out()).as(purged.err()).startsWith("removed " + over.id() + ", ");
            age();
            assembly.get().retention().run();
            assertThat(stored()).isEqualTo(before);
        }
        assembly.get().retention().run();

        assertThat(stored()).doesNotContain(digest(200_000));
    }
}
