package ai.hanzo.dev.protocol;

import org.jspecify.annotations.Nullable;

/**
 * The places at which a process can be made to end as by SIGKILL, so that tests can show what is
 * found afterwards. Any thread.
 *
 * <p>The system property {@code hanzo.failpoint}, for example {@code T2_BEGUN:3}, ends the process
 * when that place is reached the third time. Without it, which is how it always is outside of
 * tests, {@link #reached} is a look at a constant and costs nothing.
 */
public enum Failpoint {
    /** A session's first rows are written, and not committed. */
    OPEN_WRITTEN,
    /** A session is there, and nobody was told. */
    OPEN_COMMITTED,
    /** An input's transaction is open, and not committed. */
    T1_BEGUN,
    /** An input is there, and nobody was told. */
    T1_COMMITTED,
    /** A lease is committed, and its owner does not know yet. */
    LEASE_TAKEN,
    /** A session was rebuilt from its rows, and nothing of it was taken up. */
    REBUILT,
    /** An input is about to be eaten. */
    INPUT_READ,
    /** The workspace was recorded, and the journal does not say so. */
    CHECKPOINT_TAKEN,
    /** The core has eaten, and nothing of it is written. */
    STEP_READY,
    /** A step's transaction is open, and not committed. */
    T2_BEGUN,
    /** A step is committed, and nothing of it was sent. */
    T2_COMMITTED,
    /** One of a step's actions is about to be sent. */
    SENDING,
    /** A cell was leased, and nothing was sent to it. */
    CELL_LEASED,
    /** An outcome has arrived, and nothing of it is written. */
    OUTCOME_HERE,
    /** An outcome is kept, and the cell does not know. */
    OUTCOME_KEPT,
    /** An outcome is kept, and the cell holds it no more. */
    ACKNOWLEDGED;

    private static final String PROPERTY = "hanzo.failpoint";

    /** As a shell reports a process that was ended by SIGKILL. */
    private static final int KILLED = 137;

    private static final @Nullable Armed ARMED = armed(System.getProperty(PROPERTY));

    /** The place that ends the process. */
    private static final class Armed {
        private final Failpoint place;
        private final java.util.concurrent.atomic.AtomicLong left;

        Armed(Failpoint place, long times) {
            this.place = place;
            this.left = new java.util.concurrent.atomic.AtomicLong(times);
        }

        void reached(Failpoint here) {
            if (here == place && left.decrementAndGet() == 0) {
                Runtime.getRuntime().halt(KILLED);
            }
        }
    }

    private static @Nullable Armed armed(@Nullable String property) {
        if (property == null) {
            return null;
        }
        String[] parts = property.split(":", 2);
        return new Armed(valueOf(parts[0]), parts.length == 1 ? 1 : Long.parseLong(parts[1]));
    }

    /** This place is reached; ends the process if the property says so. */
    public void reached() {
        Armed armed = ARMED;
        if (armed != null) {
            armed.reached(this);
        }
    }
}
