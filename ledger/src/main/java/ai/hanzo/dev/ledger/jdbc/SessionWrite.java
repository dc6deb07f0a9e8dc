package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.Chain;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.LedgerException;
import ai.hanzo.dev.ledger.NewEntry;
import ai.hanzo.dev.ledger.Payload;
import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.ledger.StepCommit.StateChange;
import ai.hanzo.dev.ledger.Usage;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.RunId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.id.TurnId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * One write to one session: the row, locked for the rest of the transaction, and what is being
 * added to its journal. Lives within one transaction, on its thread.
 *
 * <p>The lock is FOR NO KEY UPDATE: it keeps other writers of the session out and lets rows that
 * merely refer to it be inserted.
 */
final class SessionWrite {
    private static final String LOCK =
            Database.SEE
                    + """
                    ;
                    SELECT state, format_version, next_seq, consumed_seq, last_input_seq, next_turn,
                           head_digest, epoch, workspace_held, workspace_access
                    FROM sessions WHERE id = ? AND org_id = ? FOR NO KEY UPDATE
                    """;

    private static final String LOCK_AND_LOOK =
            LOCK
                    + """
                    ;
                    SELECT turn, status FROM actions
                    WHERE session_id = ? AND id = ? AND outcome_seq IS NULL
                    """;

    private static final String INTO_ENTRIES =
            """
            INSERT INTO entries (session_id, seq, org_id, kind, turn, action_id, format_version,
                payload, created_at, source, idempotency_key, body_digest, prev_digest, digest,
                redaction)
            VALUES
            """;

    private static final String ENTRY = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

    static final String INSERT_ENTRY = INTO_ENTRIES + ENTRY;

    /** So many go in one statement: what it costs before its first row is paid once. */
    private static final int ENTRIES_AT_ONCE = 8;

    private static final String INSERT_RUN =
            """
            INSERT INTO runs (id, org_id, session_id, turn, status, seq, source, created_at)
            VALUES (?, ?, ?, ?, 'queued', ?, ?, ?)
            """;

    private static final String UPDATE =
            """
            UPDATE sessions SET state = ?, next_seq = ?, consumed_seq = ?, last_input_seq = ?,
                next_turn = ?, head_digest = ?, workspace_held = ?,
                input_tokens = input_tokens + ?, output_tokens = output_tokens + ?,
                model_calls = model_calls + ?,
                error_code = ?, error_text = ?, updated_at = ?
            WHERE id = ? AND org_id = ?
            """;

    private static final String MOVE =
            UPDATE
                    + """
                    AND state = ? AND next_seq = ? AND consumed_seq = ? AND head_digest = ?
                    AND epoch = ? AND workspace_held = ?
                    """;

    private final SessionHead before;
    private final OrgId org;
    private final SessionId session;
    private final Instant now;
    private final List<Added> added = new ArrayList<>();

    private StateChange state;
    private long nextSeq;
    private long consumed;
    private long lastInput;
    private long nextTurn;
    private Sha256 head;
    private boolean held;
    private Usage used = Usage.NONE;

    /** An entry to be inserted, with what it was made from. */
    record Added(Entry entry, NewEntry from) {}

    /** A write to a session that is as {@code before} says. */
    SessionWrite(SessionHead before, Instant now) {
        this.before = before;
        this.org = before.org();
        this.session = before.session();
        this.now = now;
        this.state = StateChange.to(before.state());
        this.nextSeq = before.nextSeq();
        this.consumed = before.consumed();
        this.lastInput = before.lastInput();
        this.nextTurn = before.nextTurn();
        this.head = before.digest();
        this.held = before.held();
    }

    private static SessionWrite of(OrgId org, SessionId session, Instant now, ResultSet row)
            throws SQLException {
        int version = row.getInt("format_version");
        if (version > Entry.FORMAT_VERSION) {
            throw LedgerException.wrongVersion(
                    "The session was written in format "
                            + version
                            + " and this hanzo knows up to "
                            + Entry.FORMAT_VERSION
                            + "; it can be read, and a newer hanzo can continue it.");
        }
        return new SessionWrite(SessionHead.read(org, session, row), now);
    }

    /**
     * Names the org of this transaction and locks the session's row; empty when the org has no such
     * session. One round trip.
     */
    static Optional<SessionWrite> lock(
            Connection connection, OrgId org, SessionId session, Instant now) throws SQLException {
        try (PreparedStatement lock = connection.prepareStatement(LOCK)) {
            Rows.set(lock, org, session, org);
            lock.execute();
            lock.getMoreResults();
            return Pipeline.first(lock, row -> of(org, session, now, row));
        }
    }

    /** An action without an outcome. */
    record Open(Optional<TurnId> turn, ActionStatus status) {}

    /** A session and one of its actions, if that is open. */
    record OnAction(SessionWrite write, Optional<Open> open) {}

    /** The same, with a look at an action: the row's lock is had before. */
    static Optional<OnAction> lock(
            Connection connection, OrgId org, SessionId session, ActionId action, Instant now)
            throws SQLException {
        try (PreparedStatement lock = connection.prepareStatement(LOCK_AND_LOOK)) {
            Rows.set(lock, org, session, org, session, action);
            lock.execute();
            lock.getMoreResults();
            Optional<SessionWrite> write = Pipeline.first(lock, row -> of(org, session, now, row));
            lock.getMoreResults();
            Optional<Open> open =
                    Pipeline.first(
                            lock,
                            row ->
                                    new Open(
                                            Rows.turn(row, "turn"),
                                            Rows.constant(
                                                    ActionStatus.class, row.getString("status"))));
            return write.map(locked -> new OnAction(locked, open));
        }
    }

    /** The session as it was. */
    SessionHead before() {
        return before;
    }

    /** The session as it is once this is written. */
    SessionHead after() {
        return new SessionHead(
                org,
                session,
                state.to(),
                nextSeq,
                consumed,
                lastInput,
                nextTurn,
                head,
                before.epoch(),
                held,
                before.writesWorkspace());
    }

    /** What was added, in order. */
    List<Added> added() {
        return Collections.unmodifiableList(added);
    }

    /** The state to come, with its error. */
    StateChange change() {
        return state;
    }

    Usage used() {
        return used;
    }

    Instant now() {
        return now;
    }

    SessionState state() {
        return state.to();
    }

    Seq consumed() {
        return new Seq(consumed);
    }

    Seq lastSeq() {
        return new Seq(nextSeq - 1);
    }

    /** Whether a lease of {@code mine} still counts; else the epoch that does. */
    Optional<Epoch> newerThan(Epoch mine) {
        return before.epoch() == mine.value()
                ? Optional.empty()
                : Optional.of(new Epoch(before.epoch()));
    }

    /** Adds an entry that belongs to the run it names, or to none. */
    Entry add(NewEntry entry, Optional<ActionId> action) {
        return add(entry, entry.turn(), action);
    }

    /** Adds an entry of the run {@code turn}. */
    Entry add(NewEntry entry, Optional<TurnId> turn, Optional<ActionId> action) {
        Seq seq = new Seq(nextSeq);
        Entry open =
                new Entry(
                        org,
                        session,
                        seq,
                        entry.kind(),
                        turn,
                        action,
                        Entry.FORMAT_VERSION,
                        entry.payload().at(new Payload.Place(seq, turn)),
                        now,
                        entry.source(),
                        entry.key().map(key -> key.value()),
                        head,
                        Chain.START);
        Entry closed = withDigest(open, Chain.digestOf(open));
        added.add(new Added(closed, entry));
        nextSeq++;
        head = closed.digest();
        if (entry.kind().isInput()) {
            lastInput = seq.value();
            // The first configuration is eaten with the first turn: until then there is nothing
            // to do.
            if (state.to() == SessionState.IDLE && seq.value() > 1) {
                state = StateChange.to(SessionState.RUNNING);
            }
            boolean wakes = entry.kind().equals(EntryKind.RESUME);
            if (wakes || entry.kind().equals(EntryKind.STOP)) {
                state = StateChange.to(SessionState.RUNNING);
                held = held || (wakes && before.writesWorkspace());
            }
        }
        return closed;
    }

    /** Adds a new turn under the next number. */
    Entry addTurn(NewEntry turn) {
        Optional<TurnId> number = Optional.of(new TurnId(nextTurn));
        nextTurn++;
        held = before.writesWorkspace();
        return add(turn, number, Optional.empty());
    }

    /** Writes the queued run of a turn that was added; after {@link #flush}. */
    void insertRun(Pipeline writes, RunId run, Entry turn) {
        writes.add(
                INSERT_RUN, run.value(), org, session, turn.turn(), turn.seq(), turn.source(), now);
    }

    /** The core has eaten up to {@code seq}. */
    void consume(Seq seq) {
        consumed = seq.value();
    }

    void use(Usage more) {
        used = more;
    }

    /**
     * Moves the session; where it is to rest while an input waits, it runs on, so that nobody takes
     * its rest for the end of what was asked.
     */
    void moveTo(StateChange change) {
        boolean waiting = lastInput > consumed;
        boolean rests = change.to() == SessionState.IDLE || change.to() == SessionState.SUSPENDED;
        state = rests && waiting ? StateChange.to(SessionState.RUNNING) : change;
        held = held && state.to().holdsWorkspace();
    }

    /** Writes what was added and the row, at once. */
    void flush(Connection connection) throws SQLException {
        Pipeline writes = new Pipeline();
        flush(writes);
        writes.run(connection);
    }

    /** The same, together with what else is to be written. */
    void flush(Pipeline writes) {
        insertEntries(writes);
        writes.add(UPDATE, row());
    }

    /**
     * Writes the row if it is as it was taken to be; else all of the transaction ends, with {@link
     * GroupRows#isOvertaken}.
     */
    void moveRow(OneStatement writes) {
        List<Object> values = new ArrayList<>(List.of(row()));
        values.addAll(
                List.of(
                        before.state(),
                        before.nextSeq(),
                        before.consumed(),
                        before.digest(),
                        before.epoch(),
                        before.held()));
        writes.require(MOVE, values.toArray());
    }

    private Object[] row() {
        return new Object[] {
            state.to(),
            nextSeq,
            consumed,
            lastInput,
            nextTurn,
            head,
            held,
            used.inputTokens(),
            used.outputTokens(),
            used.modelCalls(),
            state.errorCode(),
            state.errorText(),
            now,
            session,
            org
        };
    }

    /** Writes what was added, and not the row. */
    void insertEntries(Writes writes) {
        for (Added one : added) {
            JdbcBodies.write(writes, org, session, one.from().sealed());
        }
        for (int from = 0; from < added.size(); from += ENTRIES_AT_ONCE) {
            int to = Math.min(added.size(), from + ENTRIES_AT_ONCE);
            List<Object> values = new ArrayList<>();
            for (Added one : added.subList(from, to)) {
                values.addAll(
                        List.of(
                                values(
                                        one.entry(),
                                        one.from().key().map(key -> key.body()),
                                        Optional.of(Rows.word(one.from().redaction())))));
            }
            String rows = String.join(", ", Collections.nCopies(to - from, ENTRY));
            writes.add(INTO_ENTRIES + rows, values.toArray());
        }
    }

    /** Sets the parameters of {@link #INSERT_ENTRY}. */
    static void set(
            PreparedStatement insert,
            Entry entry,
            Optional<Sha256> body,
            Optional<String> redaction)
            throws SQLException {
        Rows.set(insert, values(entry, body, redaction));
    }

    private static Object[] values(Entry entry, Optional<Sha256> body, Optional<String> redaction) {
        return new Object[] {
            entry.session(),
            entry.seq(),
            entry.org(),
            entry.kind(),
            entry.turn(),
            entry.action(),
            entry.formatVersion(),
            entry.payload(),
            entry.createdAt(),
            entry.source(),
            entry.idempotencyKey(),
            body,
            entry.prevDigest(),
            entry.digest(),
            redaction
        };
    }

    static Entry withDigest(Entry entry, Sha256 digest) {
        return new Entry(
                entry.org(),
                entry.session(),
                entry.seq(),
                entry.kind(),
                entry.turn(),
                entry.action(),
                entry.formatVersion(),
                entry.payload(),
                entry.createdAt(),
                entry.source(),
                entry.idempotencyKey(),
                entry.prevDigest(),
                digest);
    }

    /** Whether an entry of {@code kind} may come now. */
    boolean accepts(EntryKind kind) {
        return switch (state.to()) {
            case IDLE, RUNNING, WAITING_APPROVAL, WAITING_INPUT, WAITING_QUOTA ->
                    !kind.equals(EntryKind.RESUME);
            case SUSPENDED ->
                    kind.equals(EntryKind.NOTE)
                            || kind.equals(EntryKind.RESUME)
                            || kind.equals(EntryKind.STOP);
            case STOPPED, FAILED -> kind.equals(EntryKind.NOTE);
        };
    }
}
