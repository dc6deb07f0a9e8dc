package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.protocol.id.HostId;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.RunnerId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import java.time.Duration;
import java.util.List;

/**
 * Who may step which session. A lease belongs to a registered host and lives as long as the host's
 * heartbeats come: one row per host is beaten, however many sessions it holds. When they stop for
 * {@link #ttl}, another host has declared it dead and taken its sessions, and the dead one's next
 * heartbeat says so.
 *
 * <p>Safe for all threads; throws {@link LedgerException}.
 */
public interface Leases {

    /**
     * How long after a host's last heartbeat its sessions are another's; 10 s unless configured.
     */
    Duration ttl();

    /**
     * How often a host beats and looks for orphans: a fifth of {@link #ttl}. A host is silent after
     * three quarters of it, which leaves the others the time to look.
     */
    default Duration beat() {
        return ttl().dividedBy(5);
    }

    /** Makes {@code host} known, with the runner whose cells it can reach. Call it once. */
    void register(HostId host, RunnerId runner);

    /** Says that the host lives, once every {@link #beat}. */
    Beat heartbeat(HostId host);

    /** Ends the host: releases all its leases. Calling it twice is fine. */
    void retire(HostId host);

    /** Takes the lease of a session that nobody alive holds, under a new epoch. */
    Acquired acquire(OrgId org, SessionId session, HostId host);

    /** Gives it back; nothing happens if it is another's by now. */
    void release(Lease lease);

    /**
     * Sessions of the host's runner that need somebody: with an input to eat, a turn under way or
     * an effect sent, and no host alive. Declares dead the hosts whose time is over. Claim them one
     * by one with {@link #acquire}.
     */
    List<Waiting> orphans(HostId host, int limit);

    /** What came of {@link #acquire}. */
    sealed interface Acquired {
        /** It is yours. */
        record Granted(Lease lease) implements Acquired {}

        /** Another host alive has it. */
        record HeldBy(HostId holder, Epoch epoch) implements Acquired {}

        /** There is no such session, or it is over or suspended. */
        record NotLeasable() implements Acquired {}

        /** The host itself is dead: register anew, under a new id. */
        record HostDead() implements Acquired {}
    }

    /** What a heartbeat found. */
    sealed interface Beat {
        /**
         * The host's sessions with an input to eat: wake their loops, a wake may have been lost.
         */
        record Alive(List<Waiting> waiting) implements Beat {
            public Alive {
                waiting = List.copyOf(waiting);
            }
        }

        /** Others have taken over: drop every session and register anew, under a new id. */
        record Dead() implements Beat {}
    }

    /** A session with something to do, and how far its journal reaches. */
    record Waiting(OrgId org, SessionId session, Seq lastSeq) {}
}
