package ai.hanzo.dev.host;

import ai.hanzo.dev.host.core.CoreException;
import ai.hanzo.dev.host.local.HostServices;
import ai.hanzo.dev.host.local.LocalException;
import ai.hanzo.dev.host.local.Serve;
import ai.hanzo.dev.host.surface.cli.Confinement;
import ai.hanzo.dev.ledger.LedgerException;
import ai.hanzo.dev.ledger.jdbc.PostgresStore;
import ai.hanzo.dev.ledger.pg.EmbeddedPostgres;
import ai.hanzo.dev.sandbox.CellException;
import ai.hanzo.dev.sandbox.Cells;
import ai.hanzo.dev.sandbox.CellsConfig;
import ai.hanzo.dev.sandbox.Enforced;
import ai.hanzo.dev.workspace.WorkspaceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** Opens the services of a host for its process. */
final class HostProcess {
    private HostProcess() {}

    /**
     * Opens them.
     *
     * @throws LocalException with the sentence of the part that cannot be opened
     */
    static HostServices open(Serve serve, Runnable stop) {
        try {
            HostConfig config =
                    HostConfig.of(serve.home().path(), serve.home().state(), System.getenv());
            Assembly assembly =
                    new Assembly(serve.database().map(config::withDatabase).orElse(config), stop);
            assembly.start();
            assembly.warmUp();
            return assembly;
        } catch (HostException e) {
            throw e.code() == HostException.Code.ALREADY_RUNS
                    ? LocalException.alreadyRuns(e)
                    : LocalException.notOpened(String.valueOf(e.getMessage()), e);
        } catch (LedgerException | CellException | WorkspaceException | CoreException e) {
            throw LocalException.notOpened(String.valueOf(e.getMessage()), e);
        }
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

    /**
     * Ends what a host leaves running: its cells and its database.
     *
     * @throws LocalException with the sentence of what does not end; the other has
     */
    static void endAll(Path state) {
        Path cells = state.resolve("cells");
        Path database = state.resolve("pg");
        try {
            if (Files.isDirectory(cells)) {
                try (Cells open = Cells.open(CellsConfig.in(cells))) {
                    open.endAll();
                }
            }
        } catch (CellException e) {
            throw LocalException.notEnded("The cells of " + state, e);
        } finally {
            if (Files.isDirectory(database)) {
                new EmbeddedPostgres(database).stop();
            }
        }
    }

    /** The database that {@code url} names, or the private one of {@code home}. */
    static String database(Path home, Optional<String> url) {
        return url.isPresent()
                ? PostgresStore.check(HostConfig.database(url.get(), System.getenv()))
                : new EmbeddedPostgres(home.resolve("pg")).check();
    }
}
