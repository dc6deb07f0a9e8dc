package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.Completed;
import ai.hanzo.dev.ledger.Ending;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.Lease;
import ai.hanzo.dev.ledger.StepCommit;
import ai.hanzo.dev.ledger.Stepped;
import ai.hanzo.dev.protocol.Failpoint;
import java.util.List;
import java.util.Optional;

/**
 * The ordinary writes of a session's owner, who knows where the session stands: one round trip
 * each, together with those of other sessions. Each method is called in its session's turn, and
 * gives nothing when the write has to go the long way: where the session stands is not known, it
 * has moved, or there is more to write than the ordinary. Nothing was written then.
 */
final class OwnerWrites {
    private final GroupCommit group;
    private final Heads heads;
    private final Ticks ticks;

    OwnerWrites(GroupCommit group, Heads heads, Ticks ticks) {
        this.group = group;
        this.heads = heads;
        this.ticks = ticks;
    }

    /** A write to the session of {@code lease} as it is known to stand. */
    Optional<SessionWrite> begin(Lease lease) {
        return heads.of(lease).map(head -> new SessionWrite(head, ticks.now()));
    }

    /** The entry of an outcome, first in {@code write}. */
    static Entry enter(SessionWrite write, Ending ending) {
        return write.add(ending.entry(), Optional.of(ending.action()));
    }

    Optional<Completed> complete(Lease lease, Ending ending) {
        if (!GroupMember.takes(ending)) {
            return Optional.empty();
        }
        return begin(lease)
                .flatMap(write -> {
                    Entry outcome = enter(write, ending);
                    Failpoint.T1_BEGUN.reached();
                    return commit(GroupMember.of(write, ending))
                            ? Optional.of(new Completed.Committed(outcome))
                            : Optional.empty();
                });
    }

    Optional<Stepped> step(Lease lease, StepCommit step) {
        if (!GroupMember.takes(step)) {
            return Optional.empty();
        }
        return begin(lease)
                .filter(write -> isNext(write, step))
                .flatMap(write -> {
                    GroupMember member = GroupMember.of(write, Optional.empty(), step);
                    Failpoint.T2_BEGUN.reached();
                    return commit(member) ? Optional.of(done(write)) : Optional.empty();
                });
    }

    private static boolean isNext(SessionWrite write, StepCommit step) {
        return step.consumed().compareTo(write.consumed()) > 0
                && step.consumed().compareTo(write.lastSeq()) <= 0;
    }

    /** What a committed {@code write} of a step alone says of it. */
    static Stepped.Committed done(SessionWrite write) {
        List<Entry> entries = write.added().stream().map(SessionWrite.Added::entry).toList();
        return new Stepped.Committed(entries, write.state());
    }

    /** Writes it; false, and the session is known no more, if it has moved. */
    boolean commit(GroupMember member) {
        SessionHead after = member.write().after();
        // Until the end is known, nothing is.
        heads.forget(after.session());
        boolean committed = group.commit(member);
        if (committed) {
            heads.learn(after);
        }
        return committed;
    }
}
