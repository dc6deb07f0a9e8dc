package ai.hanzo.dev.host.surface.cli;

import ai.hanzo.dev.host.local.HostServices;
import ai.hanzo.dev.host.local.Launch;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What the command line starts but does not know: given by Main.
 *
 * @param host what {@code serve} opens
 * @param launch how a host is started in the background
 * @param build what this program was built from
 * @param verifyCore looks at wasm cores
 * @param mockModel serves a script as a model provider would
 * @param sandbox tries what this machine can confine
 * @param database looks at what a host would keep its ledger in
 * @param backups copies state directories
 * @param ending ends what outlives a host
 */
public record Programs(
        HostServices.Opener host,
        Launch launch,
        String build,
        CoreVerifier verifyCore,
        MockModel mockModel,
        SandboxCheck sandbox,
        DatabaseCheck database,
        Backups backups,
        Ending ending) {

    /** Ends what goes on without a host. */
    public interface Ending {
        /**
         * Ends the cells with everything in them, their supervisor, and the embedded database;
         * throws with a sentence. Nothing happens where nothing runs.
         *
         * @param state the state directory; no host may be serving it
         */
        void endAll(Path state);
    }

    /** Tries the sandbox. */
    public interface SandboxCheck {
        /** What can be enforced; throws with a sentence when that cannot be found out. */
        Confinement check();
    }

    /** Looks at the database. */
    public interface DatabaseCheck {
        /**
         * What there is, in a line; throws with a sentence when it cannot be used. Changes nothing.
         *
         * @param home the state directory
         * @param url a PostgreSQL URL; empty for the embedded one
         */
        String check(Path home, Optional<String> url);
    }

    /** Copies all that a state directory holds. Both throw with a sentence. */
    public interface Backups {
        /** Writes a backup; the file is replaced if it is there. */
        Contents create(Place place, Path file, boolean withKey);

        /** Puts a backup where there is nothing. */
        Contents restore(Place place, Path file);

        /**
         * What is copied.
         *
         * @param state the state directory
         * @param database a PostgreSQL URL; empty for the embedded one
         */
        record Place(Path state, Optional<String> database) {}

        /**
         * What there was.
         *
         * @param damaged stored files that were left out
         */
        record Contents(long rows, long files, List<String> damaged, boolean holdsKey) {
            public Contents {
                damaged = List.copyOf(damaged);
            }
        }
    }

    /** Looks at a module that is or may be a core. */
    public interface CoreVerifier {
        /** Looks at the core that is built in. */
        CoreFacts builtIn();

        /**
         * Looks at a file, and at the lock beside it; throws with a sentence if it is not there.
         */
        CoreFacts file(Path module);
    }

    /**
     * What a module is.
     *
     * @param digest SHA-256 of its bytes
     * @param lines all that was found, a fact a line
     * @param problems why it cannot be a core of this host, a sentence each; empty if it can
     */
    public record CoreFacts(String digest, List<String> lines, List<String> problems) {
        public CoreFacts {
            lines = List.copyOf(lines);
            problems = List.copyOf(problems);
        }
    }

    /** A model provider that plays a script. */
    public interface MockModel {
        /**
         * Starts it.
         *
         * @param script content of a script file
         * @param port 0 for any free one
         * @return the address; it serves until the process ends
         */
        String serve(String script, int port);
    }
}
