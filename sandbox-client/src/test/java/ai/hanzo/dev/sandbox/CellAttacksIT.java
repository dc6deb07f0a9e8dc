package ai.hanzo.dev.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The attacks of {@code native/landlock/test/probes.table}, each as a command in a real cell with
 * this JVM as its victim, in workspaces of root and of an ordinary user: each is denied, what tools
 * need works, and what the daemon can see of a denial it tells.
 */
@Timeout(600)
class CellAttacksIT {
    private static final String CANARY = "canary-1f2e3d";
    private static final Path NATIVE = Path.of("..", "native", "landlock", "test");
    private static final int NOBODY = 65_534;
    private static final CellLimits LIMITS = new CellLimits(0, 64 << 20, 64 << 20, 0, 300, 0);

    @TempDir static Path root;

    /** An attack, or what looks like one and must work. */
    private record Probe(
            String number, boolean isAllowed, boolean wantsNamespaces, String told, String line) {

        static Probe of(String row, Level level) {
            String[] cells = row.split("\t", 4);
            boolean isSeen = level == Level.NAMESPACES || !cells[2].endsWith("*");
            return new Probe(
                    cells[0],
                    cells[1].startsWith("yes"),
                    cells[1].endsWith("-ns"),
                    isSeen ? cells[2].replace("*", "") : "-",
                    cells[3]);
        }
    }

    static Stream<Integer> owners() throws IOException {
        int own = (int) Files.getAttribute(root, "unix:uid");
        return own == 0 ? Stream.of(0, NOBODY) : Stream.of(own);
    }

    @ParameterizedTest(name = "in a workspace of uid {0}")
    @MethodSource("owners")
    void everyAttackIsDeniedAndTold(int owner) throws Exception {
        Path place = Files.createDirectory(root.resolve("uid" + owner));
        open(root, "rwxr-xr-x");
        open(place, "rwxr-xr-x");
        Path outside = open(Files.createDirectory(place.resolve("outside")), "rwxrwxrwx");
        for (String name : List.of("secret", "own", "own2")) {
            open(Files.writeString(outside.resolve(name), CANARY), "rw-rw-rw-");
        }
        Files.createSymbolicLink(outside.resolve("link"), Path.of("secret"));
        List<String> faults = new ArrayList<>();
        try (Scene scene = new Scene(place);
                ServerSocket tcp = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                ServerSocketChannel unix =
                        ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                                .bind(UnixDomainSocketAddress.of(outside.resolve("sock")))) {
            assertThat(unix.isOpen()).isTrue();
            Files.writeString(place.resolve("secret"), CANARY);
            compileProbe(scene.workspace().resolve("probe"));
            if (owner == NOBODY) {
                own(scene.workspace(), owner);
            }
            Cell cell = scene.cells().lease(scene.spec(LIMITS));
            Map<String, String> env =
                    Map.of(
                            "HOST",
                            Long.toString(ProcessHandle.current().pid()),
                            "OUT",
                            outside.toString(),
                            "PORT",
                            Integer.toString(tcp.getLocalPort()));
            for (Probe probe : probes(cell.enforced().level())) {
                fault(probe, run(scene, cell, probe, env)).ifPresent(faults::add);
            }
            assertThat(faults).isEmpty();
            assertThat(outside.resolve("secret")).hasContent(CANARY);
            assertThat(run(cell, scene, "id -u").stdout().head().toUtf8().strip())
                    .isEqualTo(Integer.toString(owner));
        }
    }

    private static List<Probe> probes(Level level) throws IOException {
        List<Probe> all =
                Files.readAllLines(NATIVE.resolve("probes.table")).stream()
                        .filter(row -> !row.startsWith("#"))
                        .map(row -> Probe.of(row, level))
                        .filter(probe -> !probe.wantsNamespaces() || level == Level.NAMESPACES)
                        .toList();
        assertThat(all).hasSizeGreaterThan(90);
        return all;
    }

    private static ExecOutcome run(Scene scene, Cell cell, Probe probe, Map<String, String> env) {
        ExecRequest request =
                ExecRequest.shell(probe.line()).withEnv(env).withTimeout(Duration.ofSeconds(60));
        return done(cell, scene, request);
    }

    private static ExecOutcome run(Cell cell, Scene scene, String line) {
        return done(cell, scene, ExecRequest.shell(line));
    }

    private static ExecOutcome done(Cell cell, Scene scene, ExecRequest request) {
        return Answers.done(cell.exec(scene.next(), request));
    }

    private static java.util.Optional<String> fault(Probe probe, ExecOutcome outcome) {
        String printed = outcome.stdout().head().toUtf8() + outcome.stderr().head().toUtf8();
        boolean isTold =
                probe.told().equals("-")
                        || outcome.denied().stream()
                                .anyMatch(call -> call.name().equals(probe.told()));
        boolean isFine =
                outcome.succeeded() == probe.isAllowed() && !printed.contains(CANARY) && isTold;
        return isFine
                ? java.util.Optional.empty()
                : java.util.Optional.of(
                        "#%s %s: exit %d, told %s: %s"
                                .formatted(
                                        probe.number(),
                                        probe.line(),
                                        outcome.exit(),
                                        outcome.denied(),
                                        printed));
    }

    private static void compileProbe(Path to) throws IOException, InterruptedException {
        Process gcc =
                new ProcessBuilder(
                                "gcc",
                                "-std=c11",
                                "-D_GNU_SOURCE",
                                "-static",
                                "-o",
                                to.toString(),
                                NATIVE.resolve("probe.c").toString())
                        .inheritIO()
                        .start();
        assertThat(gcc.waitFor()).isZero();
    }

    private static Path open(Path path, String mode) throws IOException {
        return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    private static void own(Path tree, int uid) throws IOException {
        try (Stream<Path> all = Files.walk(tree)) {
            for (Path path : all.toList()) {
                Files.setAttribute(path, "unix:uid", uid);
                Files.setAttribute(path, "unix:gid", uid);
            }
        }
    }
}
