package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import java.util.List;
import java.util.Optional;

/**
 * The outputs that are kept whole. They are written with the entries that name them: {@link
 * NewEntry#with}. Safe for all threads; throws {@link LedgerException}.
 */
public interface Artifacts {

    /**
     * Up to {@code limit} of them, by action and name.
     *
     * @param through only of outcomes up to this entry
     * @param after from the last page; empty for the first
     * @param limit 1 to {@link Journal#MAX_LIMIT}
     */
    List<Kept> of(OrgId org, SessionId session, Seq through, Optional<Artifact> after, int limit);

    /**
     * One of them.
     *
     * @param outcome the entry that ended its action
     */
    record Kept(Artifact artifact, Seq outcome) {}
}
