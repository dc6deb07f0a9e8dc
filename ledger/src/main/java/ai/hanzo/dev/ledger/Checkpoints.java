package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Which snapshot of the workspace belongs to which place in the journal, so that undo can find it.
 * Safe for all threads; throws {@link LedgerException}.
 */
public interface Checkpoints {

    /**
     * Notes a checkpoint; the same (session, seq, kind) again changes nothing. Answers whether it
     * was noted: no when the lease is no longer the session's.
     */
    boolean add(Lease lease, Checkpoint checkpoint);

    /** All of a session, in order. */
    List<Checkpoint> list(OrgId org, SessionId session);

    /** The last one at or before {@code seq}. */
    Optional<Checkpoint> lastAt(OrgId org, SessionId session, Seq seq);

    /**
     * A checkpoint.
     *
     * @param seq the last entry of the journal when it was taken
     * @param snapshot id of the workspace's snapshot
     * @param takenAt to the microsecond
     */
    record Checkpoint(Seq seq, Kind kind, Sha256 snapshot, Instant takenAt) {}

    /** When it was taken. */
    enum Kind {
        BEFORE_TURN,
        AFTER_BATCH
    }
}
