package ai.hanzo.dev.sandbox;

import static java.util.Objects.requireNonNull;

import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.protocol.id.SessionId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a session wants of its cell. All paths are absolute. Used in full when a cell is spawned; on
 * attaching to a living cell only session and epoch count.
 *
 * @param session whose cell
 * @param epoch of the session's lease in the ledger
 * @param workspace the tree to work in, seen at its own real path
 * @param places the session's own places outside the workspace
 * @param readOnly seen read-only: toolchains, PATH entries, git settings; missing ones are left out
 * @param caches seen copy-on-write, or read-only where the machine cannot
 * @param env added to the preset environment of every command
 * @param limits what the cell may use
 * @param required the least confinement; less, and the lease fails with {@code NOT_ENFORCED}
 * @param orphanGrace how long an idle cell lives without a host, at least 1 ms
 */
public record LeaseSpec(
        SessionId session,
        Epoch epoch,
        WorkspaceMount workspace,
        Places places,
        List<Mount> readOnly,
        List<Mount> caches,
        Map<String, String> env,
        CellLimits limits,
        Level required,
        Duration orphanGrace) {

    public static final Duration DEFAULT_ORPHAN_GRACE = Duration.ofMinutes(10);

    /** The workspace and how it may be used. */
    public record WorkspaceMount(Path path, Access access) {
        public WorkspaceMount {
            requireAbsolute(path);
            requireNonNull(access, "access");
        }
    }

    /** Whether the workspace may be changed. */
    public enum Access {
        READ_WRITE,
        READ_ONLY
    }

    /**
     * The session's own places, made by the supervisor when missing.
     *
     * @param home HOME of its commands, seen at this path
     * @param tmp seen at /tmp; empty for a memory file system of the cell's own
     * @param spool where the cell keeps what commands print; not seen by them
     * @param journal the file to which outcomes are appended; not seen by them
     */
    public record Places(Path home, Optional<Path> tmp, Path spool, Path journal) {
        public Places {
            requireAbsolute(home);
            tmp.ifPresent(LeaseSpec::requireAbsolute);
            requireAbsolute(spool);
            requireAbsolute(journal);
        }

        /** All of them in one directory of the session: home, spool and journal, /tmp in memory. */
        public static Places in(Path directory) {
            return new Places(
                    directory.resolve("home"),
                    Optional.empty(),
                    directory.resolve("spool"),
                    directory.resolve("journal"));
        }
    }

    /** A path outside and where it is seen inside. */
    public record Mount(Path source, Path target) {
        public Mount {
            requireAbsolute(source);
            requireAbsolute(target);
        }

        /** At its own path. */
        public static Mount at(Path path) {
            return new Mount(path, path);
        }
    }

    public LeaseSpec {
        requireNonNull(session, "session");
        requireNonNull(epoch, "epoch");
        requireNonNull(workspace, "workspace");
        requireNonNull(places, "places");
        requireNonNull(limits, "limits");
        requireNonNull(required, "required");
        readOnly = List.copyOf(readOnly);
        caches = List.copyOf(caches);
        env = Map.copyOf(env);
        if (orphanGrace.toMillis() < 1) {
            throw new IllegalArgumentException("orphanGrace is less than 1 ms: " + orphanGrace);
        }
    }

    /** The least that makes a lease: nothing mounted but the workspace, default limits. */
    public static LeaseSpec of(SessionId session, Epoch epoch, Path workspace, Places places) {
        return new LeaseSpec(
                session,
                epoch,
                new WorkspaceMount(workspace, Access.READ_WRITE),
                places,
                List.of(),
                List.of(),
                Map.of(),
                CellLimits.DEFAULT,
                Level.LANDLOCK,
                DEFAULT_ORPHAN_GRACE);
    }

    private static void requireAbsolute(Path path) {
        if (!path.isAbsolute()) {
            throw new IllegalArgumentException("path is not absolute: " + path);
        }
    }
}
