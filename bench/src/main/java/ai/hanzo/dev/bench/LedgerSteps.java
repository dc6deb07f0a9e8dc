package ai.hanzo.dev.bench;

import ai.hanzo.dev.ledger.Store;
import ai.hanzo.dev.protocol.id.HostId;
import ai.hanzo.dev.protocol.id.Uuid7;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;

/** Ours: sessions that do nothing but actions, on virtual threads as the host's loops. */
final class LedgerSteps implements StepEngine {
    private final Store store;
    private final HostId host;
    private final Uuid7 ids;
    private final int atOnce;
    private final LedgerLoad session;

    LedgerSteps(Store store, HostId host, Uuid7 ids, int atOnce) {
        this.store = store;
        this.host = host;
        this.ids = ids;
        this.atOnce = atOnce;
        this.session = LedgerLoad.open(store, host, ids);
    }

    @Override
    public String name() {
        return "hanzo dev";
    }

    @Override
    public double one(int steps) throws InterruptedException {
        long[] nanos = new long[steps];
        run(
                List.of(() -> {
                    for (int i = 0; i < steps; i++) {
                        long start = System.nanoTime();
                        session.act();
                        nanos[i] = System.nanoTime() - start;
                    }
                }));
        return Median.millis(nanos);
    }

    @Override
    public double many(int seconds) throws InterruptedException {
        LongAdder done = new LongAdder();
        long begun = System.nanoTime();
        long end = begun + seconds * 1_000_000_000L;
        Runnable steps =
                () -> {
                    LedgerLoad mine = LedgerLoad.open(store, host, ids);
                    while (System.nanoTime() < end) {
                        mine.act();
                        done.increment();
                    }
                };
        run(Collections.nCopies(atOnce, steps));
        return done.sum() * 1e9 / (System.nanoTime() - begun);
    }

    private static void run(List<Runnable> sessions) throws InterruptedException {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (Runnable one : sessions) {
                running.add(threads.submit(one));
            }
            for (Future<?> one : running) {
                one.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        // The store is its owner's.
    }
}
