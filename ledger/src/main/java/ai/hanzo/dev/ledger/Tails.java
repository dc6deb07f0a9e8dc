package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;

/**
 * Wakes whoever waits for entries, in this process at once after the commit and in others by
 * PostgreSQL's LISTEN. A wake says only that there may be something new to read: it can come twice,
 * and it never comes before the commit. A wake that a dying host did not send is made up for by the
 * next {@link Leases#heartbeat}.
 *
 * <p>Listeners run on the thread that committed or on the one that listens: they must return at
 * once (unpark, offer to a queue) and must not throw.
 */
public interface Tails {

    /** Calls {@code listener} after each commit in this session until closed. */
    Subscription of(OrgId org, SessionId session, Listener listener);

    /** Calls {@code listener} after each commit in any session until closed. */
    Subscription ofAll(Listener listener);

    /** Told of commits. */
    @FunctionalInterface
    interface Listener {
        /**
         * The journal of {@code session} reaches at least to {@code lastSeq}; 0 when all that is
         * known is that wakes may have been missed.
         */
        void committed(OrgId org, SessionId session, Seq lastSeq);
    }

    /** Ends when closed; closing twice is fine. */
    interface Subscription extends AutoCloseable {
        @Override
        void close();
    }
}
