package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.LedgerException;
import ai.hanzo.dev.protocol.id.SessionId;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Queues the writers of a session before they take a connection. They would wait for the session's
 * row anyway, one after the other; waiting there, a few dozen of them would hold every connection
 * of the pool and keep all other sessions out. First come, first served. Safe for all threads.
 */
final class SessionQueues {
    /** Far above what a queue of hundreds takes; a commit takes milliseconds. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ConcurrentHashMap<SessionId, Queue> queues = new ConcurrentHashMap<>();

    /** The lock of a session, and how many hold it or wait for it: changed within compute only. */
    private static final class Queue {
        private final ReentrantLock lock = new ReentrantLock(true);
        private int members;
    }

    /** What is done when it is its turn. */
    @FunctionalInterface
    interface Turn<T> {
        T take() throws SQLException;
    }

    /** Does {@code turn} when those who came before for {@code session} are done. */
    <T> T inTurn(SessionId session, Turn<T> turn) throws SQLException {
        Queue queue =
                queues.compute(
                        session,
                        (_, there) -> {
                            Queue mine = there == null ? new Queue() : there;
                            mine.members++;
                            return mine;
                        });
        try {
            await(queue, session);
            try {
                return turn.take();
            } finally {
                queue.lock.unlock();
            }
        } finally {
            queues.computeIfPresent(session, (_, there) -> --there.members == 0 ? null : there);
        }
    }

    private static void await(Queue queue, SessionId session) {
        try {
            if (queue.lock.tryLock(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
            throw LedgerException.conflict(
                    new TimeoutException("the writers of " + session + " do not come to an end"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw LedgerException.conflict(e);
        }
    }
}
