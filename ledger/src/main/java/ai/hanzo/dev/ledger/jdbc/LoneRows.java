package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.Ending;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.NewAction;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The rows of a write that goes by itself, as those of {@link GroupRows}: a value for each column
 * is read by the server for a fraction of what an array of one costs it. Lives within one
 * transaction, on its thread.
 */
final class LoneRows {
    private static final String SEE =
            "SELECT set_config('hanzo.org', ?, true), set_config('lock_timeout', '100ms', true)";

    private static final String MOVE_SESSION =
            """
            WITH moved AS (
                UPDATE sessions SET state = ?, next_seq = ?, consumed_seq = ?, last_input_seq = ?,
                    head_digest = ?, workspace_held = ?, input_tokens = input_tokens + ?,
                    output_tokens = output_tokens + ?, model_calls = model_calls + ?,
                    error_code = ?, error_text = ?, updated_at = ?
                WHERE id = ? AND org_id = ? AND state = ? AND next_seq = ? AND consumed_seq = ?
                    AND head_digest = ? AND epoch = ? AND workspace_held = ?
                RETURNING 1)
            SELECT hanzo_require((SELECT count(*) FROM moved), 1)
            """;

    private static final String END_ACTION =
            """
            WITH ended AS (
                UPDATE actions SET status = ?, outcome_seq = ?, completed_at = ?
                WHERE session_id = ? AND id = ? AND org_id = ? AND outcome_seq IS NULL
                    AND status IN ('dispatched', 'in_doubt')
                    AND coalesce(turn, 0) = ?
                RETURNING 1)
            SELECT hanzo_require((SELECT count(*) FROM ended), 1)
            """;

    private final Connection db;
    private final GroupMember member;
    private final SessionWrite write;
    private final Pipeline writes = new Pipeline();

    LoneRows(Connection db, GroupMember member) {
        this.db = db;
        this.member = member;
        this.write = member.write();
    }

    /** Writes all, and commits. */
    void commit() throws SQLException {
        writes.add(SEE, write.before().org());
        moveSession();
        write.insertEntries(writes);
        member.ending().ifPresent(this::endAction);
        insertActions();
        member.snapshot().ifPresent(snapshot -> StepWrite.put(writes, write.before(), snapshot));
        writes.runLast(db);
    }

    private void moveSession() {
        SessionHead was = write.before();
        SessionHead is = write.after();
        writes.add(
                MOVE_SESSION,
                is.state(),
                is.nextSeq(),
                is.consumed(),
                is.lastInput(),
                is.digest(),
                is.held(),
                write.used().inputTokens(),
                write.used().outputTokens(),
                write.used().modelCalls(),
                write.change().errorCode(),
                write.change().errorText(),
                write.now(),
                was.session(),
                was.org(),
                was.state(),
                was.nextSeq(),
                was.consumed(),
                was.digest(),
                was.epoch(),
                was.held());
    }

    private void endAction(Ending ending) {
        Entry outcome = write.added().getFirst().entry();
        writes.add(
                END_ACTION,
                ending.end(),
                outcome.seq(),
                outcome.createdAt(),
                outcome.session(),
                ending.action(),
                outcome.org(),
                outcome.turn().map(turn -> turn.value()).orElse(0L));
    }

    private void insertActions() throws SQLException {
        for (int i = 0; i < member.actions().size(); i++) {
            NewAction action = member.actions().get(i);
            Entry entry = member.actionEntries().get(i);
            StepWrite.insert(writes, write.before(), action, entry.seq(), write.now());
        }
        for (NewAction action : member.actions()) {
            StepWrite.insertDecision(db, writes, write.before(), action, write.now());
        }
    }
}
