package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.ArchiveRow;
import ai.hanzo.dev.ledger.DecisionRow;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.NewAction;
import ai.hanzo.dev.ledger.Snapshot;
import ai.hanzo.dev.protocol.id.OrgId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * The rows of several sessions' writes, a statement for each table: what a statement costs before
 * its first row is paid once. Every statement that changes a row names what it found there, and
 * ends the transaction when that has changed. Lives within one transaction, on its thread.
 *
 * <p>What is changed is looked up by its key, for each row that is given, and then by its place.
 * The server, which knows neither how many are given nor, at first, how large its tables are, would
 * else look through all rows of the org, or through an index that is full of dead ones, and keep to
 * that plan while they become more: OFFSET 0 holds the lookup together, and LIMIT has it take the
 * rows that are given for few.
 */
final class GroupRows {
    /** What the server says when a row is not as a writer took it to be (V10). */
    private static final String OVERTAKEN = "HZ001";

    /** And when somebody else holds it: lock_not_available. */
    private static final String HELD = "55P03";

    /** A row that another host's writer holds for long must not hold up all who come after. */
    static final String PATIENCE = "set_config('lock_timeout', '100ms', true)";

    /**
     * Arrays are of any length, which the server would plan anew for each time; and each row is
     * found by its key, also while the table is small, or is thought to be.
     */
    private static final String SEE =
            Database.SEE
                    + ", "
                    + PATIENCE
                    + ", set_config('plan_cache_mode', 'force_generic_plan', true)"
                    + ", set_config('enable_seqscan', 'off', true)";

    private static final String MOVE_SESSIONS =
            """
            WITH moved AS (
                UPDATE sessions s SET state = w.state, next_seq = w.next_seq,
                    consumed_seq = w.consumed_seq, last_input_seq = w.last_input_seq,
                    head_digest = w.head_digest, workspace_held = w.held,
                    input_tokens = s.input_tokens + w.input_tokens,
                    output_tokens = s.output_tokens + w.output_tokens,
                    model_calls = s.model_calls + w.model_calls,
                    error_code = w.error_code, error_text = w.error_text, updated_at = w.updated_at
                FROM (SELECT *
                    FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) AS w (id,
                        was_state, was_next, was_consumed, was_head, was_epoch, was_held, state,
                        next_seq, consumed_seq, last_input_seq, head_digest, held, input_tokens,
                        output_tokens, model_calls, error_code, error_text, updated_at)
                    LIMIT ?) AS w
                CROSS JOIN LATERAL (SELECT s.ctid AS place FROM sessions s
                    WHERE s.id = w.id AND s.org_id = ? AND s.state = w.was_state
                        AND s.next_seq = w.was_next AND s.consumed_seq = w.was_consumed
                        AND s.head_digest = w.was_head AND s.epoch = w.was_epoch
                        AND s.workspace_held = w.was_held
                    OFFSET 0) AS found
                WHERE s.ctid = found.place
                RETURNING 1)
            SELECT hanzo_require((SELECT count(*) FROM moved), ?)
            """;

    private static final String INSERT_ENTRIES =
            """
            INSERT INTO entries (session_id, seq, org_id, kind, turn, action_id, format_version,
                payload, created_at, source, prev_digest, digest, redaction)
            SELECT w.session_id, w.seq, ?, w.kind, w.turn, w.action_id, w.format_version,
                w.payload, w.created_at, w.source, w.prev_digest, w.digest, w.redaction
            FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) AS w (session_id, seq, kind, turn,
                action_id, format_version, payload, created_at, source, prev_digest, digest,
                redaction)
            """;

    private static final String END_ACTIONS =
            """
            WITH ended AS (
                UPDATE actions a SET status = w.status, outcome_seq = w.seq, completed_at = w.at
                FROM (SELECT *
                    FROM unnest(?, ?, ?, ?, ?, ?) AS w (session_id, id, turn, status, seq, at)
                    LIMIT ?) AS w
                CROSS JOIN LATERAL (SELECT a.ctid AS place FROM actions a
                    WHERE a.session_id = w.session_id AND a.id = w.id AND a.org_id = ?
                        AND a.outcome_seq IS NULL AND a.status IN ('dispatched', 'in_doubt')
                        AND a.turn IS NOT DISTINCT FROM w.turn
                    OFFSET 0) AS found
                WHERE a.ctid = found.place
                RETURNING 1)
            SELECT hanzo_require((SELECT count(*) FROM ended), ?)
            """;

    private static final String INSERT_ACTIONS =
            """
            INSERT INTO actions (session_id, id, org_id, turn, seq, kind, request_digest, status,
                marker, outcome_seq, created_at, dispatched_at, completed_at, verdict, mode, rules,
                reason, rules_digest)
            SELECT w.session_id, w.id, ?, w.turn, w.seq, w.kind, w.request_digest, w.status,
                w.marker, w.outcome_seq, w.created_at, w.dispatched_at, w.completed_at, w.verdict,
                w.mode, w.rules::text[], w.reason, w.rules_digest
            FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) AS w (session_id, id,
                turn, seq, kind, request_digest, status, marker, outcome_seq, created_at,
                dispatched_at, completed_at, verdict, mode, rules, reason, rules_digest)
            """;

    private static final String PUT_SNAPSHOTS =
            """
            INSERT INTO snapshots (session_id, org_id, through_seq, core_digest, state, mac)
            SELECT w.session_id, ?, w.through_seq, w.core_digest, w.state, w.mac
            FROM unnest(?, ?, ?, ?, ?) AS w (session_id, through_seq, core_digest, state, mac)
            ON CONFLICT (session_id) DO UPDATE SET through_seq = excluded.through_seq,
                core_digest = excluded.core_digest, state = excluded.state, mac = excluded.mac
            """;

    private final Connection db;
    private final OrgId org;
    private final List<GroupMember> members;
    private final Pipeline writes = new Pipeline();

    /**
     * @param members of one org, of a session each, by rising id: every transaction takes its locks
     *     in that order
     */
    GroupRows(Connection db, OrgId org, List<GroupMember> members) {
        this.db = db;
        this.org = org;
        this.members = members;
    }

    /** Whether a fault means that a session is, or is about to be, not as it was taken to be. */
    static boolean isOvertaken(SQLException fault) {
        return OVERTAKEN.equals(fault.getSQLState()) || HELD.equals(fault.getSQLState());
    }

    /** Writes all, and commits. */
    void commit() throws SQLException {
        writes.add(SEE, org);
        moveSessions();
        insertEntries();
        endActions();
        insertActions();
        putSnapshots();
        writes.runLast(db);
    }

    private void moveSessions() throws SQLException {
        Columns rows =
                new Columns(
                        "text text int8 int8 bytea int8 bool text int8 int8 int8 bytea bool int8"
                                + " int8 int8 text text timestamptz");
        for (GroupMember member : members) {
            SessionHead was = member.write().before();
            SessionHead is = member.write().after();
            rows.add(
                    is.session(),
                    was.state(),
                    was.nextSeq(),
                    was.consumed(),
                    was.digest(),
                    was.epoch(),
                    was.held(),
                    is.state(),
                    is.nextSeq(),
                    is.consumed(),
                    is.lastInput(),
                    is.digest(),
                    is.held(),
                    member.write().used().inputTokens(),
                    member.write().used().outputTokens(),
                    member.write().used().modelCalls(),
                    member.write().change().errorCode(),
                    member.write().change().errorText(),
                    member.write().now());
        }
        writes.add(MOVE_SESSIONS, rows.and(db, (long) rows.size(), org, (long) rows.size()));
    }

    private void insertEntries() throws SQLException {
        Columns rows =
                new Columns(
                        "text int8 text int8 int8 int4 bytea timestamptz text bytea bytea text");
        for (GroupMember member : members) {
            for (SessionWrite.Added added : member.write().added()) {
                Entry entry = added.entry();
                rows.add(
                        entry.session(),
                        entry.seq(),
                        entry.kind(),
                        entry.turn(),
                        entry.action(),
                        entry.formatVersion(),
                        entry.payload(),
                        entry.createdAt(),
                        entry.source(),
                        entry.prevDigest(),
                        entry.digest(),
                        added.from().redaction());
            }
        }
        if (rows.size() > 0) {
            writes.add(INSERT_ENTRIES, rows.after(db, org));
        }
    }

    private void endActions() throws SQLException {
        Columns rows = new Columns("text int8 int8 text int8 timestamptz");
        for (GroupMember member : members) {
            if (member.ending().isPresent()) {
                Entry outcome = member.write().added().getFirst().entry();
                rows.add(
                        outcome.session(),
                        member.ending().get().action(),
                        outcome.turn(),
                        member.ending().get().end(),
                        outcome.seq(),
                        outcome.createdAt());
            }
        }
        if (rows.size() > 0) {
            writes.add(END_ACTIONS, rows.and(db, (long) rows.size(), org, (long) rows.size()));
        }
    }

    private void insertActions() throws SQLException {
        Columns rows =
                new Columns(
                        "text int8 int8 int8 text bytea text text int8 timestamptz timestamptz"
                                + " timestamptz text text text text bytea");
        for (GroupMember member : members) {
            for (int i = 0; i < member.actions().size(); i++) {
                addAction(rows, member.actions().get(i), member.actionEntries().get(i));
            }
        }
        if (rows.size() > 0) {
            writes.add(INSERT_ACTIONS, rows.after(db, org));
        }
    }

    private void addAction(Columns rows, NewAction from, Entry entry) throws SQLException {
        ArchiveRow.OfAction action = ActionInsert.row(from, entry.seq(), entry.createdAt());
        Optional<DecisionRow> decision = from.decision();
        rows.add(
                entry.session(),
                action.id(),
                action.turn(),
                action.seq(),
                action.kind(),
                action.request(),
                action.status(),
                action.marker(),
                action.outcome(),
                action.times().createdAt(),
                action.times().dispatchedAt(),
                action.times().completedAt(),
                decision.map(DecisionRow::verdict),
                decision.map(DecisionRow::mode),
                ActionInsert.rules(db, decision).map(Object::toString),
                decision.map(DecisionRow::reason),
                decision.map(DecisionRow::ruleSet));
    }

    private void putSnapshots() throws SQLException {
        Columns rows = new Columns("text int8 bytea bytea bytea");
        for (GroupMember member : members) {
            if (member.snapshot().isPresent()) {
                Snapshot snapshot = member.snapshot().get();
                rows.add(
                        member.write().before().session(),
                        snapshot.through(),
                        snapshot.core(),
                        snapshot.state(),
                        snapshot.mac());
            }
        }
        if (rows.size() > 0) {
            writes.add(PUT_SNAPSHOTS, rows.after(db, org));
        }
    }
}
