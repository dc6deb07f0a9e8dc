package ai.hanzo.dev.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ai.hanzo.dev.host.local.Home;
import ai.hanzo.dev.host.local.HostFile;
import ai.hanzo.dev.ledger.pg.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What can be wrong with a machine or a command line, told by the real program in a process of its
 * own: one sentence with the next step, an exit code that is not 0, and nothing lost.
 */
@Timeout(300)
class BadInputIT {
    private static final Path TOP = Path.of("..").toAbsolutePath().normalize();

    @TempDir private static Path root = Path.of("/");
    private static Path home = Path.of("/");

    /** How a command ended. */
    record Ran(int exit, String out, String err) {
        /** The one sentence: the last line that is not about progress. */
        String sentence() {
            List<String> lines =
                    err.lines()
                            .filter(line -> !line.equals("hanzo: starting the local host"))
                            .toList();
            assertThat(lines).as("%s", this).hasSize(1);
            assertThat(lines.getFirst()).startsWith("hanzo: ");
            return lines.getFirst().substring("hanzo: ".length());
        }
    }

    @BeforeAll
    static void prepare() throws IOException {
        QuickStart.prepare();
        home = root.resolve("home");
        Path work = Files.createDirectory(root.resolve("work"));
        Files.writeString(work.resolve("broken.json"), "[{\"text\": \"hi\"}");
        Files.writeString(work.resolve("odd.json"), "[{\"txt\": \"hi\"}]");
        Files.writeString(work.resolve("ok.json"), "[{\"text\": \"hello\"}]");
    }

    @AfterAll
    static void end() throws IOException {
        assertThat(dev("host", "stop").exit()).isZero();
        new EmbeddedPostgres(home.resolve("pg")).stop();
        if (Files.exists(root.resolve("bin"))) {
            // Links that lead outside are not left to the cleaner.
            try (Stream<Path> links = Files.list(root.resolve("bin"))) {
                for (Path link : links.toList()) {
                    Files.delete(link);
                }
            }
        }
    }

    private static List<String> hanzo(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
        command.addAll(QuickStart.options());
        command.addAll(
                List.of(
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Dhanzo.build=bad-input",
                        "-cp",
                        QuickStart.classPath(),
                        Main.class.getName(),
                        "dev"));
        command.addAll(List.of(arguments));
        return command;
    }

    private static Ran dev(String... arguments) throws IOException {
        return run(Map.of("HANZO_HOME", home.toString()), hanzo(arguments));
    }

    private static Ran run(Map<String, String> environment, List<String> command)
            throws IOException {
        Path out = Files.createTempFile(root, "out", "");
        Path err = Files.createTempFile(root, "err", "");
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.directory(root.resolve("work").toFile());
        builder.environment().keySet().removeIf(name -> name.endsWith("_API_KEY"));
        builder.environment().put("OLLAMA_HOST", "http://127.0.0.1:1");
        builder.environment().putAll(environment);
        builder.redirectInput(Path.of("/dev/null").toFile());
        Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        try {
            if (!process.waitFor(150, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(command + " does not end: " + Files.readString(err));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
        return new Ran(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    static Stream<Arguments> commandLines() {
        return Stream.of(
                wrong(
                        "a script file that is cut off",
                        "script:broken.json",
                        1,
                        "The model script is broken at line 1",
                        "[script_invalid]"),
                wrong(
                        "a script file with an unknown key",
                        "script:odd.json",
                        1,
                        "txt",
                        "[script_invalid]"),
                wrong(
                        "a script file that is not there",
                        "script:none.json",
                        2,
                        "The script none.json cannot be read",
                        "Check the name"),
                wrong(
                        "an unknown provider",
                        "acme:best",
                        1,
                        "There is no provider 'acme'",
                        "write openai:NAME, anthropic:NAME, ollama:NAME or script:FILE"),
                wrong(
                        "a missing key",
                        "openai:gpt-5",
                        1,
                        "The key for openai:gpt-5 is missing",
                        "set OPENAI_API_KEY"),
                wrong(
                        "another missing key",
                        "anthropic:claude",
                        1,
                        "The key for anthropic:claude is missing",
                        "set ANTHROPIC_API_KEY"),
                wrong("no model at all", "", 1, "There is no model to ask", "--model"));
    }

    private static Arguments wrong(String what, String model, int exit, String why, String next) {
        return Arguments.of(what, model, exit, why, next);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("commandLines")
    void aModelThatCannotBeAsked(String what, String model, int exit, String why, String next)
            throws IOException {
        Ran ran =
                model.isEmpty()
                        ? dev("exec", "Say hello.")
                        : dev("--model", model, "exec", "Say hello.");

        assertThat(ran.exit()).as("%s: %s", what, ran).isEqualTo(exit);
        assertThat(ran.sentence()).contains(why, next);
        assertThat(ran.out()).isEmpty();
        if (HostFile.read(new Home(home)).isEmpty()) {
            assertThat(dev("host", "start").exit()).isZero();
        }
        var sessions = Requests.send(home, "GET", "/v1/dev", "");
        assertThat(sessions.statusCode()).as(sessions.body()).isEqualTo(200);
        assertThat(sessions.body()).as("no session was begun").doesNotContain("ses_");
    }

    @Test
    void aPortInUse() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(dev("host", "stop").exit()).isZero();
            Ran ran = dev("serve", "--port", Integer.toString(taken.getLocalPort()));

            assertThat(ran.exit()).isEqualTo(1);
            assertThat(ran.sentence())
                    .contains("Port " + taken.getLocalPort() + " of 127.0.0.1 is in use.")
                    .contains("Choose another with --port");
        }
    }

    @Test
    void aSecondHostInOneStateDirectory() throws IOException {
        assertThat(dev("host", "start").exit()).isZero();
        Ran ran = dev("serve");

        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.sentence())
                .contains("A host already works in " + home, "hanzo dev host stop");
    }

    @Test
    void aStateDirectoryThatIsAFile() throws IOException {
        Path file = Files.createTempFile(root, "file", "");
        Ran ran = run(Map.of("HANZO_HOME", file.toString()), hanzo("ls"));

        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.sentence()).contains(file + " cannot be used", "is not a directory");
    }

    @Test
    void aDamagedDatabaseIsNamedAndNothingOfItIsTouched() throws IOException {
        assertThat(dev("ls").exit()).isZero();
        assertThat(dev("host", "stop").exit()).isZero();
        new EmbeddedPostgres(home.resolve("pg")).stop();
        Path control = home.resolve("pg/data/global/pg_control");
        byte[] good = Files.readAllBytes(control);
        Files.write(control, new byte[0]);

        Ran ran = dev("ls");

        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.sentence())
                .contains("PostgreSQL cannot read " + home.resolve("pg/data"))
                .contains("Restore it from a backup, or move it away.");
        Files.write(control, good);
        assertThat(dev("ls").exit()).as("what was repaired is used again").isZero();
    }

    @Test
    void aDatabaseThatDoesNotAnswer() throws IOException {
        Path other = root.resolve("other");
        Ran ran =
                run(
                        Map.of("HANZO_HOME", other.toString()),
                        hanzo("serve", "--db", "postgresql://127.0.0.1:1/nothing"));

        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.sentence())
                .contains("postgresql://127.0.0.1:1/nothing does not answer", "check --db");
    }

    @Test
    void anInvalidRequestIsAProblemDocument() throws Exception {
        Ran start = dev("host", "start");
        assertThat(start.exit()).as("%s", start).isZero();
        String address = start.out().replaceAll("(?s).*(http://[0-9.:]+).*", "$1");
        String token = Files.readString(home.resolve("token")).strip();
        try (HttpClient client = HttpClient.newHttpClient()) {
            for (String body : List.of("{", "{\"prompt\": 7}", "{\"promt\": \"typo\"}")) {
                HttpResponse<String> response =
                        client.send(
                                HttpRequest.newBuilder(URI.create(address + "/v1/dev"))
                                        .header("Authorization", "Bearer " + token)
                                        .header("Content-Type", "application/json")
                                        .POST(HttpRequest.BodyPublishers.ofString(body))
                                        .build(),
                                HttpResponse.BodyHandlers.ofString());
                assertThat(response.statusCode()).as(body).isBetween(400, 422);
                assertThat(response.headers().firstValue("content-type").orElse(""))
                        .startsWith("application/problem+json");
                assertThat(response.body())
                        .contains("\"type\"", "\"title\"", "\"status\"", "\"detail\"", "\"code\"")
                        .doesNotContain("Exception");
            }
        }
    }

    /** A kernel without Landlock is played by a filter that answers ENOSYS. */
    @Test
    void aKernelWithoutLandlock() throws IOException {
        Path source = root.resolve("no-landlock.c");
        Path filter = root.resolve("no-landlock");
        Files.writeString(
                source,
                """
                #include <errno.h>
                #include <linux/filter.h>
                #include <linux/seccomp.h>
                #include <stddef.h>
                #include <sys/prctl.h>
                #include <unistd.h>
                int main(int argc, char **argv) {
                    struct sock_filter f[] = {
                        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 444, 0, 1),
                        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
                        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
                    struct sock_fprog p = {4, f};
                    if (argc < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return 99;
                    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p)) return 99;
                    execvp(argv[1], argv + 1);
                    return 98;
                }
                """);
        assertThat(run(Map.of(), List.of("gcc", "-o", filter.toString(), source.toString())))
                .isEqualTo(new Ran(0, "", ""));
        Map<String, String> elsewhere = Map.of("HANZO_HOME", root.resolve("weak").toString());
        List<String> doctor = new ArrayList<>(List.of(filter.toString()));
        doctor.addAll(hanzo("doctor"));
        List<String> turn = new ArrayList<>(List.of(filter.toString()));
        turn.addAll(hanzo("--model", "script:ok.json", "exec", "Say hello."));
        try {
            Ran told = run(elsewhere, doctor);
            assertThat(told.exit()).isEqualTo(1);
            assertThat(told.out()).contains("NO   Landlock: ", "Boot a kernel 5.19 or later");

            Ran ran = run(elsewhere, turn);
            assertThat(ran.exit()).isEqualTo(1);
            assertThat(ran.sentence())
                    .contains("cannot confine a cell", "landlock")
                    .contains("Run hanzo dev doctor to see what is missing.");
        } finally {
            assertThat(run(elsewhere, hanzo("host", "stop")).exit()).isZero();
            new EmbeddedPostgres(root.resolve("weak/pg")).stop();
        }
    }

    /** Runs a script in a mount and pid namespace of its own: all in it ends with it. */
    private static Ran apart(Map<String, String> environment, String script) throws IOException {
        List<String> unshare =
                new ArrayList<>(List.of("unshare", "--mount", "--pid", "--fork", "--kill-child"));
        unshare.add("--mount-proc");
        if (!Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))) {
            unshare.addAll(List.of("--user", "--map-root-user"));
        }
        List<String> probe = new ArrayList<>(unshare);
        probe.addAll(List.of("mount", "-t", "tmpfs", "none", "/mnt"));
        assumeTrue(
                run(Map.of(), probe).exit() == 0,
                "missing kernel feature: mount namespaces for this user");
        unshare.addAll(List.of("sh", "-c", script));
        return run(environment, unshare);
    }

    private static String quoted(List<String> words) {
        return String.join(" ", words.stream().map(word -> "'" + word + "'").toList());
    }

    @Test
    void aDiskThatIsFullAtTheFirstStart() throws IOException {
        Path small = Files.createDirectory(root.resolve("small"));
        Ran ran =
                apart(
                        Map.of("HANZO_HOME", small.toString()),
                        "mount -t tmpfs -o size=20m,mode=700 none "
                                + small
                                + " && exec "
                                + quoted(hanzo("ls")));

        assertThat(ran.exit()).as("%s", ran).isEqualTo(1);
        assertThat(ran.sentence()).contains("full").containsPattern("make room|free some space");
    }

    @Test
    void aDiskThatFillsUpLosesNothing() throws IOException {
        Path small = Files.createDirectory(root.resolve("filling"));
        String turn = quoted(hanzo("--model", "script:ok.json", "exec", "Say hello."));
        Ran ran =
                apart(
                        Map.of("HANZO_HOME", small.toString()),
                        String.join(
                                "\n",
                                "mount -t tmpfs -o size=300m,mode=700 none "
                                        + small
                                        + " || exit 90",
                                turn + " >/dev/null || exit 91",
                                "dd if=/dev/zero of=" + small + "/filler bs=4k 2>/dev/null",
                                turn + " && exit 92",
                                "rm " + small + "/filler",
                                turn + " >/dev/null || exit 93",
                                quoted(hanzo("ls"))));

        assertThat(ran.exit()).as("%s", ran).isZero();
        assertThat(ran.sentence()).contains("full; free some space", "Nothing was lost.");
        assertThat(ran.out().lines().filter(line -> line.startsWith("ses_")).count())
                .as("both turns that went through are there")
                .isEqualTo(2);
    }

    private static Map<String, String> bare() throws IOException {
        Path bin = root.resolve("bin");
        if (!Files.exists(bin)) {
            Files.createDirectory(bin);
            for (String tool :
                    List.of("sh", "sed", "readlink", "dirname", "find", "head", "mkdir", "env")) {
                Path real =
                        Stream.of("/usr/bin", "/bin")
                                .map(directory -> Path.of(directory, tool))
                                .filter(Files::isExecutable)
                                .findFirst()
                                .orElseThrow();
                Files.createSymbolicLink(bin.resolve(tool), real);
            }
        }
        return Map.of("PATH", bin.toString(), "HOME", root.toString(), "HANZO_JAVA_HOME", "");
    }

    @Test
    void noJdk() throws IOException {
        String bare =
                "env -i PATH=" + bare().get("PATH") + " HOME=" + root + " sh " + TOP.resolve("%s");
        for (String script : List.of("hanzo dev ls", "mvnw -v")) {
            Ran ran =
                    apart(
                            Map.of(),
                            "for d in /usr/lib/jvm /opt; do [ -d $d ] && mount -t tmpfs none $d;"
                                    + " done; "
                                    + bare.formatted(script));

            assertThat(ran.exit()).as("%s", ran).isNotZero();
            assertThat(ran.err())
                    .startsWith("hanzo: needs a JDK 25 or later, and found none.\nInstall one")
                    .contains("Looked in HANZO_JAVA_HOME, JAVA_HOME, /usr/lib/jvm");
            assertThat(ran.err().lines()).hasSize(3);
        }
    }

    @Test
    void noGcc() throws IOException {
        Path copy = root.resolve("copy");
        Files.createDirectories(copy.resolve(".mvn"));
        Files.copy(TOP.resolve("hanzo"), copy.resolve("hanzo"));
        Files.copy(TOP.resolve(".mvn/find-jdk.sh"), copy.resolve(".mvn/find-jdk.sh"));
        Ran ran =
                run(
                        Map.of(),
                        List.of(
                                "env",
                                "-i",
                                "PATH=" + bare().get("PATH"),
                                "HOME=" + root,
                                "HANZO_JAVA_HOME=" + System.getProperty("java.home"),
                                "sh",
                                copy.resolve("hanzo").toString(),
                                "dev",
                                "ls"));

        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.sentence())
                .isEqualTo(
                        "needs gcc to build the cell in which commands run, and found none on PATH."
                                + " Install it (Debian and Ubuntu: apt-get install gcc).");
    }
}
