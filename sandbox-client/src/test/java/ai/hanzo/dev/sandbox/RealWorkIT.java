package ai.hanzo.dev.sandbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ai.hanzo.dev.sandbox.LeaseSpec.Access;
import ai.hanzo.dev.sandbox.LeaseSpec.Mount;
import ai.hanzo.dev.sandbox.LeaseSpec.Places;
import ai.hanzo.dev.sandbox.LeaseSpec.WorkspaceMount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What people do all day works in a cell. A tool that this machine does not have is skipped. */
@Timeout(300)
class RealWorkIT {
    private static final Path JAVA = Path.of(System.getProperty("java.home"));
    private static final Path REPOSITORY =
            Path.of(System.getProperty("user.home"), ".m2", "repository");
    private static final String PLUGIN = "org/apache/maven/plugins/maven-compiler-plugin";

    private Scene scene;
    private Path remote;
    private Cell cell;

    @BeforeEach
    void lease(@TempDir Path root) throws IOException {
        scene = new Scene(root);
        remote = Files.createDirectories(root.toRealPath().resolve("remote"));
        List<Mount> seen = new ArrayList<>(List.of(Mount.at(remote), Mount.at(JAVA)));
        List<Mount> caches =
                Files.isDirectory(REPOSITORY) ? List.of(Mount.at(REPOSITORY)) : List.of();
        Map<String, String> env =
                Map.of(
                        "JAVA_HOME",
                        JAVA.toString(),
                        "GIT_AUTHOR_NAME",
                        "A",
                        "GIT_AUTHOR_EMAIL",
                        "a@b",
                        "GIT_COMMITTER_NAME",
                        "A",
                        "GIT_COMMITTER_EMAIL",
                        "a@b");
        cell =
                scene.cells()
                        .lease(
                                new LeaseSpec(
                                        scene.session,
                                        scene.spec(1).epoch(),
                                        new WorkspaceMount(scene.workspace(), Access.READ_WRITE),
                                        Places.in(scene.places()),
                                        seen,
                                        caches,
                                        env,
                                        CellLimits.DEFAULT,
                                        Level.LANDLOCK,
                                        LeaseSpec.DEFAULT_ORPHAN_GRACE));
    }

    @AfterEach
    void end() {
        scene.close();
    }

    private static void needs(String tool) {
        boolean isThere =
                Stream.of(System.getenv("PATH").split(":", -1))
                        .anyMatch(directory -> Files.isExecutable(Path.of(directory, tool)));
        assumeTrue(isThere, tool + " is not installed");
    }

    private String run(String line) {
        return switch (cell.exec(scene.next(), ExecRequest.shell(line))) {
            case Reply.Done<ExecOutcome>(ExecOutcome outcome) -> {
                assertThat(outcome.exit())
                        .as(
                                "%s: %s%s%s",
                                line,
                                outcome.stdout().head().toUtf8(),
                                outcome.stdout().tail().toUtf8(),
                                outcome.stderr().head().toUtf8())
                        .isZero();
                yield outcome.stdout().head().toUtf8();
            }
            case Reply.Refused<ExecOutcome> refused -> throw new AssertionError(refused);
        };
    }

    private static void outside(Path directory, String line)
            throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder("sh", "-ec", line)
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .start();
        String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
    }

    @Test
    void gitClonesCommitsRebasesPushesAndCollects() throws Exception {
        needs("git");
        outside(
                remote,
                "git init -q -b main . && git config user.name A && git config user.email a@b;"
                        + " for i in 1 2 3; do echo $i > f$i; git add -A; git commit -qm $i; done");
        run("git clone -q --bare '" + remote + "' origin.git && git clone -q origin.git work");
        run(
                "cd work && git checkout -qb side HEAD~1 && echo s > side && git add -A"
                        + " && git commit -qm side && git rebase -q main && git gc -q"
                        + " && git push -q origin side");
        assertThat(run("git -C origin.git log --oneline side | wc -l").strip()).isEqualTo("4");
        assertThat(run("git -C work fsck 2>&1; git -C work status --porcelain")).isBlank();
    }

    @Test
    void gccCompilesAndWhatItMadeRuns() throws IOException {
        needs("gcc");
        scene.write("a.c", "#include <stdio.h>\nint main(void){puts(\"made\");return 0;}\n");
        scene.write("Makefile", "a: a.c\n\tgcc -O2 -pthread -o a a.c\n");
        assertThat(run("(command -v make >/dev/null && make -s || gcc -o a a.c) && ./a"))
                .isEqualTo("made\n");
    }

    @Test
    void npmRunsAScript() throws IOException {
        needs("npm");
        scene.write(
                "package.json",
                "{\"name\":\"a\",\"version\":\"1.0.0\",\"scripts\":{\"test\":\"node t.js\"}}");
        scene.write("t.js", "console.log('cpus ' + (require('os').cpus().length > 0))");
        boolean hasProc = cell.enforced().level() == Level.NAMESPACES;
        assertThat(run("npm run --silent test")).isEqualTo("cpus " + hasProc + "\n");
    }

    @Test
    void mavenBuildsOffline() throws IOException {
        needs("mvn");
        Optional<String> version = pluginVersion();
        assumeTrue(version.isPresent(), "there is no maven-compiler-plugin in " + REPOSITORY);
        Files.createDirectories(scene.workspace().resolve("src/main/java"));
        scene.write("src/main/java/A.java", "class A {}\n");
        scene.write(
                "pom.xml",
                """
                <project><modelVersion>4.0.0</modelVersion><groupId>a</groupId>
                <artifactId>a</artifactId><version>1</version>
                <properties><maven.compiler.release>21</maven.compiler.release>
                <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
                </project>
                """);
        run(
                "mvn -o -q -B -Dmaven.repo.local="
                        + REPOSITORY
                        + " org.apache.maven.plugins:maven-compiler-plugin:"
                        + version.get()
                        + ":compile");
        assertThat(scene.workspace().resolve("target/classes/A.class")).exists();
    }

    private static Optional<String> pluginVersion() throws IOException {
        Path all = REPOSITORY.resolve(PLUGIN);
        if (!Files.isDirectory(all)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(all)) {
            return versions.map(path -> path.getFileName().toString())
                    .filter(v ->
                            Files.exists(
                                    all.resolve(v).resolve("maven-compiler-plugin-" + v + ".jar")))
                    .max(java.util.Comparator.naturalOrder());
        }
    }

    @Test
    void pythonMakesAnEnvironmentAndUsesIt() {
        needs("python3");
        assertThat(
                        run(
                                "/usr/bin/python3 -m venv --without-pip env"
                                        + " && env/bin/python -c 'import sys,json; print(sys.prefix != sys.base_prefix)'"))
                .isEqualTo("True\n");
    }

    @Test
    void aTestServerIsReachedOverLoopback() {
        needs("python3");
        assumeTrue(
                cell.enforced().level() == Level.NAMESPACES,
                "network namespaces are not to be had: there are no sockets in the cell");
        assertThat(
                        run(
                                "echo served > f; /usr/bin/python3 -m http.server 8765 --bind 127.0.0.1 >log 2>&1 &"
                                        + " /usr/bin/python3 -c 'import time,urllib.request as u\n"
                                        + "for i in range(200):\n"
                                        + "    try: print(u.urlopen(\"http://127.0.0.1:8765/f\").read().decode().strip()); break\n"
                                        + "    except OSError: time.sleep(0.05)'"))
                .isEqualTo("served\n");
    }
}
