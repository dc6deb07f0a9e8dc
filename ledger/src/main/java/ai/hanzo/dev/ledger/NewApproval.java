package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.id.ApprovalId;
import java.time.Instant;
import java.util.Optional;

/**
 * A request for approval that is to be opened with its action.
 *
 * @param summary a redacted line for the person who decides
 */
public record NewApproval(
        ApprovalId id,
        Approval.Kind kind,
        Approval.Risk risk,
        String summary,
        Optional<Instant> expiresAt) {}
