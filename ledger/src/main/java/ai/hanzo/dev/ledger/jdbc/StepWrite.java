package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.Lease;
import ai.hanzo.dev.ledger.NewAction;
import ai.hanzo.dev.ledger.NewApproval;
import ai.hanzo.dev.ledger.RunStatus;
import ai.hanzo.dev.ledger.Snapshot;
import ai.hanzo.dev.ledger.StepCommit;
import ai.hanzo.dev.ledger.StepCommit.ActionChange;
import ai.hanzo.dev.ledger.StepCommit.RunChange;
import ai.hanzo.dev.ledger.Stepped;
import ai.hanzo.dev.protocol.Failpoint;
import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.protocol.id.Seq;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * T2: all that one step writes, in one transaction of two round trips: the lock, and the writes
 * with the commit.
 */
final class StepWrite {
    private static final String INSERT_APPROVAL =
            """
            INSERT INTO approvals (id, org_id, session_id, turn, action_id, kind, risk, status,
                summary, created_at, expires_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?, ?)
            """;

    /** Released by an approval, or its turn in the batch has come. */
    private static final String DISPATCH =
            """
            UPDATE actions SET status = 'dispatched', dispatched_at = ?, marker = ?
            WHERE session_id = ? AND id = ? AND outcome_seq IS NULL
              AND status IN ('requested', 'waiting_approval', 'dispatched', 'in_doubt')
            """;

    private static final String DOUBT =
            """
            UPDATE actions SET status = 'in_doubt'
            WHERE session_id = ? AND id = ? AND outcome_seq IS NULL AND status = 'dispatched'
            """;

    private static final String CANCEL =
            """
            UPDATE actions SET status = 'cancelled', outcome_seq = ?, completed_at = ?
            WHERE session_id = ? AND id = ? AND outcome_seq IS NULL
            """;

    private static final String PUT_SNAPSHOT =
            """
            INSERT INTO snapshots (session_id, org_id, through_seq, core_digest, state, mac)
            VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (session_id) DO UPDATE SET through_seq = excluded.through_seq,
                core_digest = excluded.core_digest, state = excluded.state, mac = excluded.mac
            """;

    private static final String KEEP_SNAPSHOT =
            """
            INSERT INTO kept_snapshots (session_id, org_id, through_seq, core_digest, state, mac)
            VALUES (?, ?, ?, ?, ?, ?)
            """;

    private static final String MOVE_RUN =
            """
            UPDATE runs SET status = ?, error_code = ?, error_text = ?,
                started_at = CASE WHEN ? THEN coalesce(started_at, ?) ELSE started_at END,
                ended_at = CASE WHEN ? THEN ? ELSE NULL END
            WHERE session_id = ? AND turn = ?
            """;

    private static final String MOVE_CORE =
            "UPDATE sessions SET core_digest = ? WHERE id = ? AND org_id = ?";

    private final Database database;
    private final Ticks ticks;

    StepWrite(Database database, Ticks ticks) {
        this.database = database;
        this.ticks = ticks;
    }

    /** Writes the step, in its session's turn; afterwards it is known where the session stands. */
    Stepped step(Lease lease, StepCommit step) {
        Written written = database.inSession(lease.session(), db -> step(db, lease, step));
        written.after().ifPresent(database.heads()::learn);
        return written.stepped();
    }

    /**
     * What came of it.
     *
     * @param after where the session stands, once it is committed
     */
    private record Written(Stepped stepped, Optional<SessionHead> after) {
        static Written nothing(Stepped why) {
            return new Written(why, Optional.empty());
        }
    }

    private Written step(Connection db, Lease lease, StepCommit step) throws SQLException {
        SessionWrite write = JdbcLedger.lockLeased(db, lease, ticks);
        Optional<Epoch> newer = write.newerThan(lease.epoch());
        if (newer.isPresent()) {
            return Written.nothing(new Stepped.Fenced(newer.get()));
        }
        if (step.consumed().compareTo(write.consumed()) <= 0) {
            return Written.nothing(new Stepped.Stale(write.consumed()));
        }
        if (step.consumed().compareTo(write.lastSeq()) > 0) {
            throw new IllegalArgumentException(
                    "entry " + step.consumed() + " is above the last, " + write.lastSeq());
        }
        List<Entry> entries = GroupMember.enter(write, step);
        Pipeline writes = new Pipeline();
        write.flush(writes);
        Instant now = ticks.now();
        for (int i = 0; i < step.actions().size(); i++) {
            NewAction action = step.actions().get(i);
            Seq seq = entries.get(i).seq();
            writes.add(ActionInsert.SQL, ActionInsert.values(db, write.before(), action, seq, now));
            insertApproval(writes, write.before(), action, now);
        }
        for (ActionChange change : step.changes()) {
            change(writes, lease, step, change, now);
        }
        for (RunChange run : step.runs()) {
            move(writes, lease, run, now);
        }
        if (step.snapshot().isPresent()) {
            put(writes, write.before(), step.snapshot().get());
            if (step.keep() == StepCommit.Keep.FOR_GOOD) {
                keep(writes, write.before(), step.snapshot().get());
            }
        }
        step.core().ifPresent(core -> writes.add(MOVE_CORE, core, lease.session(), lease.org()));
        Failpoint.T2_BEGUN.reached();
        writes.runLast(db);
        return new Written(OwnerWrites.done(write), Optional.of(write.after()));
    }

    /** The approval that an action asks for. */
    private static void insertApproval(
            Writes writes, SessionHead of, NewAction action, Instant now) {
        if (action.approval().isPresent()) {
            NewApproval approval = action.approval().get();
            writes.add(
                    INSERT_APPROVAL,
                    approval.id().value(),
                    of.org(),
                    of.session(),
                    action.turn(),
                    action.id(),
                    approval.kind(),
                    approval.risk(),
                    approval.summary(),
                    now,
                    approval.expiresAt());
        }
    }

    private void change(
            Pipeline writes, Lease lease, StepCommit step, ActionChange change, Instant now) {
        switch (change.to()) {
            case DISPATCHED ->
                    writes.require(
                            "action " + lease.session() + "/" + change.id() + " cannot go out",
                            DISPATCH,
                            now,
                            change.marker(),
                            lease.session(),
                            change.id());
            // An outcome that came first wins over a doubt and over a cancel.
            case IN_DOUBT -> writes.add(DOUBT, lease.session(), change.id());
            case CANCELLED -> {
                writes.add(CANCEL, step.consumed(), now, lease.session(), change.id());
                JdbcLedger.cancelApprovals(writes, lease.session(), change.id(), ticks);
            }
            case REQUESTED, BLOCKED, WAITING_APPROVAL, WAITING_INPUT, COMPLETED, FAILED ->
                    throw new IllegalStateException("checked by the record: " + change);
        }
    }

    private static void move(Pipeline writes, Lease lease, RunChange run, Instant now) {
        boolean starts = run.to() == RunStatus.PREPARING || run.to() == RunStatus.RUNNING;
        writes.require(
                "no run " + lease.session() + "/" + run.turn(),
                MOVE_RUN,
                run.to(),
                run.errorCode(),
                run.errorText(),
                starts,
                now,
                run.to().isFinal(),
                now,
                lease.session(),
                run.turn());
    }

    static void put(Writes writes, SessionHead of, Snapshot snapshot) {
        writes.add(PUT_SNAPSHOT, values(of, snapshot));
    }

    private static void keep(Pipeline writes, SessionHead of, Snapshot snapshot) {
        writes.add(KEEP_SNAPSHOT, values(of, snapshot));
    }

    private static Object[] values(SessionHead of, Snapshot snapshot) {
        return new Object[] {
            of.session(),
            of.org(),
            snapshot.through(),
            snapshot.core(),
            snapshot.state(),
            snapshot.mac()
        };
    }
}
