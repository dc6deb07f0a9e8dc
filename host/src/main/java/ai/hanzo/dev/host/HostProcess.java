package ai.hanzo.dev.host;

import ai.hanzo.dev.host.local.HostServices;
import ai.hanzo.dev.host.local.Serve;
import ai.hanzo.dev.sandbox.Cells;
import ai.hanzo.dev.sandbox.CellsConfig;
import ai.hanzo.dev.sandbox.Enforced;
import java.util.Locale;

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

    /** What this machine can confine, in a line. */
    static String sandbox() {
        var home = ai.hanzo.dev.host.local.Home.of(System.getenv());
        try (Cells cells = Cells.open(CellsConfig.in(home.path().resolve("cells")))) {
            Enforced enforced = cells.enforceable();
            return enforced.level().name().toLowerCase(Locale.ROOT)
                    + ", Landlock ABI "
                    + enforced.landlockAbi()
                    + (enforced.missing().isEmpty() ? "" : "; without " + enforced.missing());
        }
    }
}
