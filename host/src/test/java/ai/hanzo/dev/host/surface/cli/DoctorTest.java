package ai.hanzo.dev.host.surface.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.surface.rest.Served;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each requirement of the doctor, met and not met; its exit code hangs on the required ones. */
final class DoctorTest {
    private final Served served = new Served();
    private final CliRun cli = new CliRun(served);
    @TempDir private Path directory = Path.of("/");

    @BeforeEach
    void aMachineWithTools() throws IOException {
        Path bin = Files.createDirectory(directory.resolve("bin"));
        for (String tool : List.of("gcc", "make", "git")) {
            assertThat(Files.createFile(bin.resolve(tool)).toFile().setExecutable(true)).isTrue();
        }
        cli.env("PATH", bin.toString())
                .env("HOME", directory.toString())
                .env("HANZO_HOME", directory.resolve("state").toString());
    }

    @AfterEach
    void close() {
        served.close();
    }

    @Test
    void aMachineWithEverythingIsFine() {
        cli.env("OPENAI_API_KEY", "k3y");

        assertThat(cli.run("doctor")).as(cli.out()).isZero();
        assertThat(cli.out())
                .contains(
                        "yes  JDK 25:",
                        "yes  gcc: " + directory.resolve("bin/gcc"),
                        "yes  Landlock: ABI 7",
                        "yes  user namespaces:",
                        "yes  seccomp:",
                        "cgroups:",
                        "yes  sandbox: namespaces",
                        "yes  wasm core:",
                        "yes  state directory:",
                        "MiB free",
                        "yes  PostgreSQL: 17, runs",
                        "yes  port: 127.0.0.1:",
                        "yes  model provider: OPENAI_API_KEY")
                .doesNotContain("NO  ", "k3y");
        assertThat(directory.resolve("state")).as("nothing is changed").doesNotExist();
    }

    @Test
    void aMissingToolIsNamedWithItsPackage() throws IOException {
        Files.delete(directory.resolve("bin/gcc"));

        assertThat(cli.run("doctor")).isEqualTo(1);
        assertThat(cli.out()).contains("NO   gcc: not on PATH\n       apt-get install gcc\n");
    }

    @Test
    void aMissingOptionalThingFailsNothing() throws IOException {
        Files.delete(directory.resolve("bin/git"));

        assertThat(cli.run("doctor")).isZero();
        assertThat(cli.out())
                .contains("no   git: not on PATH", "no   model provider: no variable is set");
    }

    @Test
    void aKernelWithoutLandlockIsNamedWithTheFix() {
        cli.confinement(
                new Confinement(
                        "none", 0, List.of(), List.of("landlock: this kernel has none (ENOSYS)")));

        assertThat(cli.run("doctor")).isEqualTo(1);
        assertThat(cli.out())
                .contains(
                        "NO   Landlock: landlock: this kernel has none (ENOSYS)\n"
                                + "       Boot a kernel 5.19 or later",
                        "NO   sandbox: commands cannot be confined: landlock: this kernel has none");
    }

    @Test
    void withoutUserNamespacesTheSandboxIsWeakerAndTheFixIsTold() {
        cli.confinement(
                new Confinement(
                        "landlock",
                        7,
                        List.of("seccomp", "landlock-7"),
                        List.of("user namespaces: Operation not permitted")));

        assertThat(cli.run("doctor")).isZero();
        assertThat(cli.out())
                .contains(
                        "no   user namespaces: user namespaces: Operation not permitted\n       ",
                        "yes  sandbox: landlock; without [user namespaces");
    }

    @Test
    void aDatabaseThatDoesNotAnswerIsASentence() {
        assertThat(cli.run("doctor", "--db", "postgresql://nowhere/x")).isEqualTo(1);
        assertThat(cli.out())
                .contains(
                        """
                        NO   database: cannot be used
                               No database at postgresql://nowhere/x
                        """);
    }

    @Test
    void aPortInUseIsNamed() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());

            assertThat(cli.run("doctor", "--port", port)).isEqualTo(1);
            assertThat(cli.out())
                    .contains("NO   port " + port + ": cannot be had on 127.0.0.1", "ss -ltnp");
        }
        assertThat(cli.run("doctor", "--port", "70000")).isEqualTo(2);
    }

    @Test
    void aStateDirectoryThatIsAFileIsNamed() throws IOException {
        Files.createFile(directory.resolve("state"));

        assertThat(cli.run("doctor")).isEqualTo(1);
        assertThat(cli.out()).contains("NO   state directory:", "is not a directory", "HANZO_HOME");
    }
}
