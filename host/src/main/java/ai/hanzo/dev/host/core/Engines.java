package ai.hanzo.dev.host.core;

import com.dylibso.chicory.runtime.ChicoryInterruptedException;
import com.dylibso.chicory.wasm.ChicoryException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs calls of one module: each on an engine that nobody else has meanwhile, watched, and never on
 * a virtual thread, whose carrier a loop in the module would hold. A virtual caller waits for one
 * of a fixed number of platform threads; a platform caller runs the call itself.
 *
 * <p>Safe for all threads.
 */
final class Engines implements AutoCloseable {
    /** Calls that wait for a thread; each is a session, so this bounds sessions in a step. */
    private static final int MAX_WAITING = 65_536;

    private final CoreProgram core;
    private final WasiHost host;
    private final CoreLimits limits;
    private final Watchdog watchdog;
    private final ExecutorService threads;

    /** Engines that nobody uses; a thread begins to look at a place of its own. */
    private final AtomicReferenceArray<@Nullable Slot> idle;

    /** An engine and what watches it. */
    private record Slot(Engine engine, Watchdog.Guard guard) {}

    Engines(CoreProgram core, WasiHost host, CoreLimits limits, int threads) {
        this.core = core;
        this.host = host;
        this.limits = limits;
        this.watchdog = new Watchdog(limits.deadline());
        this.idle = new AtomicReferenceArray<>(2 * threads);
        this.threads =
                new ThreadPoolExecutor(
                        threads,
                        threads,
                        0,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(MAX_WAITING),
                        Thread.ofPlatform().name("core-", 0).daemon().factory());
    }

    /**
     * Runs a call.
     *
     * @throws CoreException {@code DEADLINE}, {@code INTERRUPTED} (of a platform caller) or {@code
     *     PANIC} if it did not come to its end; what {@code call} throws itself goes through, and
     *     its engine is dropped too
     */
    <T> T run(Function<Engine, T> call) {
        checkOpen();
        if (!Thread.currentThread().isVirtual()) {
            return runHere(call);
        }
        try {
            return await(threads.submit(() -> runHere(call)));
        } catch (RejectedExecutionException e) {
            throw threads.isShutdown() ? CoreException.gone() : CoreException.crowded();
        }
    }

    /** Throws {@code HANDLE} after the close. */
    void checkOpen() {
        if (threads.isShutdown()) {
            throw CoreException.gone();
        }
    }

    /** The deadline bounds the wait. An interrupt of the caller is kept for afterwards. */
    private static <T> T await(Future<T> future) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return future.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    if (e.getCause() instanceof CoreException failure) {
                        throw failure;
                    }
                    throw new IllegalStateException("a call of the core broke", e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private <T> T runHere(Function<Engine, T> call) {
        boolean interruptedBefore = Thread.interrupted();
        Slot slot = borrow();
        boolean isSound = false;
        boolean wasStopped = false;
        try {
            slot.guard().begin();
            try {
                T answer = call.apply(slot.engine());
                isSound = true;
                return answer;
            } finally {
                // A call that came to its end while it was being stopped is as good as any.
                wasStopped = slot.guard().end();
            }
        } catch (ChicoryInterruptedException e) {
            throw wasStopped
                    ? CoreException.pastDeadline(limits.deadline().toMillis())
                    : CoreException.interrupted();
        } catch (ChicoryException | StackOverflowError | IndexOutOfBoundsException e) {
            throw CoreException.panicked(e);
        } finally {
            giveBack(slot, isSound);
            if (interruptedBefore) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Slot borrow() {
        int places = idle.length();
        for (int i = 0, at = ownPlace(); i < places; i++, at = (at + 1) % places) {
            Slot slot = idle.get(at);
            if (slot != null && idle.compareAndSet(at, slot, null)) {
                return slot;
            }
        }
        var engine = new Engine(core, host, limits.pages());
        return new Slot(engine, watchdog.guard(engine.code()));
    }

    private void giveBack(Slot slot, boolean isSound) {
        int places = idle.length();
        for (int i = 0, at = ownPlace(); isSound && i < places; i++, at = (at + 1) % places) {
            if (idle.get(at) == null && idle.compareAndSet(at, null, slot)) {
                return;
            }
        }
        watchdog.remove(slot.guard());
    }

    private int ownPlace() {
        return (int) (Thread.currentThread().threadId() % idle.length());
    }

    /** Calls that are inside come to their end; nothing new begins on the threads. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            // What is inside is still watched, so it ends.
            threads.awaitTermination(limits.deadline().toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            watchdog.close();
        }
    }
}
