package ai.hanzo.dev.host;

import ai.hanzo.dev.host.backup.Backups;
import ai.hanzo.dev.host.backup.Restore;
import ai.hanzo.dev.host.local.LocalException;
import ai.hanzo.dev.host.surface.cli.Programs;
import ai.hanzo.dev.ledger.jdbc.DatabaseConfig;
import ai.hanzo.dev.ledger.jdbc.EmbeddedStore;
import ai.hanzo.dev.ledger.pg.EmbeddedPostgres;
import ai.hanzo.dev.workspace.BlobCipher;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Backups by the command line's own process: beside a host that serves, or without one. A
 * PostgreSQL of our own that it had to start it stops again. One thread.
 */
final class BackupProcess implements Programs.Backups {
    @Override
    public Contents create(Place place, Path file, boolean withKey) {
        Backups.Key key = withKey ? Backups.Key.WITH : Backups.Key.WITHOUT;
        Path cluster = place.state().resolve("pg");
        if (place.database().isEmpty() && !Files.isDirectory(cluster)) {
            throw LocalException.home(
                    place.state(), "it holds no PostgreSQL; name the database with --db", null);
        }
        Optional<BlobCipher> cipher = cipher(place.state());
        return with(
                place,
                database ->
                        Backups.create(
                                new Backups.Source(database, place.state(), cipher), file, key));
    }

    /** A state directory of before there was a key has nothing that is sealed. */
    private static Optional<BlobCipher> cipher(Path state) {
        Map<String, String> environment = System.getenv();
        boolean hasKey =
                environment.containsKey(OrgKeys.VARIABLE)
                        || Files.exists(state.resolve("keys/org.key"));
        SecureRandom random = new SecureRandom();
        return hasKey
                ? Optional.of(OrgKeys.of(state, environment, random).ofBlobs(random))
                : Optional.empty();
    }

    @Override
    public Contents restore(Place place, Path file) {
        Restore restore = new Restore(file, place.state());
        restore.check();
        return with(place, restore::run);
    }

    private static Contents with(Place place, Function<DatabaseConfig, Backups.Contents> work) {
        if (place.database().isPresent()) {
            return contents(
                    work.apply(HostConfig.database(place.database().get(), System.getenv())));
        }
        EmbeddedPostgres server = new EmbeddedPostgres(place.state().resolve("pg"));
        EmbeddedPostgres.Running running = server.start();
        try {
            return contents(work.apply(EmbeddedStore.prepare(running)));
        } finally {
            if (!running.wasRunning()) {
                server.stop();
            }
        }
    }

    private static Contents contents(Backups.Contents found) {
        return new Contents(found.rows(), found.files(), found.damaged(), found.holdsKey());
    }
}
