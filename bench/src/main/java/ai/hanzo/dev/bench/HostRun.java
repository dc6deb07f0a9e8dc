package ai.hanzo.dev.bench;

import ai.hanzo.dev.host.Main;
import ai.hanzo.dev.host.local.Home;
import ai.hanzo.dev.host.local.HostFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A host in a process of its own, as {@code hanzo dev serve} starts it, to be killed. One thread.
 */
final class HostRun implements AutoCloseable {
    private static final long LOOK_MILLIS = 2;
    private static final long PATIENCE_NANOS = 120_000_000_000L;

    private final Home home;
    private final Process process;
    private final double startMillis;

    /**
     * Starts it, and waits until it serves.
     *
     * @param home of the first host of a state directory
     * @param name of a further one; empty for the first
     */
    HostRun(Path home, String name) throws IOException, InterruptedException {
        this.home = name.isEmpty() ? new Home(home) : new Home(home).beside(name);
        Files.createDirectories(this.home.path());
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
        command.addAll(
                List.of(
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-XX:MaxRAMPercentage=25",
                        "-Dhanzo.build=bench",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "dev",
                        "serve"));
        if (!name.isEmpty()) {
            command.addAll(List.of("--beside", name));
        }
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        Path out = this.home.path().resolve("out");
        builder.redirectOutput(ProcessBuilder.Redirect.appendTo(out.toFile()));
        builder.environment().put("HANZO_HOME", home.toString());
        long begun = System.nanoTime();
        process = builder.start();
        while (!serves()) {
            if (process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)
                    || System.nanoTime() - begun > PATIENCE_NANOS) {
                process.destroyForcibly();
                throw new IllegalStateException("the host does not serve: see " + out);
            }
        }
        startMillis = (System.nanoTime() - begun) / 1e6;
    }

    private boolean serves() {
        return HostFile.read(home).filter(file -> file.pid() == process.pid()).isPresent();
    }

    /** From the start of the process until it served. */
    double startMillis() {
        return startMillis;
    }

    Home home() {
        return home;
    }

    /** SIGKILL: no hook, no farewell. Gives the moment before it, of {@link System#nanoTime}. */
    long kill() {
        long now = System.nanoTime();
        process.destroyForcibly();
        process.onExit().join();
        return now;
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
