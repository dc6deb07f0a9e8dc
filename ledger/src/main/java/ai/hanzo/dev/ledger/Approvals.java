package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.ApprovalId;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.SessionId;
import java.util.List;
import java.util.Optional;

/**
 * Requests for approval. Opened by {@link Ledger#step} with their action, resolved here, once. Safe
 * for all threads; throws {@link LedgerException}.
 */
public interface Approvals {

    /** What waits for somebody, oldest first. */
    List<Approval> pending(OrgId org, int limit);

    /** What waits in one session, oldest first. */
    List<Approval> pendingIn(OrgId org, SessionId session);

    /** The request that was opened with this action. */
    Optional<Approval> ofAction(OrgId org, SessionId session, ActionId action);

    /** One request. */
    Optional<Approval> get(OrgId org, ApprovalId approval);

    /**
     * Resolves a request and appends its entry (kind {@code approval}) in the same transaction. Of
     * two who do it at once, one wins.
     */
    Resolved resolve(OrgId org, ApprovalId approval, Resolution resolution);

    /**
     * What somebody decided.
     *
     * @param by the person
     * @param note what they said
     * @param payload of the entry
     */
    record Resolution(Choice choice, String by, Optional<String> note, Payload payload) {}

    /** Yes or no. */
    enum Choice {
        APPROVE,
        DENY
    }

    /** What came of it. */
    sealed interface Resolved {
        /** Done; the session's loop will eat the entry. */
        record Committed(Approval approval, Entry entry) implements Resolved {}

        /** Somebody was first, or it was cancelled or too old. */
        record AlreadyResolved(Approval approval) implements Resolved {}

        /** There is no such request in this org. */
        record NotFound() implements Resolved {}
    }
}
