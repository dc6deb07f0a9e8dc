package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.RunId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.id.TurnId;
import java.time.Instant;
import java.util.Optional;

/**
 * One turn of a session.
 *
 * @param seq the entry that brought the turn
 * @param source who brought it
 * @param endedAt of a final status
 */
public record Run(
        OrgId org,
        SessionId session,
        RunId id,
        TurnId turn,
        RunStatus status,
        Seq seq,
        String source,
        Optional<String> errorCode,
        Optional<String> errorText,
        Instant createdAt,
        Optional<Instant> endedAt) {}
