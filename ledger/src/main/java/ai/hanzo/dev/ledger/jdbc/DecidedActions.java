package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.ArchiveRow;
import ai.hanzo.dev.ledger.DecisionRow;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.Seq;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Brings the actions of a session that arrives together with what was decided of them, which comes
 * after the last of them and goes into the same row. Holds all of them, some hundred bytes each,
 * and not more than there are entries. One thread.
 */
final class DecidedActions {
    private final long most;
    private final Map<ActionId, Decided> all = new LinkedHashMap<>();

    /**
     * @param most actions that there can be
     */
    DecidedActions(Seq most) {
        this.most = most.value();
    }

    /** An action, and what policy said of it. */
    record Decided(ArchiveRow.OfAction action, Optional<DecisionRow> decision) {}

    /**
     * Whether the row was one of those two, and is kept.
     *
     * @throws ArchiveWriting.NotAsWritten if it is there already, or its action is not
     */
    boolean take(ArchiveRow row) {
        return switch (row) {
            case ArchiveRow.OfAction action -> {
                add(action);
                yield true;
            }
            case ArchiveRow.OfDecision(var action, var decision, var _) -> {
                decide(action, decision);
                yield true;
            }
            case ArchiveRow.OfEntry _, ArchiveRow.OfRun _, ArchiveRow.OfApproval _ -> false;
        };
    }

    private void add(ArchiveRow.OfAction action) {
        if (all.size() >= most) {
            throw new ArchiveWriting.NotAsWritten(
                    action.seq(), "There are more actions than entries.");
        }
        if (all.put(action.id(), new Decided(action, Optional.empty())) != null) {
            throw new ArchiveWriting.NotAsWritten(
                    action.seq(), "Action " + action.id() + " is there twice.");
        }
    }

    private void decide(ActionId id, DecisionRow decision) {
        Decided there = all.get(id);
        if (there == null) {
            throw new ArchiveWriting.NotAsWritten(
                    new Seq(0), "There is a decision of action " + id + ", which is not there.");
        }
        if (there.decision().isPresent()) {
            throw new ArchiveWriting.NotAsWritten(
                    there.action().seq(), "Action " + id + " was decided twice.");
        }
        all.put(id, new Decided(there.action(), Optional.of(decision)));
    }

    /** All that were taken, in order; afterwards there are none. */
    List<Decided> drain() {
        List<Decided> taken = List.copyOf(all.values());
        all.clear();
        return taken;
    }
}
