package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.ProfileId;
import ai.hanzo.dev.protocol.id.RunnerId;
import ai.hanzo.dev.protocol.id.SessionId;
import java.util.List;
import java.util.Optional;

/**
 * A session that is to be opened.
 *
 * @param createdBy the caller; a start's key is unique within (org, createdBy)
 * @param key of the start
 * @param config the payload of its first entry
 * @param notes what else it begins with, committed with it
 * @param turn its first turn, committed with it
 */
public record NewSession(
        OrgId org,
        SessionId id,
        String title,
        Optional<ProfileId> profile,
        Optional<Workspace> workspace,
        String model,
        String policy,
        Sha256 rules,
        Sha256 core,
        RunnerId runner,
        String createdBy,
        Optional<IdempotencyKey> key,
        Payload config,
        List<NewEntry> notes,
        Optional<NewEntry> turn) {
    public NewSession {
        notes = List.copyOf(notes);
    }
}
