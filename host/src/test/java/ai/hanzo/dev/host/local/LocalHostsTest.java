package ai.hanzo.dev.host.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class LocalHostsTest {
    @TempDir private Path temporary = Path.of("/");
    private Home home = new Home(Path.of("/"));

    @BeforeEach
    void name() {
        home = new Home(temporary.resolve("home"));
    }

    @AfterEach
    void stop() {
        hosts("one").stop();
    }

    private LocalHosts hosts(String build, String... more) {
        var arguments = new ArrayList<>(List.of(build));
        arguments.addAll(List.of(more));
        return new LocalHosts(
                home, build, FakeHostMain.launch(arguments.toArray(String[]::new)), _ -> {});
    }

    private HostFile file() {
        return HostFile.read(home).orElseThrow();
    }

    @Test
    void theFirstClientStartsAHostAndTheNextFindsIt() throws Exception {
        Endpoint first = hosts("one").ensure();

        assertThat(hosts("one").ensure()).isEqualTo(first);
        assertThat(first.local()).isTrue();
        assertThat(first.toString()).doesNotContain(first.token());
        assertThat(file().address()).isEqualTo(first.address());
        assertThat(hosts("one").status())
                .isEqualTo(new LocalHosts.Status.Up(file(), java.util.Optional.empty(), true));
        for (Path secret : List.of(home.tokenFile(), home.hostFile())) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(secret)))
                    .isEqualTo("rw-------");
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.path())))
                .isEqualTo("rwx------");
        assertThat(Files.readString(home.hostLog())).contains("host serves");
    }

    @Test
    void clientsThatRaceMeetAtOneHost() throws Exception {
        var clients = new ArrayList<Process>();
        for (int i = 0; i < 4; i++) {
            var command =
                    new ArrayList<>(
                            FakeHostMain.launch().command().stream()
                                    .filter(word -> !word.equals("host"))
                                    .toList());
            command.addAll(List.of("client", "one", home.path().toString()));
            clients.add(
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start());
        }
        var addresses = new ArrayList<String>();
        for (Process client : clients) {
            addresses.add(
                    new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                            .strip());
            assertThat(client.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }

        assertThat(addresses).hasSize(4).containsOnly(file().address().toString());
        assertThat(children()).hasSize(1);
    }

    /** Hosts of this state directory that run now, told by their command line. */
    private List<ProcessHandle> children() {
        return ProcessHandle.allProcesses()
                .filter(ProcessHandle::isAlive)
                .filter(process -> environmentNames(process, home.path()))
                .toList();
    }

    private static boolean environmentNames(ProcessHandle process, Path home) {
        try {
            Path proc = Path.of("/proc", String.valueOf(process.pid()));
            return Files.readString(proc.resolve("environ"), StandardCharsets.ISO_8859_1)
                            .contains("HANZO_HOME=" + home + "\0")
                    && Files.readString(proc.resolve("cmdline"), StandardCharsets.ISO_8859_1)
                            .contains("FakeHostMain\0host\0");
        } catch (java.io.IOException e) {
            return false;
        }
    }

    @Test
    void aHostThatWasKilledIsRecognisedAndReplaced() {
        hosts("one").ensure();
        HostFile killed = file();
        killed.process().orElseThrow().destroyForcibly();
        await().until(() -> killed.process().isEmpty());

        assertThat(hosts("one").status()).isEqualTo(new LocalHosts.Status.Stale(killed.pid()));
        hosts("one").ensure();
        assertThat(file().pid()).isNotEqualTo(killed.pid());
    }

    @Test
    void anotherProcessWithThePidOfADeadHostIsNotTakenForIt() throws Exception {
        home.ensure();
        new HostFile(
                        ProcessHandle.current().pid(),
                        Instant.EPOCH,
                        URI.create("http://127.0.0.1:1"),
                        home.tokenFile(),
                        "one")
                .publish(home);

        assertThat(hosts("one").status()).isInstanceOf(LocalHosts.Status.Stale.class);
        assertThat(hosts("one").stop()).isEmpty();
    }

    @Test
    void aHostFileThatCannotBeReadIsAsGoodAsNone() throws Exception {
        home.ensure();
        for (String broken : List.of("", "{", "{\"pid\":\"x\"}", "[]", "{\"pid\":1}")) {
            Files.writeString(home.hostFile(), broken);
            assertThat(hosts("one").status()).isEqualTo(new LocalHosts.Status.Down());
        }
    }

    @Test
    void aHostThatIsKilledWhileItStartsIsStartedAgain() {
        assertThat(hosts("one", "once").ensure().address()).isEqualTo(file().address());
        assertThat(home.path().resolve("killed")).isDirectory();
    }

    @Test
    void aHostThatSomebodyElseStartsIsWaitedFor() throws Exception {
        home.ensure();
        Process serving = FakeHostMain.launch("one").start(home);

        Endpoint found = hosts("one", "another").ensure();

        assertThat(found.address()).isEqualTo(file().address());
        assertThat(file().process().map(ProcessHandle::pid)).contains(serving.pid());
    }

    @Test
    void aClientOfAnotherBuildReplacesTheHost() {
        hosts("one").ensure();
        long old = file().pid();

        hosts("two").ensure();

        assertThat(file().build()).isEqualTo("two");
        assertThat(ProcessHandle.of(old).filter(ProcessHandle::isAlive)).isEmpty();
    }

    @Test
    void stopEndsTheHostAndTakesItsFileAway() {
        hosts("one").ensure();
        HostFile up = file();

        assertThat(hosts("one").stop()).contains(up.pid());
        assertThat(up.process()).isEmpty();
        assertThat(home.hostFile()).doesNotExist();
        assertThat(hosts("one").stop()).isEmpty();
        assertThat(hosts("one").status()).isEqualTo(new LocalHosts.Status.Down());
    }

    @Test
    void whatAHostSaysBeforeItFailsReachesThePerson() {
        assertThatThrownBy(() -> hosts("one", "fail").ensure())
                .isInstanceOf(LocalException.class)
                .hasMessageContaining("The database cannot be opened; look at its log.")
                .hasMessageContaining(home.hostLog().toString());
    }

    @Test
    void anIdleHostEndsByItself() {
        hosts("one", "5000").ensure();
        HostFile up = file();

        await().atMost(Duration.ofSeconds(60)).until(() -> up.process().isEmpty());
        assertThat(home.hostFile()).doesNotExist();
    }

    @Test
    void theStateDirectoryIsTheOneNamedOrInTheUsersHome() throws Exception {
        assertThat(Home.of(Map.of("HANZO_HOME", "/a/b", "HOME", "/c")).path())
                .isEqualTo(Path.of("/a/b"));
        assertThat(Home.of(Map.of("HOME", "/c")).path()).isEqualTo(Path.of("/c/.hanzo"));
        assertThatThrownBy(() -> Home.of(Map.of("HANZO_HOME", "relative")))
                .isInstanceOf(LocalException.class);
        Path file = Files.writeString(temporary.resolve("file"), "");
        assertThatThrownBy(() -> new Home(file).ensure())
                .isInstanceOf(LocalException.class)
                .hasMessageContaining("is not a directory");
        assertThatThrownBy(() -> new Home(file.resolve("below")).ensure())
                .isInstanceOf(LocalException.class);
    }
}
