package ai.hanzo.dev.host.model;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A wish, made once and from any thread, that something running end now. Safe for all threads. A
 * hook runs once: on the cancelling thread, or at once on the registering thread if the wish was
 * made before.
 */
public final class Cancellation {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by lock.
    private boolean cancelled;
    private final Set<Hook> hooks = new LinkedHashSet<>();

    /** Makes the wish; later calls do nothing. */
    public void cancel() {
        List<Hook> due;
        lock.lock();
        try {
            if (cancelled) {
                return;
            }
            cancelled = true;
            due = List.copyOf(hooks);
            hooks.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        due.forEach(hook -> hook.action.run());
    }

    /** Whether the wish was made. */
    public boolean isCancelled() {
        lock.lock();
        try {
            return cancelled;
        } finally {
            lock.unlock();
        }
    }

    /** Runs {@code action} when the wish is made, until the hook is closed. */
    public Hook onCancel(Runnable action) {
        Hook hook = new Hook(action);
        lock.lock();
        try {
            if (!cancelled) {
                hooks.add(hook);
                return hook;
            }
        } finally {
            lock.unlock();
        }
        action.run();
        return hook;
    }

    /** Waits until the wish is made, or {@code limit} is over; says whether it was made. */
    public boolean await(Duration limit) throws InterruptedException {
        lock.lock();
        try {
            long left = limit.toNanos();
            while (!cancelled && left > 0) {
                left = changed.awaitNanos(left);
            }
            return cancelled;
        } finally {
            lock.unlock();
        }
    }

    /** What {@link #onCancel} registered; closing it forgets the action. */
    public final class Hook implements AutoCloseable {
        private final Runnable action;

        private Hook(Runnable action) {
            this.action = action;
        }

        @Override
        public void close() {
            lock.lock();
            try {
                hooks.remove(this);
            } finally {
                lock.unlock();
            }
        }
    }
}
