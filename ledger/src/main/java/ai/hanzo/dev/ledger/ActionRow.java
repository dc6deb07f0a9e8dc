package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.id.TurnId;
import java.time.Instant;
import java.util.Optional;

/**
 * An action as it stands.
 *
 * @param seq the entry that asked for it
 * @param kind the op's name in the schema, such as {@code exec}
 * @param payload of that entry
 * @param request digest of the canonical request; the same id with another one is refused
 * @param marker what was noted at dispatch to tell later whether it happened, such as HEAD
 * @param outcome the entry that ended it; empty while it is open
 */
public record ActionRow(
        OrgId org,
        SessionId session,
        ActionId id,
        Optional<TurnId> turn,
        Seq seq,
        String kind,
        Bytes payload,
        Sha256 request,
        ActionStatus status,
        Optional<String> marker,
        Optional<Seq> outcome,
        Instant createdAt,
        Optional<Instant> dispatchedAt,
        Optional<Instant> completedAt) {

    /** Whether its outcome is still to come. */
    public boolean isOpen() {
        return outcome.isEmpty();
    }
}
