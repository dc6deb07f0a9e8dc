package ai.hanzo.dev.host;

import ai.hanzo.dev.host.local.HostServices;
import ai.hanzo.dev.host.local.Serve;
import ai.hanzo.dev.host.surface.cli.Confinement;
import ai.hanzo.dev.ledger.jdbc.PostgresStore;
import ai.hanzo.dev.ledger.pg.EmbeddedPostgres;
import ai.hanzo.dev.sandbox.Cells;
import ai.hanzo.dev.sandbox.Enforced;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** Opens the services of a host for its process. */
final class HostProcess {
    private HostProcess() {}

    static HostServices open(Serve serve, Runnable stop) {
        HostConfig config = HostConfig.of(serve.home().path(), System.getenv());
        Assembly assembly =
                new Assembly(serve.database().map(config::withDatabase).orElse(config), stop);
        assembly.start();
        return assembly;
    }

    /** What this machine can confine. */
    static Confinement sandbox() {
        Enforced found = Cells.selftest();
        return new Confinement(
                found.level().name().toLowerCase(Locale.ROOT),
                found.landlockAbi(),
                found.layers(),
                found.missing());
    }

    /** The database that {@code url} names, or the private one of {@code home}. */
    static String database(Path home, Optional<String> url) {
        return url.isPresent()
                ? PostgresStore.check(Assembly.given(url.get()))
                : new EmbeddedPostgres(home.resolve("pg")).check();
    }
}
