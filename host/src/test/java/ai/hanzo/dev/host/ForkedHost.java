package ai.hanzo.dev.host;

import ai.hanzo.dev.host.local.Home;
import ai.hanzo.dev.host.local.HostFile;
import ai.hanzo.dev.ledger.jdbc.DatabaseConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A host in a process of its own, to be killed. */
final class ForkedHost implements AutoCloseable {
    private final Process process;

    /** Starts a host with its state in {@code home}, and waits until it serves. */
    ForkedHost(Path home, DatabaseConfig database) {
        try {
            Files.createDirectories(home);
            ProcessBuilder builder =
                    new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                            "--enable-native-access=ALL-UNNAMED",
                            "--sun-misc-unsafe-memory-access=allow",
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-Dhanzo.build=" + TestHost.BUILD,
                            "-cp",
                            System.getProperty("java.class.path"),
                            Main.class.getName(),
                            "dev",
                            "serve",
                            "--db",
                            database.url());
            Map<String, String> environment = builder.environment();
            environment.put("HANZO_HOME", home.toString());
            environment.put("PGUSER", database.owner().user());
            environment.put("PGPASSWORD", database.owner().password());
            builder.redirectErrorStream(true);
            Path out = home.resolve("out");
            builder.redirectOutput(ProcessBuilder.Redirect.appendTo(out.toFile()));
            process = builder.start();
            Waiting.until(() -> {
                if (!process.isAlive()) {
                    throw new IllegalStateException("no host: " + Files.readString(out));
                }
                return HostFile.read(new Home(home))
                        .filter(file -> file.pid() == process.pid())
                        .isPresent();
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
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
}
