package ai.hanzo.dev.host.core;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Interrupts calls that run past their deadline. Compiled code of a module looks at the interrupt
 * flag at each turn of a loop, so a call that is interrupted ends with an exception.
 *
 * <p>One thread of its own looks; it sleeps until the earliest deadline there can be, so a call
 * costs it nothing. All methods are safe for all threads.
 */
final class Watchdog implements AutoCloseable {
    private final long limitNanos;
    private final List<Guard> guards = new CopyOnWriteArrayList<>();
    private final Thread thread;
    private volatile boolean closed;

    Watchdog(Duration limit) {
        this.limitNanos = limit.toNanos();
        this.thread = Thread.ofPlatform().name("core-watchdog").daemon().start(this::watch);
    }

    /** A guard for one caller at a time; lives as long as the watchdog or until it is removed. */
    Guard guard() {
        var guard = new Guard(limitNanos);
        guards.add(guard);
        return guard;
    }

    void remove(Guard guard) {
        guards.remove(guard);
    }

    private void watch() {
        while (!closed) {
            long now = System.nanoTime();
            // A call that begins after this cannot be due before then.
            long wait = limitNanos;
            for (Guard guard : guards) {
                wait = Math.min(wait, guard.check(now));
            }
            LockSupport.parkNanos(this, Math.max(wait, 1));
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }

    /** Watches one call at a time. */
    static final class Guard {
        private final long limitNanos;
        private final AtomicReference<Watched> current = new AtomicReference<>(Watched.NOTHING);

        private Guard(long limitNanos) {
            this.limitNanos = limitNanos;
        }

        /** A call begins on this thread. */
        void begin() {
            current.set(new Watched(Thread.currentThread(), System.nanoTime() + limitNanos));
        }

        /** The call has ended. The thread's interrupt flag is clear afterwards. */
        void end() {
            Watched seen = current.get();
            if (seen != Watched.STOPPED && current.compareAndSet(seen, Watched.NOTHING)) {
                return;
            }
            // The interrupt comes right after the mark that was just seen.
            while (!Thread.interrupted()) {
                Thread.onSpinWait();
            }
            current.set(Watched.NOTHING);
        }

        /** Interrupts what is overdue; answers the nanoseconds until something is. */
        private long check(long now) {
            Watched seen = current.get();
            if (seen == Watched.NOTHING || seen == Watched.STOPPED) {
                return limitNanos;
            }
            long left = seen.deadlineNanos() - now;
            if (left > 0) {
                return left;
            }
            if (current.compareAndSet(seen, Watched.STOPPED)) {
                seen.thread().interrupt();
            }
            return limitNanos;
        }
    }

    /** A call: who runs it and until when. Compared by identity. */
    private static final class Watched {
        static final Watched NOTHING = new Watched(Thread.currentThread(), 0);
        static final Watched STOPPED = new Watched(Thread.currentThread(), 0);

        private final Thread thread;
        private final long deadlineNanos;

        Watched(Thread thread, long deadlineNanos) {
            this.thread = thread;
            this.deadlineNanos = deadlineNanos;
        }

        Thread thread() {
            return thread;
        }

        long deadlineNanos() {
            return deadlineNanos;
        }
    }
}
