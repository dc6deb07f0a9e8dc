package ai.hanzo.dev.sandbox;

import static java.util.Objects.requireNonNull;

import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.protocol.id.SessionId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What a session wants of its cell. All paths are absolute. Used in full when a cell is spawned; on
 * attaching to a living cell only session and epoch count.
 *
 * @param session whose cell
 * @param epoch of the session's lease in the ledger
 * @param workspace the tree to work in, seen at its own real path
 * @param home private HOME and TMPDIR of the session, outside the workspace; must exist
 * @param readOnly seen read-only at their own paths: toolchains, PATH entries; absent ones are left
 *     out
 * @param caches seen copy-on-write, or read-only where the machine cannot
 * @param env added to the preset environment of every command
 * @param limits what the cell may use
 * @param required the least level of confinement; less and the lease fails with {@code
 *     NOT_ENFORCED}
 * @param orphanGrace how long an idle cell lives without a host
 * @param journal the file outside the cell to which outcomes are appended; made when missing
 */
public record LeaseSpec(
        SessionId session,
        Epoch epoch,
        WorkspaceMount workspace,
        Path home,
        List<Path> readOnly,
        List<Path> caches,
        Map<String, String> env,
        CellLimits limits,
        Level required,
        Duration orphanGrace,
        Path journal) {

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

    public LeaseSpec {
        requireNonNull(session, "session");
        requireNonNull(epoch, "epoch");
        requireNonNull(workspace, "workspace");
        requireNonNull(limits, "limits");
        requireNonNull(required, "required");
        readOnly = List.copyOf(readOnly);
        caches = List.copyOf(caches);
        env = Map.copyOf(env);
        requireAbsolute(home);
        requireAbsolute(journal);
        readOnly.forEach(LeaseSpec::requireAbsolute);
        caches.forEach(LeaseSpec::requireAbsolute);
        if (orphanGrace.isNegative()) {
            throw new IllegalArgumentException("orphanGrace is negative: " + orphanGrace);
        }
    }

    /**
     * The least that makes a lease; the rest has defaults and is changed with the methods below.
     */
    public static LeaseSpec of(
            SessionId session, Epoch epoch, Path workspace, Path home, Path journal) {
        return new LeaseSpec(
                session,
                epoch,
                new WorkspaceMount(workspace, Access.READ_WRITE),
                home,
                List.of(),
                List.of(),
                Map.of(),
                CellLimits.DEFAULT,
                Level.LANDLOCK,
                DEFAULT_ORPHAN_GRACE,
                journal);
    }

    private static void requireAbsolute(Path path) {
        if (!path.isAbsolute()) {
            throw new IllegalArgumentException("path is not absolute: " + path);
        }
    }
}
