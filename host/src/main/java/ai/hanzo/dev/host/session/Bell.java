package ai.hanzo.dev.host.session;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Wakes one waiting thread; a ring while nobody waits is kept. Safe for all threads. */
final class Bell {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition rung = lock.newCondition();
    // Guarded by lock.
    private boolean isRung;

    void ring() {
        lock.lock();
        try {
            isRung = true;
            rung.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a ring, at most {@code limit}; says whether there was one. */
    boolean await(Duration limit) throws InterruptedException {
        lock.lock();
        try {
            long left = limit.toNanos();
            while (!isRung && left > 0) {
                left = rung.awaitNanos(left);
            }
            boolean was = isRung;
            isRung = false;
            return was;
        } finally {
            lock.unlock();
        }
    }
}
