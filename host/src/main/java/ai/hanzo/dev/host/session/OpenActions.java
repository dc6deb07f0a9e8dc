package ai.hanzo.dev.host.session;

import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.TurnId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The actions of a session whose outcome is still to come, in the order of their ids: what the
 * ledger's rows say, kept at hand. Owned by the session's thread.
 */
final class OpenActions {
    private final TreeMap<ActionId, Open> actions = new TreeMap<>();
    private long highest;

    /**
     * One open action.
     *
     * @param status as in its row
     * @param approved whether a person has said yes to an action that still waits its turn
     */
    record Open(Action action, Optional<TurnId> turn, ActionStatus status, boolean approved) {
        Open to(ActionStatus next) {
            return new Open(action, turn, next, approved);
        }

        Open approve() {
            return new Open(action, turn, status, true);
        }

        /** Whether nothing but those before it keeps it from being sent. */
        boolean isReady() {
            return status == ActionStatus.REQUESTED
                    || (status == ActionStatus.WAITING_APPROVAL && approved);
        }
    }

    void put(Open open) {
        highest = Math.max(highest, open.action().id().value());
        actions.put(open.action().id(), open);
    }

    Optional<Open> get(ActionId id) {
        return Optional.ofNullable(actions.get(id));
    }

    /**
     * The highest id at or below which every action is settled for good; empty if none is known.
     */
    Optional<ActionId> settled() {
        long mark = actions.isEmpty() ? highest : actions.firstKey().value() - 1;
        return mark > 0 ? Optional.of(new ActionId(mark)) : Optional.empty();
    }

    void remove(ActionId id) {
        actions.remove(id);
    }

    void clear() {
        actions.clear();
    }

    /** All, by rising id. */
    List<Open> all() {
        return new ArrayList<>(actions.values());
    }

    boolean isEmpty() {
        return actions.isEmpty();
    }

    boolean any(ActionStatus status) {
        return actions.values().stream().anyMatch(open -> open.status() == status);
    }

    /** Whether an effect that runs alone is open: then the next one waits. */
    boolean hasSerial() {
        return serials() > 0;
    }

    /** Effects that run alone, one after the other. */
    long serials() {
        return actions.values().stream().filter(open -> isSerial(open.action().op())).count();
    }

    /** The effect whose turn it is, if it is ready to go out. */
    Optional<Open> nextSerial() {
        return actions.values().stream()
                .filter(open -> isSerial(open.action().op()))
                .findFirst()
                .filter(Open::isReady);
    }

    /**
     * Whether {@code op} changes the workspace, so that it runs alone and in call order; everything
     * else runs side by side.
     */
    static boolean isSerial(Op op) {
        return switch (op) {
            case Op.Write _, Op.Patch _, Op.Exec _, Op.Git _ -> true;
            case Op.Read _,
                    Op.ListFiles _,
                    Op.Search _,
                    Op.Stat _,
                    Op.ModelAsk _,
                    Op.Browse _,
                    Op.Send _,
                    Op.Ask _,
                    Op.Emit _,
                    Op.Save _,
                    Op.Done _ ->
                    false;
        };
    }
}
