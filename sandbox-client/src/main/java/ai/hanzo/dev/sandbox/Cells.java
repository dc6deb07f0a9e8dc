package ai.hanzo.dev.sandbox;

import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.protocol.id.SessionId;
import java.util.List;

/**
 * The cells of this machine's user, behind the supervisor that outlives this host.
 *
 * <p>Threads: any; every call blocks and is meant for virtual threads. No call holds a carrier for
 * longer than it may look for a quick answer itself, 100 µs: a caller waits on a Java lock while
 * the event loop or the supervisor's own thread does the I/O.
 *
 * <p>Failures: {@link CellException}, whose code says whose fault it is.
 */
public interface Cells extends AutoCloseable {

    /**
     * Cells through the supervisor of this directory, which is started with the first request when
     * none runs.
     */
    static Cells open(CellsConfig config) {
        return new SupervisedCells(config);
    }

    /**
     * What this machine can enforce, found out in a throw-away process and without a supervisor.
     * Platform threads only.
     *
     * @throws CellException {@code UNSUPPORTED} when the cell does not run here at all
     */
    static Enforced selftest() {
        return Selftest.run();
    }

    /**
     * Attaches to the session's cell, or spawns one when it has none.
     *
     * <p>The epoch fences: from the moment this returns, no holder of a lower epoch can reach the
     * cell. {@link Cell#incarnation()} tells whether it is the process that the caller knew:
     * another incarnation means that what was in flight in the former one is in doubt.
     *
     * @throws CellException {@code FENCED} when the supervisor has seen a higher epoch, {@code
     *     NOT_ENFORCED} when this machine cannot give what the spec requires, {@code FULL} when the
     *     supervisor has as many cells as it may, {@code SUPERVISOR_GONE} when no supervisor runs
     *     and none can be started
     */
    Cell lease(LeaseSpec spec);

    /** The cells that the supervisor holds now, of any host and session, in no order. */
    List<CellSummary> list();

    /**
     * Kills the session's cell with everything in it, and returns when nothing of it is left. A
     * session without a cell is no error.
     *
     * @param epoch the caller's lease epoch; a lower one than the supervisor knows is fenced
     */
    void kill(SessionId session, Epoch epoch);

    /**
     * Gives the session's cell a way out: from now on what its commands connect to at port {@link
     * CellNetwork#PORT} of their loopback comes here. One that was given before ends.
     *
     * @throws CellException {@code NOT_ENFORCED} when the cell has no network of its own to listen
     *     in, {@code FENCED} when it is not leased under this epoch
     */
    CellNetwork openNetwork(SessionId session, Epoch epoch);

    /** How many cells the supervisor keeps ready now, for whichever client wants the most. */
    int ready();

    /** What this machine can enforce, found out by the supervisor in a throw-away child. */
    Enforced enforceable();

    /**
     * Ends the supervisor with all cells and everything in them; for who takes the state directory
     * away. A later {@link #lease} starts a new one.
     */
    void endAll();

    /**
     * Lets go of every cell leased here and of the supervisor. Cells and their commands live on and
     * can be leased again; use {@link #kill} to end one.
     */
    @Override
    void close();
}
