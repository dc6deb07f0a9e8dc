package ai.hanzo.dev.host;

import ai.hanzo.dev.host.local.Home;
import ai.hanzo.dev.host.local.HostFile;
import ai.hanzo.dev.ledger.jdbc.DatabaseConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A host in a process of its own, to be killed. */
final class ForkedHost implements AutoCloseable {
    private final Process process;
    private final Path out;

    /** Starts a host with its state in {@code home}, and waits until it serves. */
    ForkedHost(Path home, DatabaseConfig database) {
        this(home, Optional.of(database), List.of());
    }

    /**
     * The same.
     *
     * @param database empty for the embedded one
     * @param options of the JVM
     */
    ForkedHost(Path home, Optional<DatabaseConfig> database, List<String> options) {
        this(new Home(home), database, options, List.of(), Map.of());
    }

    /** A host with more in its environment. */
    static ForkedHost with(Path home, DatabaseConfig database, Map<String, String> more) {
        return new ForkedHost(new Home(home), Optional.of(database), List.of(), List.of(), more);
    }

    /**
     * One of several hosts.
     *
     * @param name of a further host of the same state directory; empty for the first
     * @param more arguments
     * @param environment what it has beside the database
     */
    static ForkedHost of(
            Path home,
            String name,
            DatabaseConfig database,
            List<String> more,
            Map<String, String> environment) {
        List<String> arguments = new ArrayList<>(more);
        if (!name.isEmpty()) {
            arguments.addAll(List.of("--beside", name));
        }
        return new ForkedHost(
                name.isEmpty() ? new Home(home) : new Home(home).beside(name),
                Optional.of(database),
                List.of(),
                arguments,
                environment);
    }

    private ForkedHost(
            Home home,
            Optional<DatabaseConfig> database,
            List<String> options,
            List<String> arguments,
            Map<String, String> more) {
        if (!options.equals(QuickStart.TO_MAKE_IT)) {
            QuickStart.prepare();
        }
        try {
            Files.createDirectories(home.path());
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(
                    List.of(
                            "--enable-native-access=ALL-UNNAMED",
                            "--sun-misc-unsafe-memory-access=allow",
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-Dhanzo.build=" + TestHost.BUILD));
            command.addAll(QuickStart.options());
            command.addAll(options);
            command.addAll(
                    List.of("-cp", QuickStart.classPath(), Main.class.getName(), "dev", "serve"));
            command.addAll(arguments);
            database.ifPresent(given -> command.addAll(List.of("--db", given.url())));
            ProcessBuilder builder = new ProcessBuilder(command);
            Map<String, String> environment = builder.environment();
            environment.put("HANZO_HOME", home.state().toString());
            database.ifPresent(given -> {
                environment.put("PGUSER", given.owner().user());
                environment.put("PGPASSWORD", given.owner().password());
            });
            environment.putAll(more);
            builder.redirectErrorStream(true);
            out = home.path().resolve("out");
            builder.redirectOutput(ProcessBuilder.Redirect.appendTo(out.toFile()));
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Waiting.until(() -> !process.isAlive() || serves(home));
    }

    private boolean serves(Home home) {
        return HostFile.read(home).filter(file -> file.pid() == process.pid()).isPresent();
    }

    /** Whether it runs; one that could not begin does not. */
    boolean isAlive() {
        return process.isAlive();
    }

    /** Waits at most {@code limit} for its end, and says whether it came. */
    boolean ends(Duration limit) {
        try {
            return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Stops it in its tracks, or lets it go on: SIGSTOP and SIGCONT. */
    void signal(String name) {
        try {
            Process kill =
                    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
            assert kill.waitFor() == 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** SIGKILL: no hook, no farewell. */
    void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }

    /** How it ended; 137 for SIGKILL. */
    int exit() {
        return process.onExit().join().exitValue();
    }

    /** What it printed, and those before it in the same state directory. */
    String printed() {
        return Projects.read(out);
    }
}
