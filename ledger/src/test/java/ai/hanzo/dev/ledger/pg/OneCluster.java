package ai.hanzo.dev.ledger.pg;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;

/**
 * One unpacked PostgreSQL and one fresh cluster in {@code target/pg-binaries}, to be copied: making
 * them anew for each test takes seconds on a busy machine.
 */
final class OneCluster {
    private static final Path HERE = Path.of("target", "pg-binaries").toAbsolutePath();
    private static final String BIN = "bin-" + PgBinaries.version();

    private OneCluster() {}

    static Path binaries() {
        return HERE.resolve(BIN);
    }

    /** The binaries, by a link. */
    static void giveBinaries(Path root) throws IOException {
        Files.createDirectories(HERE);
        PgBinaries.unpack(binaries());
        Files.createDirectories(root);
        if (!Files.exists(root.resolve(BIN))) {
            Files.createSymbolicLink(root.resolve(BIN), binaries());
        }
    }

    /** The binaries, and a copy of a cluster that was started once. */
    static void giveCluster(Path root) throws IOException {
        giveBinaries(root);
        Path one = HERE.resolve("pg");
        if (!Files.exists(one.resolve("data"))) {
            giveBinaries(one);
            EmbeddedPostgres first = new EmbeddedPostgres(one);
            first.start();
            first.stop();
        }
        try (Stream<Path> all = Files.walk(one)) {
            for (Path from : all.filter(path -> !path.startsWith(one.resolve(BIN))).toList()) {
                if (!from.equals(one)) {
                    Files.copy(
                            from,
                            root.resolve(one.relativize(from)),
                            StandardCopyOption.COPY_ATTRIBUTES,
                            StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }
}
