package ai.hanzo.dev.host.session;

import ai.hanzo.dev.ledger.Ending;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Outcomes on their way to the session's thread, which commits each together with the step that it
 * makes of it. One that the thread has no time for goes into the journal by itself, as one that is
 * on its way when the loop ends. Safe for all threads.
 */
final class Outcomes implements AutoCloseable {
    /** Longer than a step takes; a thread that checks a workspace takes longer. */
    private static final Duration PATIENCE = Duration.ofMillis(20);

    private final Runnable whenThere;
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by lock.
    private final Deque<Arrived> arrived = new ArrayDeque<>();
    // Guarded by lock.
    private boolean closed;

    /** What became of an outcome on this way. */
    enum Taken {
        /** It is in the journal, or its action was over before. */
        KEPT,
        /** Another host owns the session. */
        FENCED,
        /** Nobody took it: whoever brought it keeps it. */
        LEFT
    }

    /** An outcome that waits; answered once. */
    record Arrived(Ending ending, CompletableFuture<Taken> answer) {
        void answer(Taken taken) {
            answer.complete(taken);
        }
    }

    /**
     * @param whenThere told of each that arrives
     */
    Outcomes(Runnable whenThere) {
        this.whenThere = whenThere;
    }

    /** Brings an outcome, and waits until it was taken, or is left. */
    Taken bring(Ending ending) throws InterruptedException {
        Arrived mine = new Arrived(ending, new CompletableFuture<>());
        lock.lock();
        try {
            if (closed) {
                return Taken.LEFT;
            }
            arrived.add(mine);
        } finally {
            lock.unlock();
        }
        whenThere.run();
        try {
            return mine.answer().get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            if (takeBack(mine)) {
                return Taken.LEFT;
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("an answer is a value", e);
        }
        return mine.answer().join();
    }

    private boolean takeBack(Arrived mine) {
        lock.lock();
        try {
            return arrived.remove(mine);
        } finally {
            lock.unlock();
        }
    }

    /** The next one, which the caller answers. */
    Optional<Arrived> next() {
        lock.lock();
        try {
            return Optional.ofNullable(arrived.poll());
        } finally {
            lock.unlock();
        }
    }

    /** Leaves those that wait, and all that come. */
    @Override
    public void close() {
        List<Arrived> left;
        lock.lock();
        try {
            closed = true;
            left = new ArrayList<>(arrived);
            arrived.clear();
        } finally {
            lock.unlock();
        }
        left.forEach(one -> one.answer(Taken.LEFT));
    }
}
