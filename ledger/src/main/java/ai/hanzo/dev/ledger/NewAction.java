package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.TurnId;
import java.util.Optional;

/**
 * One action of a batch: becomes an entry of kind {@code action} and a row.
 *
 * @param kind the op's name in the schema, such as {@code exec}
 * @param payload the Action as a ZAP message
 * @param request digest of the canonical request
 * @param status DISPATCHED what goes out now; REQUESTED what is allowed and waits its turn in the
 *     batch; BLOCKED; WAITING_APPROVAL; WAITING_INPUT a question; COMPLETED what has no outcome
 *     (emit, save, done)
 * @param decision absent only for what policy does not judge (emit, save, done)
 * @param approval what is opened for it; present exactly for WAITING_APPROVAL
 * @param marker noted at dispatch to tell later whether it happened, such as HEAD
 */
public record NewAction(
        ActionId id,
        Optional<TurnId> turn,
        String kind,
        Bytes payload,
        Sha256 request,
        ActionStatus status,
        Optional<DecisionRow> decision,
        Optional<NewApproval> approval,
        Optional<String> marker) {

    /** Throws {@link IllegalArgumentException} for a status that no new action can have. */
    public NewAction {
        boolean legal =
                switch (status) {
                    case REQUESTED, BLOCKED, WAITING_INPUT, DISPATCHED, COMPLETED ->
                            approval.isEmpty();
                    case WAITING_APPROVAL -> approval.isPresent();
                    case IN_DOUBT, FAILED, CANCELLED -> false;
                };
        if (!legal) {
            throw new IllegalArgumentException("action " + id + " cannot begin as " + status);
        }
    }
}
