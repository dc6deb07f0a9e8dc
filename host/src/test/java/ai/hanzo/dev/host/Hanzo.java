package ai.hanzo.dev.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import ai.hanzo.dev.host.local.Launch;
import ai.hanzo.dev.host.surface.cli.Cli;
import ai.hanzo.dev.host.surface.cli.Io;
import ai.hanzo.dev.host.surface.cli.Programs;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs {@code hanzo dev …} in this JVM, against the host that runs for a state directory. */
final class Hanzo {
    private final Path home;
    private final Path directory;
    private final Map<String, String> environment = new HashMap<>();
    private Optional<String> typed = Optional.empty();

    Hanzo(Path home, Path directory) {
        this.home = home;
        this.directory = directory;
        environment.put("HANZO_HOME", home.toString());
        environment.put("HOME", directory.resolve("nobody").toString());
        environment.put("PATH", String.valueOf(System.getenv("PATH")));
        environment.put("NO_COLOR", "1");
    }

    /** How a command ended, and what it printed. */
    record Ran(int exit, String out, String err) {}

    Hanzo env(String name, String value) {
        environment.put(name, value);
        return this;
    }

    /** A person at a terminal who types this. */
    Hanzo typing(String text) {
        typed = Optional.of(text);
        return this;
    }

    Ran run(String... arguments) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        var io =
                new Io(
                        new ByteArrayInputStream(typed.orElse("").getBytes(UTF_8)),
                        new PrintStream(out, true, UTF_8),
                        new PrintStream(err, true, UTF_8),
                        environment,
                        directory,
                        typed.isPresent());
        var programs =
                new Programs(
                        (_, _) -> {
                            throw new IllegalStateException("the host runs already");
                        },
                        new Launch(List.of("false"), List.of()),
                        TestHost.BUILD,
                        new CoreFiles(),
                        (_, _) -> {
                            throw new IllegalStateException("not here");
                        },
                        HostProcess::sandbox,
                        HostProcess::database,
                        new BackupProcess(),
                        HostProcess::endAll);
        int exit = new Cli(io, programs).run(arguments);
        return new Ran(exit, out.toString(UTF_8), err.toString(UTF_8));
    }

    /** {@code exec --json} with a script. */
    Ran exec(String script, String prompt, String... options) {
        var arguments = new ArrayList<>(List.of("--json", "--model", model(script)));
        arguments.addAll(List.of(options));
        arguments.addAll(List.of("exec", prompt));
        return run(arguments.toArray(String[]::new));
    }

    /** The name of a model that plays a script. */
    String model(String script) {
        try {
            return "script:"
                    + Files.writeString(Files.createTempFile(home, "script", ".json"), script);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
