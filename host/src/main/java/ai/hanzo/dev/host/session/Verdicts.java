package ai.hanzo.dev.host.session;

import ai.hanzo.dev.host.stream.OpText;
import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.Approval;
import ai.hanzo.dev.ledger.DecisionRow;
import ai.hanzo.dev.ledger.NewAction;
import ai.hanzo.dev.ledger.NewApproval;
import ai.hanzo.dev.policy.Decision;
import ai.hanzo.dev.policy.Facts;
import ai.hanzo.dev.policy.Policy;
import ai.hanzo.dev.policy.PolicyInput;
import ai.hanzo.dev.policy.Rules;
import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.ApprovalId;
import ai.hanzo.dev.protocol.id.TurnId;
import ai.hanzo.dev.protocol.id.Uuid7;
import ai.hanzo.dev.protocol.wire.ActionWire;
import java.util.List;
import java.util.Optional;

/**
 * Puts policy's decision on each action into the row that the ledger keeps of it. Decides nothing
 * itself. Threads: any.
 */
final class Verdicts {
    private final Rules rules;
    private final ActionFacts facts;
    private final Uuid7 ids;

    Verdicts(Rules rules, ActionFacts facts, Uuid7 ids) {
        this.rules = rules;
        this.facts = facts;
        this.ids = ids;
    }

    /** What the host knows of an action before policy is asked. */
    interface ActionFacts {
        Facts of(Op op);
    }

    /** The row of an action that only tells something: policy has no say in it. */
    NewAction told(Action action, Optional<TurnId> turn) {
        return row(action, turn, ActionStatus.COMPLETED, Optional.empty(), Optional.empty());
    }

    /**
     * The row of any other action.
     *
     * @param waits whether an earlier effect has to end first
     * @param marker noted if it goes out now
     */
    NewAction decide(Action action, Optional<TurnId> turn, boolean waits, Optional<String> marker) {
        Decision decision = decision(action);
        Optional<DecisionRow> kept = Optional.of(row(decision));
        return switch (decision.verdict()) {
            case BLOCK -> row(action, turn, ActionStatus.BLOCKED, kept, Optional.empty());
            case REQUIRE_EXPERT_APPROVAL ->
                    waiting(action, turn, kept, Approval.Kind.EXPERT, decision);
            case REQUIRE_CLIENT_APPROVAL ->
                    waiting(action, turn, kept, Approval.Kind.CLIENT, decision);
            case ALLOW, OBSERVE -> {
                if (action.op() instanceof Op.Ask) {
                    yield row(action, turn, ActionStatus.WAITING_INPUT, kept, Optional.empty());
                }
                if (waits) {
                    yield row(action, turn, ActionStatus.REQUESTED, kept, Optional.empty());
                }
                yield row(action, turn, ActionStatus.DISPATCHED, kept, marker);
            }
        };
    }

    /** Why policy refuses an action, for the model. */
    String reason(Action action) {
        Decision decision = decision(action);
        return decision.reason() + " (rule " + decision.rule() + ")";
    }

    private Decision decision(Action action) {
        return Policy.decide(new PolicyInput(rules, action, facts.of(action.op())));
    }

    private static DecisionRow row(Decision decision) {
        return new DecisionRow(
                DecisionRow.Verdict.valueOf(decision.verdict().name()),
                DecisionRow.Mode.ENFORCE,
                List.of(decision.rule()),
                decision.reason(),
                Sha256.parse(decision.rulesDigest()));
    }

    private NewAction waiting(
            Action action,
            Optional<TurnId> turn,
            Optional<DecisionRow> kept,
            Approval.Kind kind,
            Decision decision) {
        NewApproval approval =
                new NewApproval(
                        ApprovalId.next(ids),
                        kind,
                        Approval.Risk.MEDIUM,
                        OpText.line(action.op()) + ": " + decision.reason(),
                        Optional.empty());
        Bytes payload = ActionWire.encode(action);
        return new NewAction(
                action.id(),
                turn,
                OpText.name(action.op()),
                payload,
                Sha256.of(payload),
                ActionStatus.WAITING_APPROVAL,
                kept,
                Optional.of(approval),
                Optional.empty());
    }

    private static NewAction row(
            Action action,
            Optional<TurnId> turn,
            ActionStatus status,
            Optional<DecisionRow> decision,
            Optional<String> marker) {
        Bytes payload = ActionWire.encode(action);
        return new NewAction(
                action.id(),
                turn,
                OpText.name(action.op()),
                payload,
                Sha256.of(payload),
                status,
                decision,
                Optional.empty(),
                marker);
    }
}
