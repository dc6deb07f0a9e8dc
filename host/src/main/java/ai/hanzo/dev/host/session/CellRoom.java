package ai.hanzo.dev.host.session;

import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.sandbox.Cell;
import ai.hanzo.dev.sandbox.CellException;
import ai.hanzo.dev.sandbox.CellNetwork;
import ai.hanzo.dev.sandbox.Cells;
import ai.hanzo.dev.sandbox.LeaseSpec;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Room for one more cell: a supervisor has so many and no more, and most of a host's sessions have
 * nothing to do. Cells that nobody uses stay where they are until one is needed elsewhere; then the
 * one that has been unused for longest is given back. Safe for all threads.
 */
public final class CellRoom {
    /** Unused cells of one host: a quarter of a supervisor's, so that hosts beside it have room. */
    static final int MOST_UNUSED = 64;

    private static final Logger log = LoggerFactory.getLogger(CellRoom.class);

    /** How long a session waits for a cell when all of them are in use. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** Cells of other hosts come free without a word to us. */
    private static final Duration LOOK = Duration.ofMillis(500);

    private final Cells cells;
    private final int mostUnused;
    private final Duration patience;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // Guarded by lock: who has a cell and does not use it, the longest unused first.
    private final LinkedHashSet<Tenant> unused = new LinkedHashSet<>();
    // Guarded by lock: how often a cell came to be unused, or went.
    private long changes;

    /** Who has a cell. */
    interface Tenant {
        /** Ends its cell, unless it is in use again; says whether there is room now. */
        boolean giveBack();
    }

    /** As long as it is open, a cell is in use. */
    public interface Hold extends AutoCloseable {
        /** May be repeated. */
        @Override
        void close();
    }

    /** Room among these cells. */
    public CellRoom(Cells cells) {
        this(cells, MOST_UNUSED, PATIENCE);
    }

    /**
     * The same with other bounds.
     *
     * @param mostUnused of a host's cells; beyond, the longest unused is given back
     * @param patience how long is waited for a cell when all are in use
     */
    CellRoom(Cells cells, int mostUnused, Duration patience) {
        this.cells = cells;
        this.mostUnused = mostUnused;
        this.patience = patience;
    }

    /**
     * A session's cell, as {@link Cells#lease} gives it; room is made for it.
     *
     * @throws CellException as there; {@code FULL} when all cells were in use for a minute
     */
    Cell lease(LeaseSpec spec) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            long seen = changes();
            try {
                return cells.lease(spec);
            } catch (CellException e) {
                if (e.code() != CellException.Code.FULL || System.nanoTime() - deadline > 0) {
                    throw e;
                }
            }
            if (!giveBackOne()) {
                awaitChange(seen);
            }
        }
    }

    /** Ends a session's cell; see {@link Cells#kill}. */
    void kill(SessionId session, Epoch epoch) {
        cells.kill(session, epoch);
    }

    /** A session's way out; see {@link Cells#openNetwork}. */
    CellNetwork openNetwork(SessionId session, Epoch epoch) {
        return cells.openNetwork(session, epoch);
    }

    /** This one's cell is not used now. */
    void isUnused(Tenant tenant) {
        lock.lock();
        try {
            unused.remove(tenant);
            unused.add(tenant);
            changes++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** This one's cell is in use. */
    void isUsed(Tenant tenant) {
        lock.lock();
        try {
            unused.remove(tenant);
        } finally {
            lock.unlock();
        }
    }

    /** This one has no cell any more. */
    void hasNone(Tenant tenant) {
        lock.lock();
        try {
            unused.remove(tenant);
            changes++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Gives back what is too much; for a thread that holds no lock. */
    void trim() {
        while (true) {
            Optional<Tenant> surplus = longestUnused(mostUnused);
            if (surplus.isEmpty()) {
                return;
            }
            boolean _ = surplus.get().giveBack();
        }
    }

    /** Whether there is room for one more now. */
    private boolean giveBackOne() {
        while (true) {
            Optional<Tenant> first = longestUnused(0);
            if (first.isEmpty()) {
                return false;
            }
            if (first.get().giveBack()) {
                log.atDebug().log("a cell was given back: there was no room for another");
                return true;
            }
        }
    }

    /** Takes it out, if there are more than {@code atLeast}. */
    private Optional<Tenant> longestUnused(int atLeast) {
        lock.lock();
        try {
            return unused.size() > atLeast ? Optional.of(unused.removeFirst()) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    private long changes() {
        lock.lock();
        try {
            return changes;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until there is a change that {@code seen} has not, or it is time to look again. */
    private void awaitChange(long seen) {
        lock.lock();
        try {
            long left = LOOK.toNanos();
            while (changes == seen && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            // The next lease says so.
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }
}
