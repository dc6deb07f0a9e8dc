package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.ApprovalId;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.id.TurnId;
import java.time.Instant;
import java.util.Optional;

/**
 * A request for approval as it stands.
 *
 * @param summary a redacted line for the person who decides
 * @param resolvedBy who decided; empty while it is pending
 * @param note what they said
 */
public record Approval(
        OrgId org,
        ApprovalId id,
        SessionId session,
        Optional<TurnId> turn,
        ActionId action,
        Kind kind,
        Risk risk,
        Status status,
        String summary,
        Instant createdAt,
        Optional<Instant> expiresAt,
        Optional<Instant> resolvedAt,
        Optional<String> resolvedBy,
        Optional<String> note) {

    /** What is asked for. */
    public enum Kind {
        EXPERT,
        CLIENT,
        TOOL,
        OUTBOUND,
        DEPLOY,
        BUDGET,
        IN_DOUBT
    }

    /** How much may go wrong. */
    public enum Risk {
        LOW,
        MEDIUM,
        HIGH,
        CRITICAL
    }

    /** Where it stands; all but PENDING are final. */
    public enum Status {
        PENDING,
        APPROVED,
        REJECTED,
        CANCELLED,
        EXPIRED
    }
}
