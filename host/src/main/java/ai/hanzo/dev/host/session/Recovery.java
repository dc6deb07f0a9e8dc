package ai.hanzo.dev.host.session;

import ai.hanzo.dev.host.dispatch.CellEffects;
import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.Outcome;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.sandbox.ActionStatus;
import ai.hanzo.dev.sandbox.Cell;
import ai.hanzo.dev.sandbox.CellException;
import ai.hanzo.dev.sandbox.CellOutcome;
import ai.hanzo.dev.sandbox.ExecRequest;
import ai.hanzo.dev.sandbox.Reply;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * What became of an effect that an earlier host may have sent to a cell. The crash matrix:
 *
 * <pre>
 *   the same life of the cell   it never arrived   → it is sent now, under its id
 *                               it runs            → its outcome is awaited
 *                               it has ended       → its outcome is taken
 *   another life of the cell                       → in doubt; a write is looked at instead
 * </pre>
 *
 * Runs on a thread of its own; blocks until the outcome is known.
 */
final class Recovery {
    /** Longer than any command may take. */
    private static final Duration LONGEST = ExecRequest.MAX_TIMEOUT.plusMinutes(1);

    private final SessionCell cells;
    private final Function<Cell, CellEffects> inCell;

    Recovery(SessionCell cells, Function<Cell, CellEffects> inCell) {
        this.cells = cells;
        this.inCell = inCell;
    }

    /** Nobody knows. */
    static Outcome inDoubt(String why) {
        return Outcome.of(
                Outcome.Status.IN_DOUBT,
                why + "; look before you do it again, it may or may not have happened");
    }

    /**
     * The outcome; empty if the action never arrived and is to be sent.
     *
     * @param marker the life of the cell that the action was sent to
     */
    Optional<Outcome> find(Action action, Optional<String> marker) {
        try {
            Cell cell = cells.get();
            CellEffects effects = inCell.apply(cell);
            if (!marker.equals(Optional.of(cell.incarnation().value()))) {
                return effects.look(action)
                        .or(() -> Optional.of(inDoubt("the sandbox ended while it was under way")));
            }
            return switch (cell.status(action.id())) {
                case ActionStatus.Unknown _ -> Optional.empty();
                case ActionStatus.Held(CellOutcome outcome) ->
                        Optional.of(effects.outcome(action.id(), outcome));
                case ActionStatus.Running _ -> Optional.of(await(cell, effects, action.id()));
                case ActionStatus.Forgotten _ ->
                        Optional.of(inDoubt("the sandbox has forgotten its outcome"));
            };
        } catch (CellException e) {
            return Optional.of(inDoubt(String.valueOf(e.getMessage())));
        }
    }

    private static Outcome await(Cell cell, CellEffects effects, ActionId id) {
        return switch (cell.await(id, LONGEST)) {
            case Reply.Done<CellOutcome>(CellOutcome outcome) -> effects.outcome(id, outcome);
            case Reply.Refused<CellOutcome> refused -> inDoubt(refused.message());
        };
    }
}
