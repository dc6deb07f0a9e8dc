package ai.hanzo.dev.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The attacks of {@code native/landlock/test/probes.table} in real cells, with the JVM of their
 * host as victim: of root and of an ordinary user, with namespaces and where a machine refuses
 * them. Each is denied, what tools need works, and what the daemon can see of a denial it tells;
 * the host makes a {@code sandbox.*.denied} note of that (DenialsIT).
 */
@Timeout(600)
class CellAttacksIT {
    private static final Path NATIVE = Path.of("..", "native", "landlock", "test");
    private static final int NOBODY = 65_534;

    @TempDir static Path root;

    /** Whether namespaces are there. */
    enum Machine {
        AS_IT_IS,
        WITHOUT_NAMESPACES
    }

    /** Host, owner of the workspace, machine; an ordinary user has only itself. */
    static Stream<Arguments> settings() throws IOException {
        int own = (int) Files.getAttribute(root, "unix:uid");
        if (own != 0) {
            return Stream.of(Machine.values()).map(machine -> Arguments.of(own, own, machine));
        }
        return Stream.of(
                Arguments.of(0, 0, Machine.AS_IT_IS),
                Arguments.of(0, NOBODY, Machine.AS_IT_IS),
                Arguments.of(0, 0, Machine.WITHOUT_NAMESPACES),
                Arguments.of(NOBODY, NOBODY, Machine.AS_IT_IS),
                Arguments.of(NOBODY, NOBODY, Machine.WITHOUT_NAMESPACES));
    }

    @ParameterizedTest(name = "host of uid {0}, workspace of {1}, machine {2}")
    @MethodSource("settings")
    void everyAttackIsDeniedAndTold(int host, int owner, Machine machine) throws Exception {
        boolean isRoot = (int) Files.getAttribute(root, "unix:uid") == 0;
        Path place = place(host + "-" + owner + "-" + machine.name().charAt(0));
        List<String> asUser =
                isRoot && host != 0
                        ? List.of("setpriv", "--reuid=" + host, "--regid=" + host, "--clear-groups")
                        : List.of();
        if (isRoot) {
            own(host == 0 ? place.resolve("w") : place, owner);
        }
        Process supervisor = machine == Machine.AS_IT_IS ? null : supervisor(asUser, place);
        try {
            List<String> said = attacked(asUser, place);
            assertThat(said).hasSize(1);
            assertThat(said.getFirst())
                    .matches(
                            "level (NAMESPACES|LANDLOCK), uid "
                                    + owner
                                    + ", [0-9]{2,3} attacks, true");
            if (machine == Machine.WITHOUT_NAMESPACES) {
                assertThat(said.getFirst()).startsWith("level LANDLOCK");
            }
            assertThat(place.resolve("outside/secret")).hasContent(AttackMain.CANARY);
        } finally {
            if (supervisor != null) {
                supervisor.destroy();
                supervisor.waitFor();
            }
        }
    }

    private static Path place(String name) throws Exception {
        open(root, "rwxr-xr-x");
        Path place = open(Files.createDirectory(root.resolve(name)), "rwxr-xr-x");
        Path outside = open(Files.createDirectory(place.resolve("outside")), "rwxrwxrwx");
        for (String file : List.of("secret", "own", "own2")) {
            open(Files.writeString(outside.resolve(file), AttackMain.CANARY), "rw-rw-rw-");
        }
        Files.createSymbolicLink(outside.resolve("link"), Path.of("secret"));
        Files.writeString(place.resolve("secret"), AttackMain.CANARY);
        Files.copy(NATIVE.resolve("probes.table"), place.resolve("probes.table"));
        Files.createDirectory(place.resolve("w"));
        Files.createDirectory(place.resolve("t"));
        compile(place.resolve("w/probe"), "probe.c");
        return place;
    }

    /** One that the host finds running, in place of one that it would start. */
    private static Process supervisor(List<String> asUser, Path place) throws Exception {
        Path program = place.resolve("cell");
        try (InputStream in = CellBinary.class.getResourceAsStream("cell")) {
            Files.copy(java.util.Objects.requireNonNull(in), program);
        }
        open(program, "rwxr-xr-x");
        compile(place.resolve("plain"), "plain.c", "wrap.c");
        List<String> command = new ArrayList<>(asUser);
        command.addAll(List.of(place.resolve("plain").toString(), program.toString()));
        command.addAll(List.of("supervise", "--dir", place.resolve("s").toString()));
        Process supervisor = new ProcessBuilder(command).inheritIO().start();
        Path socket = place.resolve("s/supervisor.sock");
        org.awaitility.Awaitility.await().until(() -> Files.exists(socket));
        return supervisor;
    }

    private static List<String> attacked(List<String> asUser, Path place) throws Exception {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        List<String> command = new ArrayList<>(asUser);
        command.addAll(
                List.of(
                        java.toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-XX:TieredStopAtLevel=1",
                        "-Djava.io.tmpdir=" + place.resolve("t"),
                        "-cp",
                        classPath(),
                        AttackMain.class.getName(),
                        place.toString()));
        Process host =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String said = new String(host.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(host.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return said.lines()
                .filter(line -> line.startsWith("#") || line.startsWith("level"))
                .toList();
    }

    /** Where any user can read it; a home of root's is closed to others. */
    private static String classPath() throws Exception {
        Path to = root.resolve("classes");
        List<String> entries = new ArrayList<>();
        boolean isThere = Files.exists(to);
        Files.createDirectories(to);
        int number = 0;
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path from = Path.of(entry);
            Path copy = to.resolve(++number + "-" + from.getFileName());
            if (!entry.isEmpty() && Files.exists(from)) {
                entries.add(copy.toString());
                if (!isThere) {
                    run("cp", "-rL", entry, copy.toString());
                }
            }
        }
        run("chmod", "-R", "a+rX", to.toString());
        return String.join(File.pathSeparator, entries);
    }

    private static void compile(Path to, String... sources) throws Exception {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "gcc",
                                "-std=c11",
                                "-D_GNU_SOURCE",
                                "-static",
                                "-o",
                                to.toString()));
        Stream.of(sources).map(name -> NATIVE.resolve(name).toString()).forEach(command::add);
        run(command.toArray(String[]::new));
    }

    private static void run(String... command) throws Exception {
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }

    private static Path open(Path path, String mode) throws IOException {
        return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    private static void own(Path tree, int uid) throws Exception {
        run("chown", "-Rh", uid + ":" + uid, tree.toString());
    }
}
