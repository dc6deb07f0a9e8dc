package ai.hanzo.dev.host.session;

import ai.hanzo.dev.protocol.Failpoint;
import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.sandbox.Cell;
import ai.hanzo.dev.sandbox.Cells;
import ai.hanzo.dev.sandbox.LeaseSpec;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The cell of a session, leased when it is first needed and again when it was lost. Safe for the
 * session's thread and those of its effects.
 */
final class SessionCell implements AutoCloseable {
    private final Cells cells;
    private final LeaseSpec spec;
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by lock.
    private @Nullable Cell cell;
    private boolean closed;

    SessionCell(Cells cells, LeaseSpec spec) {
        this.cells = cells;
        this.spec = spec;
    }

    /** A cell that was leased for the same session and epoch before there was a loop. */
    void adopt(Cell leased) {
        lock.lock();
        try {
            if (cell == null && leased.epoch().equals(spec.epoch())) {
                cell = leased;
                return;
            }
        } finally {
            lock.unlock();
        }
        leased.close();
    }

    /**
     * The living cell.
     *
     * @throws ai.hanzo.dev.sandbox.CellException when there is none and none can be had
     */
    Cell get() {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("the session's loop has ended");
            }
            Cell held = cell;
            if (held == null) {
                held = cells.lease(spec);
                cell = held;
                Failpoint.CELL_LEASED.reached();
            }
            return held;
        } finally {
            lock.unlock();
        }
    }

    /** The cell that is leased now, if one is. */
    Optional<Cell> current() {
        lock.lock();
        try {
            return Optional.ofNullable(cell);
        } finally {
            lock.unlock();
        }
    }

    /** {@code broken} can be used no more; the next {@link #get} leases anew. */
    @SuppressWarnings("ReferenceEquality") // this very cell, not one that equals it
    void lost(Cell broken) {
        lock.lock();
        try {
            if (cell != broken) {
                return;
            }
            cell = null;
        } finally {
            lock.unlock();
        }
        broken.close();
    }

    /** Ends the cell and everything in it. */
    void kill() {
        close();
        cells.kill(spec.session(), spec.epoch());
    }

    Epoch epoch() {
        return spec.epoch();
    }

    /** Lets go; the cell and its commands live on. */
    @Override
    public void close() {
        Cell held;
        lock.lock();
        try {
            closed = true;
            held = cell;
            cell = null;
        } finally {
            lock.unlock();
        }
        if (held != null) {
            held.close();
        }
    }
}
