package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.TurnId;
import java.util.List;
import java.util.Optional;

/**
 * All that one step of a session writes, in one transaction.
 *
 * @param consumed the input that was eaten; above the session's last one
 * @param actions the batch, in the core's order
 * @param changes of actions from earlier batches
 * @param notes facts of the host, entered after the actions
 * @param snapshot replaces the session's latest; empty when the core was not called
 * @param keep whether the snapshot is also kept for fork and undo
 * @param runs changes of runs
 * @param state of the session from here on
 * @param used tokens to add to the session's count
 * @param core that the session runs on from here on; empty for the one it had
 */
public record StepCommit(
        Seq consumed,
        List<NewAction> actions,
        List<ActionChange> changes,
        List<NewEntry> notes,
        Optional<Snapshot> snapshot,
        Keep keep,
        List<RunChange> runs,
        StateChange state,
        Usage used,
        Optional<Sha256> core) {

    public StepCommit {
        actions = List.copyOf(actions);
        changes = List.copyOf(changes);
        notes = List.copyOf(notes);
        runs = List.copyOf(runs);
    }

    /** A step on the core that the session had. */
    public StepCommit(
            Seq consumed,
            List<NewAction> actions,
            List<ActionChange> changes,
            List<NewEntry> notes,
            Optional<Snapshot> snapshot,
            Keep keep,
            List<RunChange> runs,
            StateChange state,
            Usage used) {
        this(
                consumed,
                actions,
                changes,
                notes,
                snapshot,
                keep,
                runs,
                state,
                used,
                Optional.empty());
    }

    /** The same step, after which the session runs on {@code other}. */
    public StepCommit onCore(Sha256 other) {
        return new StepCommit(
                consumed,
                actions,
                changes,
                notes,
                snapshot,
                keep,
                runs,
                state,
                used,
                Optional.of(other));
    }

    /** Whether the step's snapshot outlives the next one. */
    public enum Keep {
        LATEST_ONLY,
        FOR_GOOD
    }

    /**
     * An earlier action moves.
     *
     * @param to DISPATCHED (released, or its turn in the batch has come), WAITING_APPROVAL is never
     *     a target, IN_DOUBT, or CANCELLED, which ends it with the eaten entry as its outcome
     * @param marker noted at dispatch
     */
    public record ActionChange(ActionId id, ActionStatus to, Optional<String> marker) {
        /** Throws {@link IllegalArgumentException} for a status that is not a target. */
        public ActionChange {
            boolean legal =
                    switch (to) {
                        case DISPATCHED, IN_DOUBT, CANCELLED -> true;
                        case REQUESTED,
                                BLOCKED,
                                WAITING_APPROVAL,
                                WAITING_INPUT,
                                COMPLETED,
                                FAILED ->
                                false;
                    };
            if (!legal) {
                throw new IllegalArgumentException("action " + id + " cannot move to " + to);
            }
        }
    }

    /** A run moves; the error only for FAILED. */
    public record RunChange(
            TurnId turn, RunStatus to, Optional<String> errorCode, Optional<String> errorText) {

        /** A move without an error. */
        public static RunChange to(TurnId turn, RunStatus to) {
            return new RunChange(turn, to, Optional.empty(), Optional.empty());
        }
    }

    /** The session's state from here on; the error only for FAILED. */
    public record StateChange(
            SessionState to, Optional<String> errorCode, Optional<String> errorText) {

        /** A state without an error. */
        public static StateChange to(SessionState to) {
            return new StateChange(to, Optional.empty(), Optional.empty());
        }
    }
}
