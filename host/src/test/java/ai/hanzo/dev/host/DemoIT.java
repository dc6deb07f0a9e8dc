package ai.hanzo.dev.host;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.Hanzo.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code hanzo dev demo}, which is the first that a new user runs. */
class DemoIT {
    @TempDir Path root;

    @Test
    void theDemoMendsItsProject() throws IOException {
        try (TestHost host = new TestHost(root.resolve("home"))) {
            Ran ran = host.in(Projects.make(root)).run("demo");
            assertThat(ran.exit()).as(ran.err() + ran.out()).isZero();
            assertThat(ran.out())
                    .contains("exit 1", "exit 0", "git commit", "turn 1 complete", "+    sed -e");
            String first = ran.out().lines().findFirst().orElseThrow();
            Path project = Path.of(first.substring(first.indexOf('/')));
            assertThat(project.resolve(".git/refs/heads/main")).exists();
            try (Stream<Path> logs = Files.walk(project.resolve(".git/logs"))) {
                assertThat(logs.map(Path::toString)).anyMatch(log -> log.endsWith("/main"));
            }
            Databases.deleteTree(project);
        }
    }

    /**
     * The same as an ordinary user with a home of their own: the embedded PostgreSQL, the
     * supervisor, the cells and the host that the command starts.
     */
    @Test
    void theDemoRunsAsAnOrdinaryUser() throws IOException, InterruptedException {
        boolean isRoot = System.getProperty("user.name").equals("root");
        Path place = isRoot ? Files.createTempDirectory(Path.of("/tmp"), "hanzo-user-") : root;
        List<String> before = List.of();
        String classPath = System.getProperty("java.class.path");
        if (isRoot) {
            before = List.of("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups");
            classPath = copy(classPath, place.resolve("lib"));
            run("chmod", "755", place.toString());
        }
        Path directory = Files.createDirectories(place.resolve("u/p"));
        Path home = place.resolve("u/.hanzo");
        if (isRoot) {
            run("chown", "-R", "65534:65534", place.resolve("u").toString());
        }
        try {
            try (ForkedHanzo demo = ForkedHanzo.start(before, classPath, home, directory, "demo")) {
                assertThat(demo.exit()).as(demo.output()).isZero();
            }
            assertThat(Files.getOwner(home.resolve("host.json")))
                    .isEqualTo(Files.getOwner(directory));
            try (ForkedHanzo list = ForkedHanzo.start(before, classPath, home, directory, "ls")) {
                assertThat(list.exit()).isZero();
                assertThat(list.output()).contains("idle", "hanzo-demo-");
            }
        } finally {
            try (ForkedHanzo end =
                    ForkedHanzo.start(
                            before, classPath, home, directory, "host", "stop", "--all")) {
                assertThat(end.exit()).as(end.output()).isZero();
                assertThat(end.output()).contains("its cells and its database have ended");
            }
            assertThat(processesOf(place)).as("what goes on").isEmpty();
            if (isRoot) {
                Databases.deleteTree(place);
            }
        }
    }

    private static List<String> processesOf(Path place) {
        return ProcessHandle.allProcesses()
                .map(process -> process.info().commandLine().orElse(""))
                .filter(line -> line.contains(place.toString()))
                .toList();
    }

    /** A class path that everybody may read. */
    private static String copy(String classPath, Path to) throws IOException, InterruptedException {
        Files.createDirectories(to);
        StringBuilder copied = new StringBuilder();
        int number = 0;
        for (String entry : classPath.split(":", -1)) {
            if (entry.isEmpty() || !Files.exists(Path.of(entry))) {
                continue;
            }
            Path target = to.resolve(number++ + "-" + Path.of(entry).getFileName());
            run("cp", "-rL", entry, target.toString());
            copied.append(copied.isEmpty() ? "" : ":").append(target);
        }
        run("chmod", "-R", "a+rX", to.toString());
        return copied.toString();
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(String.join(" ", command)).isZero();
    }
}
