package ai.hanzo.dev.ledger.testing;

import ai.hanzo.dev.ledger.jdbc.DatabaseConfig;
import ai.hanzo.dev.ledger.jdbc.EmbeddedStore;
import ai.hanzo.dev.ledger.jdbc.PostgresStore;
import ai.hanzo.dev.ledger.pg.EmbeddedPostgres;
import ai.hanzo.dev.protocol.id.Uuid7;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test class or method that asks for a {@link DatabaseConfig} a fresh database in the
 * one PostgreSQL of the JVM, which lives in {@code target/pg} and is stopped at the end. Use it
 * with {@code @ExtendWith(TestPostgres.class)} and a parameter of a constructor or method.
 */
public final class TestPostgres implements ParameterResolver {
    private static final ExtensionContext.Namespace SPACE =
            ExtensionContext.Namespace.create(TestPostgres.class);
    private static final Path ROOT = Path.of("target", "pg").toAbsolutePath();

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == DatabaseConfig.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(SPACE)
                .getOrComputeIfAbsent(Server.class, _ -> new Server(), Server.class)
                .fresh();
    }

    /** A store on a fresh schema, with the system's clock. */
    public static PostgresStore open(DatabaseConfig config) {
        return PostgresStore.open(config, new Uuid7(InstantSource.system(), new SecureRandom()));
    }

    /** The server of this JVM; JUnit closes it after the last test. */
    private static final class Server implements AutoCloseable {
        private final EmbeddedPostgres postgres = new EmbeddedPostgres(ROOT);
        private final AtomicInteger databases = new AtomicInteger();
        private final EmbeddedPostgres.Running running;

        Server() {
            postgres.stop();
            deleteTree(ROOT.resolve("data"));
            running = postgres.start();
        }

        DatabaseConfig fresh() {
            return EmbeddedStore.prepare(running, "t" + databases.incrementAndGet())
                    .withMaxConnections(6);
        }

        @Override
        public void close() {
            postgres.stop();
        }
    }

    private static void deleteTree(Path tree) {
        if (!Files.exists(tree)) {
            return;
        }
        try {
            Files.walkFileTree(
                    tree,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                                throws IOException {
                            Files.delete(file);
                            return FileVisitResult.CONTINUE;
                        }

                        @Override
                        public FileVisitResult postVisitDirectory(
                                Path dir, @Nullable IOException fault) throws IOException {
                            Files.delete(dir);
                            return FileVisitResult.CONTINUE;
                        }
                    });
        } catch (IOException e) {
            throw new IllegalStateException("cannot clean " + tree, e);
        }
    }
}
