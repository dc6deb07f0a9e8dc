package ai.hanzo.dev.sandbox;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * A cell as the supervisor lists it.
 *
 * @param session whose cell, as the host named it
 * @param epoch of its latest lease
 * @param life running, or how it ended
 * @param pid of its first process, as seen from outside
 * @param isHosted a host is connected to it
 * @param isWarm it was kept ready before it was leased
 */
public record CellSummary(
        String session,
        long epoch,
        Incarnation incarnation,
        Life life,
        int pid,
        Level level,
        boolean isHosted,
        boolean isWarm,
        Instant started) {

    /** Whether it lives. */
    public sealed interface Life {}

    /** It lives. */
    public record Running() implements Life {}

    /**
     * It is dead with everything that was in it.
     *
     * @param exit exit status, or -1
     * @param signal the signal that ended it, or 0
     */
    public record Exited(Reason reason, int exit, int signal) implements Life {
        public Exited {
            requireNonNull(reason, "reason");
        }
    }

    /** Why a cell ended. */
    public enum Reason {
        /** By itself. */
        ENDED,
        /** {@link Cells#kill}. */
        KILLED,
        /** No host for the grace of its lease. */
        ORPHANED,
        /** The launcher or the daemon gave up. */
        FAILED
    }

    public CellSummary {
        requireNonNull(session, "session");
        requireNonNull(incarnation, "incarnation");
        requireNonNull(life, "life");
        requireNonNull(level, "level");
        requireNonNull(started, "started");
    }
}
