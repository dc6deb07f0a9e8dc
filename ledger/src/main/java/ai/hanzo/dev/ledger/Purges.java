package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.SessionId;
import java.time.Duration;
import java.util.List;

/**
 * The removal of sessions that are over, and what has to be known to remove their stored files.
 * Safe for all threads; throws {@link LedgerException}.
 */
public interface Purges {

    /**
     * Removes all rows of a session that is over and that no host has, for good; a line stays that
     * says how long its journal was, how it ended, and who removed it.
     *
     * @param by who asks, 1 to 200 characters
     */
    Purged purge(OrgId org, SessionId session, String by);

    /**
     * Up to {@code most} sessions, of all orgs, that are over and were not written to for {@code
     * age}, the oldest first.
     */
    List<Ended> ended(Duration age, int most);

    /** All orgs, for whoever has to look at every session. */
    List<OrgId> orgs();

    /**
     * Runs {@code sweep} if a session was removed whose stored files may still be there and no
     * backup is being made, and none is begun meanwhile. What was removed longer than {@code age}
     * ago counts as swept then.
     *
     * @return whether it ran
     */
    boolean sweep(Duration age, Runnable sweep);

    /** A session that is over. */
    record Ended(OrgId org, SessionId session) {}

    /** What came of {@link #purge}. */
    sealed interface Purged {
        /** It is gone, with so many entries. */
        record Gone(long entries) implements Purged {}

        /** It is not over, or a host still has it; nothing was changed. */
        record NotOver() implements Purged {}

        /** There is no such session in this org. */
        record NoSession() implements Purged {}
    }
}
