package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.id.ActionId;

/**
 * The end of an action: the entry that is fed to the core and the status that the row keeps.
 *
 * @param end COMPLETED, FAILED, CANCELLED, BLOCKED (policy said no, or a person did) or IN_DOUBT
 *     (the core is told that nobody knows)
 */
public record Ending(ActionId action, ActionStatus end, NewEntry entry) {

    /** Throws {@link IllegalArgumentException} for a status that is no end. */
    public Ending {
        boolean legal =
                switch (end) {
                    case COMPLETED, FAILED, CANCELLED, BLOCKED, IN_DOUBT -> true;
                    case REQUESTED, WAITING_APPROVAL, WAITING_INPUT, DISPATCHED -> false;
                };
        if (!legal) {
            throw new IllegalArgumentException("action " + action + " cannot end as " + end);
        }
    }
}
