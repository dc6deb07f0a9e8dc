package ai.hanzo.dev.host.session;

import ai.hanzo.dev.host.core.CoreDigest;
import ai.hanzo.dev.host.core.CoreException;
import ai.hanzo.dev.host.model.Models.Selection;
import ai.hanzo.dev.host.model.ProviderSettings;
import ai.hanzo.dev.ledger.Lease;
import ai.hanzo.dev.ledger.Leases;
import ai.hanzo.dev.ledger.LedgerException;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.protocol.id.HostId;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.sandbox.Cell;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sessions that this host owns, one loop each, and the keys of their providers, which live here
 * and nowhere else. Safe for all threads.
 */
public final class LiveSessions implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LiveSessions.class);
    private static final Duration FIRST_RETRY = Duration.ofMillis(500);
    private static final Duration LONGEST_RETRY = Duration.ofSeconds(15);
    private static final Duration DRAIN = Duration.ofSeconds(10);

    /** A session is taken up within this, or somebody else has it. */
    private static final Duration BEGINNING = Duration.ofSeconds(15);

    private final SessionParts parts;
    private final ProviderSettings hostSettings;
    private final HostId host;
    private final Map<SessionId, ProviderSettings> settings = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by lock.
    private final Map<SessionId, Running> running = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /** A session with a loop, or on its way to one. */
    private static final class Running {
        private final Bell retry = new Bell();
        private final CompletableFuture<Boolean> begun = new CompletableFuture<>();
        private volatile Optional<SessionLoop> loop = Optional.empty();
        private volatile Optional<Lease> lease = Optional.empty();
        private volatile boolean stopping;
        private volatile Optional<Thread> thread = Optional.empty();
    }

    /**
     * @param hostSettings provider variables of the host's own environment, for sessions that bring
     *     none
     */
    public LiveSessions(SessionParts parts, HostId host, ProviderSettings hostSettings) {
        this.parts = parts;
        this.host = host;
        this.hostSettings = hostSettings;
    }

    /**
     * Refuses a session whose core this host does not have, before it is given something to do.
     *
     * @throws CoreException {@code DIGEST}, with the next step
     */
    public void requireCore(Session session) {
        var digest = new CoreDigest(session.core().toHex());
        if (!parts.cores().holds(digest)) {
            throw CoreException.unknownDigest(digest);
        }
    }

    /** Adds the provider variables that a caller brought; they are never stored. */
    public void learn(SessionId session, ProviderSettings brought) {
        parts.vaults().secrets().add(brought.secrets());
        settings.merge(session, brought, (old, fresh) -> fresh.orElse(old));
    }

    /** The provider of a model for a session, or why there is none. */
    public Selection select(SessionId session, String spec, String script) {
        ProviderSettings mine = settings.getOrDefault(session, ProviderSettings.of(Map.of()));
        return parts.models()
                .select(
                        spec,
                        script.isEmpty() ? Optional.empty() : Optional.of(script),
                        mine.orElse(hostSettings));
    }

    /** The provider for a session that is not there yet. */
    public Selection select(String spec, Optional<String> script, ProviderSettings brought) {
        return parts.models().select(spec, script, brought.orElse(hostSettings));
    }

    /** Makes sure that somebody works on the session: this host, unless another one does. */
    public void ensure(OrgId org, SessionId session) {
        ensure(org, session, Optional.empty());
    }

    /** The same, with the cell that was leased for it already. */
    public void ensure(OrgId org, SessionId session, Optional<Cell> leased) {
        Running mine;
        lock.lock();
        try {
            if (closed) {
                leased.ifPresent(Cell::close);
                return;
            }
            Running there = running.get(session);
            if (there != null) {
                there.loop.ifPresent(SessionLoop::ring);
                there.retry.ring();
                leased.ifPresent(Cell::close);
                return;
            }
            mine = new Running();
            running.put(session, mine);
        } finally {
            lock.unlock();
        }
        Thread thread =
                Thread.ofVirtual()
                        .name("session-" + session)
                        .unstarted(() -> work(org, session, mine, leased));
        mine.thread = Optional.of(thread);
        thread.start();
    }

    private void work(OrgId org, SessionId session, Running mine, Optional<Cell> leased) {
        boolean again = false;
        try {
            again = own(org, session, mine, leased);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            log.atError()
                    .addKeyValue("session", session)
                    .setCause(e)
                    .log("the session's loop broke");
        } finally {
            mine.begun.complete(false);
            lock.lock();
            try {
                running.remove(session);
            } finally {
                lock.unlock();
            }
        }
        if (again) {
            ensure(org, session);
        }
    }

    /** Owns the session until it is over here; says whether it must be looked at once more. */
    private boolean own(OrgId org, SessionId session, Running mine, Optional<Cell> leased)
            throws InterruptedException {
        Optional<Lease> lease = acquirePatiently(org, session, mine);
        if (lease.isEmpty()) {
            leased.ifPresent(Cell::close);
            return false;
        }
        mine.lease = lease;
        Optional<Cell> cell = leased;
        Duration wait = FIRST_RETRY;
        while (true) {
            SessionLoop loop =
                    new SessionLoop(
                            parts,
                            lease.get(),
                            () -> (spec, script) -> select(session, spec, script),
                            cell);
            cell = Optional.empty();
            mine.loop = Optional.of(loop);
            mine.begun.complete(true);
            if (mine.stopping || closed) {
                loop.stop();
            }
            try {
                SessionLoop.End end = loop.run();
                if (end != SessionLoop.End.GONE) {
                    parts.store().leases().release(lease.get());
                }
                if (end == SessionLoop.End.AWAY) {
                    settings.remove(session);
                }
                boolean rests = end == SessionLoop.End.IDLE || end == SessionLoop.End.AWAY;
                return rests && hasNews(org, session);
            } catch (Fenced e) {
                log.atInfo().addKeyValue("session", session).log(String.valueOf(e.getMessage()));
                return false;
            } catch (Overtaken e) {
                log.atInfo().addKeyValue("session", session).log(String.valueOf(e.getMessage()));
                continue;
            } catch (LedgerException | CoreException e) {
                log.atWarn()
                        .addKeyValue("session", session)
                        .setCause(e)
                        .log("the loop starts anew from the ledger");
            } catch (RuntimeException e) {
                // A fault of ours: a session without a loop under a lease that lives would hang.
                log.atError()
                        .addKeyValue("session", session)
                        .setCause(e)
                        .log("the loop broke, and starts anew from the ledger");
            }
            if (mine.stopping || closed) {
                return false;
            }
            mine.retry.await(wait);
            wait = longer(wait);
        }
    }

    private static Duration longer(Duration wait) {
        Duration twice = wait.multipliedBy(2);
        return twice.compareTo(LONGEST_RETRY) > 0 ? LONGEST_RETRY : twice;
    }

    /**
     * Asks for the lease until the database says yes or no: after a commit of unknown outcome it
     * may be ours, and a session under our lease without a loop would wait for ever.
     */
    private Optional<Lease> acquirePatiently(OrgId org, SessionId session, Running mine)
            throws InterruptedException {
        Duration wait = FIRST_RETRY;
        while (!mine.stopping && !closed) {
            try {
                return acquire(org, session);
            } catch (LedgerException e) {
                log.atWarn()
                        .addKeyValue("session", session)
                        .addKeyValue("code", e.code())
                        .log("no lease yet");
            }
            mine.retry.await(wait);
            wait = longer(wait);
        }
        return Optional.empty();
    }

    /** An input that came between the loop's last look and the release of its lease. */
    private boolean hasNews(OrgId org, SessionId session) {
        return !parts.store().journal().unconsumed(org, session, 1).isEmpty();
    }

    private Optional<Lease> acquire(OrgId org, SessionId session) {
        return switch (parts.store().leases().acquire(org, session, host)) {
            case Leases.Acquired.Granted(Lease lease) -> {
                log.atInfo()
                        .addKeyValue("session", session)
                        .addKeyValue("epoch", lease.epoch())
                        .log("lease taken");
                yield Optional.of(lease);
            }
            case Leases.Acquired.HeldBy _, Leases.Acquired.NotLeasable _ -> Optional.empty();
            case Leases.Acquired.HostDead _ -> {
                log.atError()
                        .addKeyValue("host", host)
                        .log("no lease: this host has not beaten in time");
                yield Optional.empty();
            }
        };
    }

    /**
     * A person's stay in the cell of a session, which is not put away for idleness meanwhile.
     *
     * @param cell the living one; a later use may find that it has ended
     * @param longer keeps the cell for longer than the visit
     */
    public record Visit(Cell cell, Supplier<CellRoom.Hold> longer, Runnable leave)
            implements AutoCloseable {
        /** Once. */
        @Override
        public void close() {
            leave.run();
        }
    }

    /**
     * Enters the cell of a session, which is leased for it when there is none.
     *
     * @return empty when another host owns the session, or it has just been put away
     * @throws ai.hanzo.dev.sandbox.CellException when no cell can be had
     */
    public Optional<Visit> visit(OrgId org, SessionId session) throws InterruptedException {
        ensure(org, session);
        Running mine = running.get(session);
        if (mine == null || !begun(mine)) {
            return Optional.empty();
        }
        Optional<SessionLoop> loop = mine.loop;
        Optional<SessionCell> place =
                loop.isEmpty() ? Optional.empty() : loop.get().place(BEGINNING);
        if (place.isEmpty()) {
            return Optional.empty();
        }
        loop.get().enter();
        CellRoom.Hold hold = place.get().hold();
        Runnable leave =
                () -> {
                    hold.close();
                    loop.get().leave();
                };
        try {
            return Optional.of(new Visit(place.get().get(), place.get()::hold, leave));
        } catch (IllegalStateException e) {
            // The loop ended in between.
            leave.run();
            return Optional.empty();
        } catch (RuntimeException e) {
            leave.run();
            throw e;
        }
    }

    private static boolean begun(Running mine) throws InterruptedException {
        try {
            return mine.begun.get(BEGINNING.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a beginning is a value", e);
        }
    }

    /** A cell that a visitor found broken is leased anew for the next. */
    public void lost(SessionId session, Cell broken) {
        Optional.ofNullable(running.get(session))
                .flatMap(mine -> mine.loop)
                .ifPresent(loop -> loop.lost(broken));
    }

    /** The lease under which this host works on a session now. */
    public Optional<Lease> leaseOf(SessionId session) {
        return Optional.ofNullable(running.get(session)).flatMap(mine -> mine.lease);
    }

    /** The number of sessions with a loop. */
    public int count() {
        return running.size();
    }

    /** Ends the loop of a session; its lease is released when it has ended. */
    public void stop(SessionId session) {
        Optional.ofNullable(running.get(session))
                .ifPresent(mine -> {
                    mine.stopping = true;
                    mine.loop.ifPresent(SessionLoop::stop);
                    mine.retry.ring();
                });
        settings.remove(session);
    }

    /**
     * Ends all loops and waits until each has finished its step; cells and the commands in them
     * live on. A loop that does not end in time is cut off by the closed ledger, which loses
     * nothing.
     */
    @Override
    public void close() {
        closed = true;
        List<Thread> threads =
                running.values().stream().flatMap(mine -> mine.thread.stream()).toList();
        running.keySet().forEach(this::stop);
        long deadline = System.nanoTime() + DRAIN.toNanos();
        try {
            for (Thread thread : threads) {
                long left = deadline - System.nanoTime();
                if (left > 0) {
                    thread.join(Duration.ofNanos(left));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
