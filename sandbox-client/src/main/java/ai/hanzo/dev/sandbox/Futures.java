package ai.hanzo.dev.sandbox;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waiting with a deadline, in terms of {@link CellException}. */
final class Futures {

    private Futures() {}

    /**
     * The value, or the {@link CellException} that it was completed with.
     *
     * @param what the subject of the sentence when it does not come
     */
    static <T> T get(CompletableFuture<T> future, Duration atMost, String what) {
        try {
            return future.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw CellException.timeout(what, atMost);
        } catch (InterruptedException e) {
            throw CellException.interrupted("The wait for an answer");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CellException known) {
                throw known.again();
            }
            throw new IllegalStateException(what + " failed", e.getCause());
        }
    }
}
