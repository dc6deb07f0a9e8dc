package ai.hanzo.dev.host;

import ai.hanzo.dev.host.local.Home;
import ai.hanzo.dev.host.local.Launch;
import ai.hanzo.dev.host.local.LocalException;
import ai.hanzo.dev.host.local.LocalHosts;
import ai.hanzo.dev.host.local.Serve;
import ai.hanzo.dev.host.model.MockModelServer;
import ai.hanzo.dev.host.model.ProviderSettings;
import ai.hanzo.dev.host.model.Script;
import ai.hanzo.dev.host.surface.cli.Cli;
import ai.hanzo.dev.host.surface.cli.Io;
import ai.hanzo.dev.host.surface.cli.Programs;
import ai.hanzo.dev.host.surface.rest.Serving;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * Where the process begins: {@code dev …} is the command line, {@code host} a host in the
 * background, which the command line starts by itself.
 */
public final class Main {
    private static final int FAILED = 1;
    private static final int USAGE = 2;

    private Main() {}

    /** Ends the process with the exit code of what was asked. */
    public static void main(String[] arguments) {
        System.exit(run(Arrays.asList(arguments)));
    }

    private static int run(List<String> arguments) {
        String first = arguments.isEmpty() ? "" : arguments.getFirst();
        return switch (first) {
            case "dev" ->
                    new Cli(Io.ofThisProcess(), programs())
                            .run(arguments.stream().skip(1).toArray(String[]::new));
            case "host" -> host(System.out);
            default -> {
                System.err.println("hanzo: say hanzo dev …; see hanzo dev --help");
                yield USAGE;
            }
        };
    }

    /** What this program was built from, as the launcher knows it. */
    private static String build() {
        return System.getProperty("hanzo.build", "unknown");
    }

    private static Programs programs() {
        return new Programs(
                HostProcess::open,
                Launch.ofThisProgram(Main.class.getName(), ProviderSettings.VARIABLES),
                build(),
                new CoreFiles(),
                Main::mockModel,
                HostProcess::sandbox,
                HostProcess::database,
                new BackupProcess(),
                HostProcess::endAll);
    }

    /** What a person reads is the last line printed; the whole goes to the log. */
    private static int host(PrintStream out) {
        Home home = Home.of(System.getenv());
        try {
            new Serving(Serve.background(home, build()), HostProcess::open, out).run();
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return FAILED;
        } catch (LocalException e) {
            out.println(e.getMessage());
            return e.code() == LocalException.Code.ALREADY_RUNS ? LocalHosts.ANOTHER_WORKS : FAILED;
        } catch (RuntimeException e) {
            LoggerFactory.getLogger(Main.class).atError().setCause(e).log("host cannot start");
            out.println(e.getMessage() == null ? e.toString() : e.getMessage());
            return FAILED;
        }
    }

    private static String mockModel(String script, int port) {
        try {
            MockModelServer server =
                    MockModelServer.start(
                            Script.parse(script),
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                            MockModelServer.Wire.PLAIN);
            return server.address().toString();
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "Port " + port + " cannot be used (" + e.getMessage() + "); choose another.",
                    e);
        }
    }
}
