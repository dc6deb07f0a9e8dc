package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.Epoch;
import java.util.Optional;

/** What came of {@link Ledger#turnOver}. */
public sealed interface TurnedOver {

    /**
     * The outcome and the step are in the ledger: now the effects may be sent.
     *
     * @param state of the session, as in {@link Stepped.Committed}
     */
    record Committed(Entry outcome, SessionState state) implements TurnedOver {}

    /** The outcome is in the journal, and no step was made of it: it waits to be eaten. */
    record OutcomeOnly(Entry outcome) implements TurnedOver {}

    /**
     * The outcome is in the journal, though not where the step took it to be, or the action was
     * over before: the step is void, and whoever made it goes back to what the journal says.
     */
    record Overtaken() implements TurnedOver {}

    /** The action is over already, or is unknown; nothing was written, and no step was made. */
    record NotOpen(ActionId action) implements TurnedOver {}

    /** The lease is no longer the session's: stop at once. */
    record Fenced(Epoch current) implements TurnedOver {}

    /** Makes a step of an outcome. */
    @FunctionalInterface
    interface NextStep {
        /**
         * The step that eats {@code outcome}, which is about to be committed; empty if there is
         * none to commit with it. Called at most once, in the session's turn: other writers of this
         * process wait meanwhile.
         */
        Optional<StepCommit> after(Entry outcome);
    }
}
