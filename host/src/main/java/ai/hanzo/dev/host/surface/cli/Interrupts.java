package ai.hanzo.dev.host.surface.cli;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C: the first does what the command says, the second leaves at once with 130; with nothing
 * said, the first leaves.
 */
final class Interrupts {
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Runnable leave;
    // Guarded by this.
    private Optional<Runnable> first = Optional.empty();
    private boolean used;
    private CountDownLatch underWay = new CountDownLatch(0);

    /** What it does instead of leaving is for tests. */
    Interrupts(Runnable leave) {
        this.leave = leave;
    }

    /** Of this process. */
    static Interrupts install() {
        var interrupts = new Interrupts(() -> Runtime.getRuntime().halt(Exit.CANCELLED.code()));
        // Without it Ctrl-C ends the process, and the turn goes on in the host.
        Signals.on("INT", interrupts::fire);
        return interrupts;
    }

    /** What the first Ctrl-C does from now on. */
    synchronized void onFirst(Runnable action) {
        first = Optional.of(action);
        used = false;
    }

    /** The first Ctrl-C leaves from now on. */
    synchronized void clear() {
        first = Optional.empty();
    }

    /** Somebody pressed it. */
    void fire() {
        Optional<Runnable> action;
        CountDownLatch before;
        CountDownLatch mine = new CountDownLatch(1);
        synchronized (this) {
            action = used ? Optional.empty() : first;
            used = true;
            before = underWay;
            underWay = mine;
        }
        try {
            if (action.isEmpty()) {
                // What the first one asked for is to leave this machine before the process does.
                before.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            }
            action.orElse(leave).run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            mine.countDown();
        }
    }
}
