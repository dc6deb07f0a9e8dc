package ai.hanzo.dev.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** {@code hanzo dev …} in a process of its own, to be signalled. */
final class ForkedHanzo implements AutoCloseable {
    private final Process process;
    private final Path out;

    private ForkedHanzo(Process process, Path out) {
        this.process = process;
        this.out = out;
    }

    /**
     * Starts a command.
     *
     * @param before words in front of java, such as setpriv
     * @param classPath what the JVM gets
     */
    static ForkedHanzo start(
            List<String> before, String classPath, Path home, Path directory, String... arguments) {
        try {
            List<String> command = new ArrayList<>(before);
            command.addAll(
                    List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                            "--enable-native-access=ALL-UNNAMED",
                            "--sun-misc-unsafe-memory-access=allow",
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-Dhanzo.build=" + TestHost.BUILD));
            if (classPath.equals(QuickStart.classPath())) {
                command.addAll(QuickStart.options());
            }
            command.addAll(List.of("-cp", classPath, Main.class.getName(), "dev"));
            command.addAll(List.of(arguments));
            Path out = Files.createTempFile(directory.getParent(), "out", ".txt");
            ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
            Map<String, String> environment = builder.environment();
            environment.put("HANZO_HOME", home.toString());
            environment.put("HOME", directory.toString());
            builder.redirectErrorStream(true);
            builder.redirectOutput(out.toFile());
            return new ForkedHanzo(builder.start(), out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static ForkedHanzo start(Path home, Path directory, String... arguments) {
        QuickStart.prepare();
        return start(List.of(), QuickStart.classPath(), home, directory, arguments);
    }

    /** As the terminal does on Ctrl-C. */
    void interrupt() {
        try {
            Process kill = new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start();
            assert kill.waitFor() == 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for its end; its exit code. */
    int exit() {
        try {
            if (!process.waitFor(120, TimeUnit.SECONDS)) {
                throw new IllegalStateException("it does not end; it printed: " + output());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    String output() {
        return Projects.read(out);
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
