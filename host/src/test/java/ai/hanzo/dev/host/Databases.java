package ai.hanzo.dev.host;

import ai.hanzo.dev.ledger.jdbc.DatabaseConfig;
import ai.hanzo.dev.ledger.jdbc.EmbeddedStore;
import ai.hanzo.dev.ledger.pg.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** The one PostgreSQL that all integration tests share, with a database for whoever wants one. */
final class Databases {
    private static final AtomicInteger MADE = new AtomicInteger();
    private static final Path ROOT = directory();
    private static final EmbeddedPostgres SERVER = new EmbeddedPostgres(ROOT.resolve("pg"));
    private static final EmbeddedPostgres.Running RUNNING = start();

    private Databases() {}

    /** An empty database. */
    static DatabaseConfig fresh() {
        return EmbeddedStore.prepare(RUNNING, "it_" + MADE.incrementAndGet());
    }

    private static Path directory() {
        try {
            return Files.createTempDirectory("hanzo-it-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static EmbeddedPostgres.Running start() {
        Runtime.getRuntime().addShutdownHook(new Thread(Databases::end, "stop-postgres"));
        return SERVER.start();
    }

    private static void end() {
        SERVER.stop();
        deleteTree(ROOT);
    }

    static void deleteTree(Path root) {
        try (Stream<Path> all = Files.walk(root)) {
            all.sorted(java.util.Comparator.reverseOrder()).forEach(Databases::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
