package ai.hanzo.dev.host;

import ai.hanzo.dev.host.backup.Backups;
import ai.hanzo.dev.host.backup.Restore;
import ai.hanzo.dev.host.local.LocalException;
import ai.hanzo.dev.host.surface.cli.Programs;
import ai.hanzo.dev.ledger.jdbc.DatabaseConfig;
import ai.hanzo.dev.ledger.jdbc.EmbeddedStore;
import ai.hanzo.dev.ledger.pg.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
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
        return with(place, database -> Backups.create(database, place.state(), file, key));
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
