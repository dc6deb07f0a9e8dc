package ai.hanzo.dev.ledger;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** What all contracts of a store share. */
public abstract class StoreContract {
    /** The store under test; each test makes sessions of its own in it. */
    protected abstract Store store();

    protected Ledger ledger() {
        return store().ledger();
    }

    protected Journal journal() {
        return store().journal();
    }

    /** Runs {@code work} on {@code count} threads that begin together. */
    protected static <T> List<T> atOnce(int count, Numbered<T> work)
            throws InterruptedException, ExecutionException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<T>> calls =
                    IntStream.range(0, count)
                            .mapToObj(i -> (Callable<T>) () -> work.run(i))
                            .toList();
            List<T> results = new ArrayList<>();
            for (Future<T> future : threads.invokeAll(calls)) {
                results.add(future.get());
            }
            return results;
        }
    }

    /** Work that knows its number. */
    @FunctionalInterface
    protected interface Numbered<T> {
        T run(int number) throws Exception;
    }
}
