package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.ProfileId;
import ai.hanzo.dev.protocol.id.RunnerId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.id.TurnId;
import java.time.Instant;
import java.util.Optional;

/**
 * The row of a session.
 *
 * @param formatVersion of its journal; a newer one than {@link Entry#FORMAT_VERSION} is read-only
 * @param rules digest of the policy's rules, pinned at the start
 * @param core digest of the core that it runs on
 * @param lastSeq of its journal
 * @param consumed the last input that the core has eaten
 * @param lastTurn the number last given to a turn
 * @param setup the entry that says where it works
 */
public record Session(
        OrgId org,
        SessionId id,
        SessionState state,
        int formatVersion,
        String title,
        Optional<ProfileId> profile,
        Optional<Workspace> workspace,
        String model,
        String policy,
        Sha256 rules,
        Sha256 core,
        RunnerId runner,
        String createdBy,
        Seq lastSeq,
        Seq consumed,
        Optional<TurnId> lastTurn,
        Usage usage,
        Optional<String> errorCode,
        Optional<String> errorText,
        Instant createdAt,
        Instant updatedAt,
        Seq setup) {}
