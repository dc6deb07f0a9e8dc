package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import java.util.Optional;

/**
 * A session that is to begin as another one was.
 *
 * @param origin whose journal is copied
 * @param at the last entry that is copied; no turn is under way there
 * @param consumed the last input up to {@code at} that the core has eaten
 * @param id of the new session
 * @param core that it runs on
 * @param setup in the place of the payload of {@code setupAt}: where this one works
 * @param snapshot of the core after it ate {@code consumed}; empty if it has eaten nothing
 * @param note follows the copied entries
 */
public record NewFork(
        OrgId org,
        SessionId origin,
        Seq at,
        Seq consumed,
        SessionId id,
        Sha256 core,
        Workspace workspace,
        String createdBy,
        Optional<IdempotencyKey> key,
        Seq setupAt,
        Bytes setup,
        Optional<Snapshot> snapshot,
        NewEntry note) {}
