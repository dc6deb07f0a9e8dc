package ai.hanzo.dev.sandbox;

import ai.hanzo.dev.zap.CodecException;
import ai.hanzo.dev.zap.dev.CellChangesView;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What one watch pushes: one at a time, the next only after the last was taken. A cell that sends
 * more is breaking the protocol. Threads: pushes come from who receives, one reader takes them.
 */
final class WatchPushes {

    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by {@code lock}: what is taken next. */
    private CompletableFuture<Watch.Changes> coming = new CompletableFuture<>();

    /** Guarded by {@code lock}. */
    private long sequence;

    /** A push of the cell. Throws {@link CodecException} for one that it may not send. */
    void pushed(CellChangesView view) {
        Watch.Changes changes = Replies.changes(view);
        lock.lock();
        try {
            if (changes.sequence() != sequence + 1 || !coming.complete(changes)) {
                throw CodecException.badValue("a push of a watch that was not asked for");
            }
            sequence++;
        } finally {
            lock.unlock();
        }
    }

    /** The lease is over. */
    void fail(CellException why) {
        lock.lock();
        try {
            coming.completeExceptionally(why);
        } finally {
            lock.unlock();
        }
    }

    void close() {
        fail(CellException.closed("This watch"));
    }

    /** What has come; after it another may. Empty when nothing came within {@code atMost}. */
    Optional<Watch.Changes> take(Duration atMost) {
        CompletableFuture<Watch.Changes> awaited = present();
        try {
            Watch.Changes changes = awaited.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
            if (!changes.hasEnded()) {
                next();
            }
            return Optional.of(changes);
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            throw CellException.interrupted("The wait for changes");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CellException known) {
                throw known.again();
            }
            throw new IllegalStateException("a watch failed", e.getCause());
        }
    }

    private CompletableFuture<Watch.Changes> present() {
        lock.lock();
        try {
            return coming;
        } finally {
            lock.unlock();
        }
    }

    private void next() {
        lock.lock();
        try {
            coming = new CompletableFuture<>();
        } finally {
            lock.unlock();
        }
    }
}
