package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.Appended;
import ai.hanzo.dev.ledger.Completed;
import ai.hanzo.dev.ledger.Ending;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.IdempotencyKey;
import ai.hanzo.dev.ledger.Lease;
import ai.hanzo.dev.ledger.Ledger;
import ai.hanzo.dev.ledger.LedgerException;
import ai.hanzo.dev.ledger.NewEntry;
import ai.hanzo.dev.ledger.NewFork;
import ai.hanzo.dev.ledger.NewSession;
import ai.hanzo.dev.ledger.Opened;
import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.ledger.StepCommit;
import ai.hanzo.dev.ledger.Stepped;
import ai.hanzo.dev.ledger.TurnedOver;
import ai.hanzo.dev.ledger.TurnedOver.NextStep;
import ai.hanzo.dev.ledger.jdbc.SessionWrite.OnAction;
import ai.hanzo.dev.ledger.jdbc.SessionWrite.Open;
import ai.hanzo.dev.protocol.Failpoint;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.RunId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The writes: T1 here, T2 in {@link StepWrite}, the start in {@link SessionOpening}. */
final class JdbcLedger implements Ledger {
    /** What a surface, a timer or the host may append without naming an action. */
    private static final Set<EntryKind> APPENDABLE =
            Set.of(
                    EntryKind.CONFIG,
                    EntryKind.TURN,
                    EntryKind.CANCEL,
                    EntryKind.STOP,
                    EntryKind.SUSPEND,
                    EntryKind.TIMER,
                    EntryKind.RESUME,
                    EntryKind.NOTE);

    private static final int WORKSPACE_RACES = 3;

    private static final String BY_KEY =
            "SELECT body_digest, "
                    + Rows.ENTRY
                    + " FROM entries WHERE session_id = ? AND source = ? AND idempotency_key = ?";

    private static final String END_ACTION =
            """
            UPDATE actions SET status = ?, outcome_seq = ?, completed_at = ?
            WHERE session_id = ? AND id = ? AND outcome_seq IS NULL
            """;

    private static final String CANCEL_APPROVALS =
            """
            UPDATE approvals SET status = 'cancelled', resolved_at = ?
            WHERE session_id = ? AND action_id = ? AND status = 'pending'
            """;

    private final Database database;
    private final PostgresTails tails;
    private final Ticks ticks;
    private final SessionOpening opening;
    private final StepWrite steps;
    private final OwnerWrites owner;

    JdbcLedger(Database database, GroupCommit group, PostgresTails tails, Ticks ticks) {
        this.database = database;
        this.tails = tails;
        this.ticks = ticks;
        this.opening = new SessionOpening(database, tails, ticks);
        this.steps = new StepWrite(database, ticks);
        this.owner = new OwnerWrites(group, database.heads(), ticks);
    }

    @Override
    public Opened open(NewSession session) {
        return opening.open(session);
    }

    @Override
    public Optional<Opened> openedBefore(OrgId org, String createdBy, IdempotencyKey key) {
        return opening.before(org, createdBy, key);
    }

    @Override
    public Opened fork(NewFork fork) {
        return opening.fork(fork);
    }

    @Override
    public Appended append(OrgId org, SessionId session, NewEntry entry) {
        if (!APPENDABLE.contains(entry.kind())) {
            throw new IllegalArgumentException("append does not take a " + entry.kind());
        }
        for (int attempt = 1; ; attempt++) {
            try {
                Appended appended =
                        database.attemptInSession(session, db -> append(db, org, session, entry));
                wake(appended);
                return appended;
            } catch (SQLException e) {
                if (!WorkspaceHolder.isTheReason(e)) {
                    throw database.fault(e);
                }
                Optional<SessionId> holder =
                        database.inOrg(org, db -> WorkspaceHolder.beside(db, session));
                if (holder.isPresent()) {
                    return new Appended.WorkspaceBusy(holder.get());
                }
                if (attempt == WORKSPACE_RACES) {
                    throw LedgerException.conflict(e);
                }
            }
        }
    }

    private Appended append(Connection db, OrgId org, SessionId session, NewEntry entry)
            throws SQLException {
        Optional<SessionWrite> locked = SessionWrite.lock(db, org, session, ticks.now());
        if (locked.isEmpty()) {
            return new Appended.NoSession();
        }
        SessionWrite write = locked.get();
        Optional<Appended> seen = seenBefore(db, session, entry);
        if (seen.isPresent()) {
            return seen.get();
        }
        if (!write.accepts(entry.kind())) {
            return new Appended.Closed(write.state());
        }
        if (entry.kind().equals(EntryKind.TURN) && entry.turn().isEmpty()) {
            Entry turn = write.addTurn(entry);
            Pipeline writes = new Pipeline();
            write.flush(writes);
            write.insertRun(writes, RunId.next(ticks.ids()), turn);
            Failpoint.T1_BEGUN.reached();
            writes.runLast(db);
            return new Appended.Committed(turn);
        }
        Entry added = write.add(entry, Optional.empty());
        Pipeline writes = new Pipeline();
        write.flush(writes);
        Failpoint.T1_BEGUN.reached();
        writes.runLast(db);
        return new Appended.Committed(added);
    }

    private static Optional<Appended> seenBefore(Connection db, SessionId session, NewEntry entry)
            throws SQLException {
        if (entry.key().isEmpty()) {
            return Optional.empty();
        }
        IdempotencyKey key = entry.key().get();
        try (PreparedStatement query = db.prepareStatement(BY_KEY)) {
            Rows.set(query, session, entry.source(), key.value());
            return Rows.first(
                    query,
                    row -> {
                        Entry before = Rows.entry(row);
                        Sha256 body = Rows.digest(row, "body_digest");
                        return body.equals(key.body())
                                ? new Appended.Duplicate(before)
                                : new Appended.KeyReused(before.seq());
                    });
        }
    }

    @Override
    public Appended answer(OrgId org, SessionId session, ActionId question, NewEntry answer) {
        requireKind(answer, EntryKind.ANSWER);
        Appended appended =
                database.inSession(session, db -> answer(db, org, session, question, answer));
        wake(appended);
        return appended;
    }

    private Appended answer(
            Connection db, OrgId org, SessionId session, ActionId question, NewEntry answer)
            throws SQLException {
        Optional<OnAction> locked = SessionWrite.lock(db, org, session, question, ticks.now());
        if (locked.isEmpty()) {
            return new Appended.NoSession();
        }
        SessionWrite write = locked.get().write();
        Optional<Appended> seen = seenBefore(db, session, answer);
        if (seen.isPresent()) {
            return seen.get();
        }
        if (!write.accepts(EntryKind.ANSWER)) {
            return new Appended.Closed(write.state());
        }
        Optional<Open> open = locked.get().open();
        if (open.isEmpty() || open.get().status() != ActionStatus.WAITING_INPUT) {
            return new Appended.NotOpen(question);
        }
        return new Appended.Committed(
                end(db, write, open.get(), new Ending(question, ActionStatus.COMPLETED, answer)));
    }

    @Override
    public Completed complete(Lease lease, Ending ending) {
        Completed completed =
                database.inTurn(lease.session(), () -> completeEitherWay(lease, ending));
        if (completed instanceof Completed.Committed(Entry entry)) {
            Failpoint.T1_COMMITTED.reached();
            tails.committed(entry.org(), entry.session(), entry.seq());
        }
        return completed;
    }

    private Completed completeEitherWay(Lease lease, Ending ending) {
        return owner.complete(lease, ending)
                .orElseGet(() ->
                        database.inSession(lease.session(), db -> complete(db, lease, ending)));
    }

    private Completed complete(Connection db, Lease lease, Ending ending) throws SQLException {
        OnAction locked =
                SessionWrite.lock(db, lease.org(), lease.session(), ending.action(), ticks.now())
                        .orElseThrow(() -> none(lease));
        Optional<Epoch> newer = locked.write().newerThan(lease.epoch());
        if (newer.isPresent()) {
            return new Completed.Fenced(newer.get());
        }
        if (locked.open().isEmpty()) {
            return new Completed.NotOpen(ending.action());
        }
        return new Completed.Committed(end(db, locked.write(), locked.open().get(), ending));
    }

    /** The row of a session that somebody held a lease of, so that it must exist. */
    static SessionWrite lockLeased(Connection db, Lease lease, Ticks ticks) throws SQLException {
        return SessionWrite.lock(db, lease.org(), lease.session(), ticks.now())
                .orElseThrow(() -> none(lease));
    }

    private static IllegalStateException none(Lease lease) {
        return new IllegalStateException("no session " + lease.session());
    }

    private Entry end(Connection db, SessionWrite write, Open open, Ending ending)
            throws SQLException {
        Entry entry = write.add(ending.entry(), open.turn(), Optional.of(ending.action()));
        Pipeline writes = new Pipeline();
        write.flush(writes);
        writes.add(
                END_ACTION,
                ending.end(),
                entry.seq(),
                entry.createdAt(),
                entry.session(),
                ending.action());
        if (open.status() == ActionStatus.WAITING_APPROVAL) {
            cancelApprovals(writes, entry.session(), ending.action(), ticks);
        }
        Failpoint.T1_BEGUN.reached();
        writes.runLast(db);
        return entry;
    }

    /** An action that is over needs nobody's approval any more. */
    static void cancelApprovals(Pipeline writes, SessionId session, ActionId action, Ticks ticks) {
        writes.add(CANCEL_APPROVALS, ticks.now(), session, action);
    }

    @Override
    public Stepped step(Lease lease, StepCommit step) {
        Stepped stepped = database.inTurn(lease.session(), () -> stepEitherWay(lease, step));
        if (stepped instanceof Stepped.Committed(List<Entry> entries, _)) {
            // Without an entry, too: the session's state may be what somebody waits for.
            stepped(lease, entries.isEmpty() ? step.consumed() : entries.getLast().seq());
        }
        return stepped;
    }

    private Stepped stepEitherWay(Lease lease, StepCommit step) {
        return owner.step(lease, step).orElseGet(() -> steps.step(lease, step));
    }

    private void stepped(Lease lease, Seq last) {
        Failpoint.T2_COMMITTED.reached();
        tails.committed(lease.org(), lease.session(), last);
    }

    @Override
    public TurnedOver turnOver(Lease lease, Ending ending, NextStep next) {
        return database.inTurn(
                lease.session(),
                () ->
                        owner.begin(lease)
                                .filter(write -> write.before().isEaten())
                                .map(write -> turnOver(write, lease, ending, next))
                                .orElseGet(() -> outcomeOnly(complete(lease, ending))));
    }

    private TurnedOver turnOver(SessionWrite write, Lease lease, Ending ending, NextStep next) {
        Entry outcome = OwnerWrites.enter(write, ending);
        Optional<StepCommit> made;
        try {
            made = next.after(outcome);
        } catch (RuntimeException e) {
            // Whatever is wrong with the step, the outcome is not lost.
            Completed _ = complete(lease, ending);
            throw e;
        }
        if (made.isPresent() && GroupMember.takes(ending) && GroupMember.takes(made.get())) {
            StepCommit step = made.get();
            GroupMember member = GroupMember.of(write, Optional.of(ending), step);
            Failpoint.T2_BEGUN.reached();
            if (owner.commit(member)) {
                stepped(lease, write.lastSeq());
                return new TurnedOver.Committed(outcome, write.state());
            }
            return voided(complete(lease, ending));
        }
        Completed alone = complete(lease, ending);
        boolean isThere =
                alone instanceof Completed.Committed(Entry entry)
                        && entry.seq().equals(outcome.seq());
        if (!isThere) {
            return voided(alone);
        }
        return made.map(step -> followed(outcome, step(lease, step)))
                .orElseGet(() -> outcomeOnly(alone));
    }

    /** The outcome is not where the step had it. */
    private static TurnedOver voided(Completed outcome) {
        return outcome instanceof Completed.Fenced(Epoch current)
                ? new TurnedOver.Fenced(current)
                : new TurnedOver.Overtaken();
    }

    /** A step that had to go by itself, behind its outcome. */
    private static TurnedOver followed(Entry outcome, Stepped stepped) {
        return switch (stepped) {
            case Stepped.Committed(_, SessionState state) ->
                    new TurnedOver.Committed(outcome, state);
            case Stepped.Fenced(Epoch current) -> new TurnedOver.Fenced(current);
            case Stepped.Stale _ -> new TurnedOver.Overtaken();
        };
    }

    private static TurnedOver outcomeOnly(Completed completed) {
        return switch (completed) {
            case Completed.Committed(Entry outcome) -> new TurnedOver.OutcomeOnly(outcome);
            case Completed.NotOpen(ActionId action) -> new TurnedOver.NotOpen(action);
            case Completed.Fenced(Epoch current) -> new TurnedOver.Fenced(current);
        };
    }

    private void wake(Appended appended) {
        if (appended instanceof Appended.Committed(Entry entry)) {
            Failpoint.T1_COMMITTED.reached();
            tails.committed(entry.org(), entry.session(), entry.seq());
        }
    }

    private static void requireKind(NewEntry entry, EntryKind kind) {
        if (!entry.kind().equals(kind)) {
            throw new IllegalArgumentException("a " + entry.kind() + " is no " + kind);
        }
    }
}
