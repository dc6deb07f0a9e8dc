package ai.hanzo.dev.host.model;

import java.time.Duration;

/** How to wait: for real, or as a test likes it. */
interface Pauses {
    /** Waits for real. */
    Pauses REAL = (pause, stop) -> stop.await(pause);

    /** Waits until {@code pause} is over or {@code stop} is set; says whether it is set. */
    boolean pause(Duration pause, Cancellation stop) throws InterruptedException;
}
