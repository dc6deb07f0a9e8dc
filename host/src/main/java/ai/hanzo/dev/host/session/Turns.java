package ai.hanzo.dev.host.session;

import ai.hanzo.dev.ledger.RunStatus;
import ai.hanzo.dev.ledger.StepCommit.RunChange;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.id.TurnId;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The turns of a session that have not ended, the current one first, and the status that their runs
 * have in the ledger. Owned by the session's thread.
 */
final class Turns {
    private final TreeMap<TurnId, RunStatus> turns = new TreeMap<>();

    /** A turn whose run has this status. */
    void put(TurnId turn, RunStatus status) {
        turns.put(turn, status);
    }

    boolean isEmpty() {
        return turns.isEmpty();
    }

    /** The turn that the core works on: the lowest that has not ended. */
    Optional<TurnId> current() {
        return turns.isEmpty() ? Optional.empty() : Optional.of(turns.firstKey());
    }

    /**
     * The core says that a turn is over; what its run becomes, unless it was over before. One that
     * was put away, or waited, runs again first: a reply may come in that very moment.
     */
    List<RunChange> end(Op.Done done) {
        RunStatus before = turns.remove(done.turn());
        if (before == null) {
            return List.of();
        }
        RunChange last =
                switch (done.outcome()) {
                    case COMPLETE -> RunChange.to(done.turn(), RunStatus.COMPLETED);
                    case CANCELLED -> RunChange.to(done.turn(), RunStatus.CANCELLED);
                    case FAILED ->
                            new RunChange(
                                    done.turn(),
                                    RunStatus.FAILED,
                                    Optional.of(done.code()),
                                    Optional.of(done.message()));
                };
        return before.mayBecome(last.to())
                ? List.of(last)
                : List.of(RunChange.to(done.turn(), RunStatus.RUNNING), last);
    }

    /** The current run goes to {@code status}, unless it is there or may not. */
    Optional<RunChange> move(RunStatus status) {
        return current()
                .filter(turn -> turns.getOrDefault(turn, status).mayBecome(status))
                .map(turn -> {
                    turns.put(turn, status);
                    return RunChange.to(turn, status);
                });
    }
}
