package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.RunnerId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import java.util.Iterator;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Whole sessions as rows, out of one ledger and into another. Safe for all threads; throws {@link
 * LedgerException}.
 */
public interface Archives {

    /**
     * Reads a session as it is at one moment: first its own row and the last digest of its journal,
     * then entries, runs, actions, decisions and approvals, each kind in order. Neither may wait
     * for anything but a disk.
     *
     * @return false when the org has no such session; then nothing was given
     */
    boolean read(OrgId org, SessionId session, Consumer<Head> head, Consumer<ArchiveRow> rows);

    /**
     * Puts a session here, all of it or nothing: its entries must follow each other and end as its
     * head says, and its actions must be what their entries ask for.
     *
     * @param rows in the order of {@link #read}
     */
    Taken take(Arrival arrival, Iterator<ArchiveRow> rows);

    /**
     * A session's own row.
     *
     * @param digest of its last entry
     */
    record Head(Session session, Sha256 digest, Seq lastInput) {}

    /**
     * A session that arrives.
     *
     * @param head as it was where it comes from
     * @param workspace where it works from now on
     * @param snapshot of the core after what it has eaten; empty if it has eaten nothing
     * @param setup follows its entries, and says where it works and for whom
     */
    record Arrival(
            Head head,
            Workspace workspace,
            RunnerId runner,
            Optional<Snapshot> snapshot,
            NewEntry setup) {}

    /** What came of {@link #take}. */
    sealed interface Taken {
        /** It is here. */
        record Here(Session session) implements Taken {}

        /** A session of this id is here already; nothing was changed. */
        record AlreadyHere() implements Taken {}

        /** The first entry that is not as it was written; nothing was changed. */
        record Broken(Seq seq, String reason) implements Taken {}
    }
}
