package ai.hanzo.dev.host.core;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Stops calls that run past their deadline. Code of a module looks at each turn of a loop whether
 * it is to stop, so such a call ends with an exception.
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
    Guard guard(CoreCode code) {
        var guard = new Guard(limitNanos, code);
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
        /** No call is inside. */
        private static final long NOTHING = 0;

        /** The call that was inside is being stopped. */
        private static final long STOPPED = 1;

        private final long limitNanos;
        private final CoreCode code;

        /** Who is inside; written before the deadline, and not again before that is looked at. */
        private Thread caller = Thread.currentThread();

        /** By {@link System#nanoTime}, or one of the two marks. */
        private final AtomicLong deadlineNanos = new AtomicLong(NOTHING);

        private Guard(long limitNanos, CoreCode code) {
            this.limitNanos = limitNanos;
            this.code = code;
        }

        /** A call begins on this thread. */
        void begin() {
            caller = Thread.currentThread();
            // The last two bits are set, so that it is none of the marks.
            deadlineNanos.setRelease((System.nanoTime() + limitNanos) | 3);
        }

        /** The call has ended. Answers whether it was to be stopped, which is forgotten. */
        boolean end() {
            long seen = deadlineNanos.getAcquire();
            if (seen != STOPPED && deadlineNanos.compareAndSet(seen, NOTHING)) {
                return false;
            }
            // The stop comes right after the mark that was just seen.
            while (!code.takeStop()) {
                Thread.onSpinWait();
            }
            deadlineNanos.setRelease(NOTHING);
            return true;
        }

        /** Stops what is overdue; answers the nanoseconds until something is. */
        private long check(long now) {
            long seen = deadlineNanos.get();
            if (seen == NOTHING || seen == STOPPED) {
                return limitNanos;
            }
            long left = seen - now;
            if (left > 0) {
                return left;
            }
            Thread overdue = caller;
            if (deadlineNanos.compareAndSet(seen, STOPPED)) {
                code.stop(overdue);
            }
            return limitNanos;
        }
    }
}
