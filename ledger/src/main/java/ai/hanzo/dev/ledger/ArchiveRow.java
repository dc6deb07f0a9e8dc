package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.TurnId;
import java.time.Instant;
import java.util.Optional;

/**
 * One row of a session that travels. What of a row can be told from others is left out: an action's
 * payload is its entry's. Immutable.
 */
public sealed interface ArchiveRow {

    /**
     * An entry.
     *
     * @param body digest of the request that an idempotency key stands for
     */
    record OfEntry(Entry entry, Optional<Sha256> body) implements ArchiveRow {}

    /** A turn. */
    record OfRun(Run run, Optional<Instant> startedAt) implements ArchiveRow {}

    /**
     * An action; see {@link ActionRow}.
     *
     * @param times when it was asked for, sent and over
     */
    record OfAction(
            ActionId id,
            Optional<TurnId> turn,
            Seq seq,
            String kind,
            Sha256 request,
            ActionStatus status,
            Optional<String> marker,
            Optional<Seq> outcome,
            Times times)
            implements ArchiveRow {}

    /** The times of an action. */
    record Times(
            Instant createdAt, Optional<Instant> dispatchedAt, Optional<Instant> completedAt) {}

    /** What policy said of an action. */
    record OfDecision(ActionId action, DecisionRow decision, Instant createdAt)
            implements ArchiveRow {}

    /**
     * A request for approval.
     *
     * @param seq the entry that resolved it
     */
    record OfApproval(Approval approval, Optional<Seq> seq) implements ArchiveRow {}
}
