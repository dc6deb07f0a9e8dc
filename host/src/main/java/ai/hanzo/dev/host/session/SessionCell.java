package ai.hanzo.dev.host.session;

import ai.hanzo.dev.host.dispatch.CellProxies;
import ai.hanzo.dev.host.dispatch.CellProxy;
import ai.hanzo.dev.policy.Destination;
import ai.hanzo.dev.protocol.Failpoint;
import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.sandbox.Cell;
import ai.hanzo.dev.sandbox.CellException;
import ai.hanzo.dev.sandbox.LeaseSpec;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cell of a session, leased when it is first needed and again when it was lost or given back,
 * which it is only while nobody holds it. Safe for the session's thread and those of its effects.
 */
final class SessionCell implements AutoCloseable, CellRoom.Tenant {
    private static final Logger log = LoggerFactory.getLogger(SessionCell.class);

    private final CellRoom cells;
    private final LeaseSpec spec;
    private final CellProxies proxies;
    private final List<Destination> network;
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by lock.
    private @Nullable Cell cell;
    // Guarded by lock: the way out of that cell, when it has one.
    private @Nullable CellProxy proxy;
    private boolean closed;
    // Guarded by lock.
    private int holds;

    /**
     * @param network where its commands may connect to; none: they have no network
     */
    SessionCell(CellRoom cells, LeaseSpec spec, CellProxies proxies, List<Destination> network) {
        this.cells = cells;
        this.spec = spec;
        this.proxies = proxies;
        this.network = List.copyOf(network);
    }

    /** A cell that was leased for the same session and epoch before there was a loop. */
    void adopt(Cell leased) {
        lock.lock();
        try {
            if (cell == null && leased.epoch().equals(spec.epoch())) {
                cell = leased;
                openWayOut();
                tell();
                return;
            }
        } finally {
            lock.unlock();
        }
        leased.close();
    }

    /** Keeps the cell, or the next one, from being given back. */
    CellRoom.Hold hold() {
        lock.lock();
        try {
            holds++;
            cells.isUsed(this);
        } finally {
            lock.unlock();
        }
        AtomicBoolean isOver = new AtomicBoolean();
        return () -> {
            if (isOver.compareAndSet(false, true)) {
                letGo();
            }
        };
    }

    private void letGo() {
        lock.lock();
        try {
            holds--;
            tell();
        } finally {
            lock.unlock();
        }
        cells.trim();
    }

    /** With {@code lock} held. */
    private void tell() {
        if (cell == null) {
            cells.hasNone(this);
        } else if (holds == 0) {
            cells.isUnused(this);
        }
    }

    @Override
    public boolean giveBack() {
        // Who has the lock is about to use it; and may itself be looking for room.
        if (!lock.tryLock()) {
            return false;
        }
        try {
            Cell held = cell;
            if (held == null || holds > 0) {
                return false;
            }
            cell = null;
            closeWayOut();
            held.close();
            cells.kill(spec.session(), spec.epoch());
            return true;
        } catch (CellException e) {
            log.atDebug()
                    .addKeyValue("session", spec.session())
                    .addKeyValue("code", e.code())
                    .log("the cell was not ended");
            return false;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The living cell. For who holds it: else it may be given back at any moment.
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
            if (held != null && !held.isOver()) {
                return held;
            }
            if (held != null) {
                // It died while nobody used it: what is about to be sent has nothing to do with it.
                cell = null;
                closeWayOut();
                held.close();
            }
            Cell leased = cells.lease(spec);
            cell = leased;
            openWayOut();
            Failpoint.CELL_LEASED.reached();
            return leased;
        } finally {
            lock.unlock();
        }
    }

    /** With {@code lock} held. A cell that can have no network is one without. */
    private void openWayOut() {
        if (network.isEmpty()) {
            return;
        }
        try {
            proxy = proxies.serve(cells.openNetwork(spec.session(), spec.epoch()), network);
        } catch (CellException e) {
            log.atWarn()
                    .addKeyValue("session", spec.session())
                    .addKeyValue("reason", e.getMessage())
                    .log("commands have no network although the policy allows it");
        }
    }

    private void closeWayOut() {
        if (proxy != null) {
            proxy.close();
            proxy = null;
        }
    }

    /** Connections that were denied since this was asked last. */
    List<String> deniedConnections() {
        lock.lock();
        try {
            return proxy == null ? List.of() : proxy.denied();
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
            closeWayOut();
            tell();
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
            closeWayOut();
            tell();
        } finally {
            lock.unlock();
        }
        if (held != null) {
            held.close();
        }
    }
}
