package ai.hanzo.dev.sandbox;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * A host in a JVM of its own that is the victim of every attack of {@code probes.table}: runs each
 * as a command in a cell and prints those that did not end as they must, then the level of the
 * cell, the user of its commands, and how many there were.
 *
 * <p>Argument: a directory with {@code probes.table}, {@code outside/} and {@code w/}, the
 * workspace, which holds the program {@code probe}.
 */
final class AttackMain {
    static final String CANARY = "canary-1f2e3d";

    private static final CellLimits LIMITS = new CellLimits(0, 64 << 20, 64 << 20, 0, 300, 0);

    private final Scene scene;
    private final Cell cell;

    private AttackMain(Scene scene) {
        this.scene = scene;
        this.cell = scene.cells().lease(scene.spec(LIMITS));
    }

    /** An attack, or what looks like one and must work. */
    private record Probe(
            String number, boolean isAllowed, boolean isTried, String told, String line) {

        static Probe of(String row, Level level, String uid) {
            String[] cells = row.split("\t", 4);
            boolean isWhole = level == Level.NAMESPACES;
            boolean isSeen = isWhole || !cells[2].endsWith("*");
            boolean isOfRoot = cells[1].endsWith("-user") && uid.equals("0");
            boolean isTried = isWhole || (!cells[1].endsWith("-ns") && !isOfRoot);
            return new Probe(
                    cells[0],
                    cells[1].startsWith("yes"),
                    isTried,
                    isSeen ? cells[2].replace("*", "") : "-",
                    cells[3]);
        }
    }

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws IOException {
        Path place = Path.of(arguments[0]).toRealPath();
        Path outside = place.resolve("outside");
        try (Scene scene = new Scene(place);
                ServerSocket tcp = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                ServerSocketChannel unix =
                        ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                                .bind(UnixDomainSocketAddress.of(outside.resolve("sock")))) {
            AttackMain attacks = new AttackMain(scene);
            Level level = attacks.cell.enforced().level();
            String uid = attacks.run(ExecRequest.shell("id -u")).stdout().head().toUtf8().strip();
            Map<String, String> env =
                    Map.of(
                            "HOST",
                            Long.toString(ProcessHandle.current().pid()),
                            "OUT",
                            outside.toString(),
                            "PORT",
                            Integer.toString(tcp.getLocalPort()));
            int count = 0;
            for (String row : Files.readAllLines(place.resolve("probes.table"))) {
                if (row.startsWith("#")) {
                    continue;
                }
                Probe probe = Probe.of(row, level, uid);
                if (probe.isTried()) {
                    attacks.attempt(probe, env);
                    count++;
                }
            }
            System.out.println(
                    "level %s, uid %s, %d attacks, %s".formatted(level, uid, count, unix.isOpen()));
        }
    }

    private ExecOutcome run(ExecRequest request) {
        return Answers.done(cell.exec(scene.next(), request.withTimeout(Duration.ofSeconds(60))));
    }

    @SuppressWarnings("SystemOut")
    private void attempt(Probe probe, Map<String, String> env) {
        ExecOutcome outcome = run(ExecRequest.shell(probe.line()).withEnv(env));
        String printed = outcome.stdout().head().toUtf8() + outcome.stderr().head().toUtf8();
        boolean isTold =
                probe.told().equals("-")
                        || outcome.denied().stream()
                                .anyMatch(call -> call.name().equals(probe.told()));
        if (outcome.succeeded() != probe.isAllowed() || printed.contains(CANARY) || !isTold) {
            System.out.println(
                    "#%s %s: exit %d, told %s: %s"
                            .formatted(
                                    probe.number(),
                                    probe.line(),
                                    outcome.exit(),
                                    outcome.denied(),
                                    printed));
        }
    }
}
