package ai.hanzo.dev.sandbox;

import static java.util.Objects.requireNonNull;

/** What a cell knows of an action id. */
public sealed interface ActionStatus {

    /** Never ran in this incarnation, and will not unless it is sent (again). */
    record Unknown() implements ActionStatus {}

    /** Runs now; see {@link Cell#await}. */
    record Running() implements ActionStatus {}

    /** Ended; the outcome waits for {@link Cell#ack}. */
    record Held(CellOutcome outcome) implements ActionStatus {
        public Held {
            requireNonNull(outcome, "outcome");
        }
    }

    /** Settled earlier: acknowledged, or at or below the low-water mark. Never runs again. */
    record Forgotten() implements ActionStatus {}
}
