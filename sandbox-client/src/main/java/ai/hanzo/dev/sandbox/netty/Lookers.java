package ai.hanzo.dev.sandbox.netty;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Who waits for what comes soon, of all ports of a loop. As many may look as leave a processor to
 * the cells and the loop. When more wait, none looks: the loop is awake then, wakes many at once,
 * and one who looks takes a processor from the others. Threads: any.
 */
final class Lookers {

    private final int most;
    private final AtomicInteger waiting = new AtomicInteger();

    Lookers(int processors) {
        this.most = processors - 1;
    }

    /** Somebody waits. */
    void enter() {
        waiting.incrementAndGet();
    }

    /** Waits no more. */
    void leave() {
        waiting.decrementAndGet();
    }

    /** Whether those who wait may look. */
    boolean mayLook() {
        return waiting.get() <= most;
    }
}
