package ai.hanzo.dev.host;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.Hanzo.Ran;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.ledger.jdbc.EmbeddedStore;
import ai.hanzo.dev.ledger.pg.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A state directory is backed up while its host serves, and restored into an empty one. */
class BackupIT {
    @TempDir Path root;

    private static TestHost host(Path home) {
        var server = new EmbeddedPostgres(home.resolve("pg")).start();
        return new TestHost(
                home,
                EmbeddedStore.prepare(server),
                (TestHost.Assembler)
                        whenDead -> new Assembly(HostConfig.of(home, Map.of()), whenDead));
    }

    private static Session worked(TestHost host, Path project, Scripts script) {
        Ran ran = host.in(project).exec(script.text(), "Go.");
        assertThat(ran.exit()).as(ran.out() + ran.err()).isIn(0, 3);
        return host.store().journal().newestAt(TestHost.ORG, project.toString()).orElseThrow();
    }

    private static Optional<Session> find(TestHost host, Session session) {
        return host.store().journal().session(TestHost.ORG, session.id());
    }

    @Test
    void allThatWasThereWhenItWasMadeIsThereAgainAndGoesOn() throws IOException {
        Path home = root.resolve("home");
        Path there = root.resolve("there");
        Path file = root.resolve("all.backup");
        Path project = Projects.make(root);
        Session before;
        Session asks;
        Session after;
        try (TestHost host = host(home)) {
            before =
                    worked(
                            host,
                            project,
                            new Scripts()
                                    .sh("echo 1 >> n; seq 1 100000")
                                    .say("One.")
                                    .sh("echo 2 >> n")
                                    .say("Two."));
            host.awaitIdle(before.id());
            asks = worked(host, Projects.make(root), new Scripts().call("ask", "question", "Why?"));
            Waiting.forState(host.store(), asks.id(), SessionState.WAITING_INPUT);

            Ran made = host.in(root).run("backup", "create", file.toString());

            assertThat(made.exit()).as(made.err()).isZero();
            assertThat(made.out()).startsWith("written: ").contains(", the organisation's key");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            after = worked(host, Projects.make(root), new Scripts().say("Later."));
            Ran over = host.in(root).run("backup", "restore", file.toString());
            assertThat(over.exit()).isEqualTo(1);
            assertThat(over.err()).contains("is not empty: restore into a new one");
        } finally {
            new EmbeddedPostgres(home.resolve("pg")).stop();
        }
        refusesWhatIsNotWhole(file);

        Ran restored = new Hanzo(there, root).run("backup", "restore", file.toString());

        assertThat(restored.exit()).as(restored.err()).isZero();
        assertThat(new EmbeddedPostgres(there.resolve("pg")).isRunning()).isFalse();
        try (TestHost host = host(there)) {
            assertThat(find(host, before)).contains(before);
            assertThat(find(host, after)).isEmpty();
            assertThat(host.in(root).run("verify", before.id().value()).exit()).isZero();
            assertThat(host.in(root).run("verify", asks.id().value()).exit()).isZero();
            Ran on = host.in(project).run("--continue", "exec", "Go on.");
            assertThat(on.exit()).as(on.err()).isZero();
            assertThat(Projects.read(project.resolve("n"))).isEqualTo("1\n2\n");
            assertThat(host.in(root).run("answer", asks.id().value(), "So.").exit()).isZero();
            host.awaitIdle(asks.id());
            assertThat(host.in(root).run("verify", asks.id().value()).exit()).isZero();
        } finally {
            new EmbeddedPostgres(there.resolve("pg")).stop();
        }
    }

    private void refusesWhatIsNotWhole(Path file) throws IOException {
        byte[] whole = Files.readAllBytes(file);
        Path bad = root.resolve("bad.backup");
        for (int length : new int[] {0, 10, whole.length / 2, whole.length * 9 / 10}) {
            Files.write(bad, Arrays.copyOf(whole, length));
            refused(bad);
        }
        for (int at : new int[] {60, whole.length / 3, whole.length / 2}) {
            byte[] flipped = whole.clone();
            flipped[at] ^= 0x10;
            Files.write(bad, flipped);
            refused(bad);
        }
    }

    private void refused(Path bad) {
        Path nowhere = root.resolve("nowhere");
        Ran ran = new Hanzo(nowhere, root).run("backup", "restore", bad.toString());
        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.err()).contains(bad + " cannot be restored: it ").hasLineCount(1);
        assertThat(nowhere).doesNotExist();
    }
}
