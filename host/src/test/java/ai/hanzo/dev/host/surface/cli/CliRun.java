package ai.hanzo.dev.host.surface.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import ai.hanzo.dev.host.local.Launch;
import ai.hanzo.dev.host.surface.rest.Served;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs a command line against a served fake host, as a process would be run. */
final class CliRun {
    /** One core is good, and every file is bad. */
    private static final Programs.CoreVerifier CORES =
            new Programs.CoreVerifier() {
                @Override
                public Programs.CoreFacts builtIn() {
                    return new Programs.CoreFacts("00", List.of("digest 00"), List.of());
                }

                @Override
                public Programs.CoreFacts file(Path module) {
                    return new Programs.CoreFacts(
                            "01",
                            List.of("digest 01", "export  \033[31mred\007\nhanzo: lock matches"),
                            List.of(module + " is\u2028none\nhanzo: all is well"));
                }
            };

    private final Served served;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Map<String, String> environment = new HashMap<>();
    private InputStream in = new ByteArrayInputStream(new byte[0]);
    private boolean terminal;
    private Path directory = Path.of("/");
    private String host;
    private Confinement confinement =
            new Confinement(
                    "namespaces", 7, List.of("user-namespace", "seccomp", "landlock-7"), List.of());

    /** How often somebody left by Ctrl-C. */
    final AtomicInteger left = new AtomicInteger();

    final Interrupts interrupts = new Interrupts(left::incrementAndGet);

    CliRun(Served served) {
        this.served = served;
        this.host = "http://127.0.0.1:" + served.server.port();
        environment.put("HANZO_TOKEN", Served.TOKEN);
    }

    CliRun in(Path where) {
        directory = where;
        return this;
    }

    CliRun env(String name, String value) {
        environment.put(name, value);
        return this;
    }

    CliRun host(String url) {
        host = url;
        return this;
    }

    CliRun confinement(Confinement found) {
        confinement = found;
        return this;
    }

    /** A person at a terminal who types this. */
    CliRun types(String text) {
        terminal = true;
        in = new ByteArrayInputStream(text.getBytes(UTF_8));
        return this;
    }

    CliRun stdin(InputStream input) {
        in = input;
        return this;
    }

    private static final Programs.Backups NO_BACKUPS =
            new Programs.Backups() {
                @Override
                public Contents create(Place place, Path file, boolean withKey) {
                    throw new IllegalStateException("not here");
                }

                @Override
                public Contents restore(Place place, Path file) {
                    throw new IllegalStateException("not here");
                }
            };

    int run(String... arguments) {
        var io =
                new Io(
                        in,
                        new PrintStream(out, true, UTF_8),
                        new PrintStream(err, true, UTF_8),
                        environment,
                        directory,
                        terminal);
        var programs =
                new Programs(
                        (_, _) -> {
                            throw new IllegalStateException("no host here");
                        },
                        new Launch(List.of("false"), List.of()),
                        "test",
                        CORES,
                        (_, _) -> {
                            throw new IllegalStateException("The script is broken at line 1.");
                        },
                        () -> confinement,
                        (_, url) -> {
                            if (url.isPresent()) {
                                throw new IllegalStateException("No database at " + url.get());
                            }
                            return "17, runs";
                        },
                        NO_BACKUPS,
                        _ -> {
                            throw new IllegalStateException("nothing to end");
                        });
        var all = new ArrayList<>(List.of("--host", host));
        all.addAll(List.of(arguments));
        return new Cli(io, programs).withInterrupts(interrupts).run(all.toArray(String[]::new));
    }

    String out() {
        return out.toString(UTF_8);
    }

    String err() {
        return err.toString(UTF_8);
    }

    Served served() {
        return served;
    }
}
