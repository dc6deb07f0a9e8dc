package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.Ending;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.NewAction;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The rows of a small write that goes by itself, as those of {@link GroupRows}: a value for each
 * column is read by the server for a fraction of what an array of one costs it, and one statement
 * does for all tables. Lives for one transaction, on its thread.
 */
final class LoneRows {
    private static final String SEE = Database.SEE + ", " + GroupRows.PATIENCE;

    private static final String END_ACTION =
            """
            UPDATE actions SET status = ?, outcome_seq = ?, completed_at = ?
            WHERE session_id = ? AND id = ? AND org_id = ? AND outcome_seq IS NULL
                AND status IN ('dispatched', 'in_doubt')
                AND turn IS NOT DISTINCT FROM ?::bigint
            """;

    /** More go as arrays, whose statement is the same for any number: it is prepared once. */
    private static final int MOST_ENTRIES = 4;

    private final Connection db;
    private final GroupMember member;
    private final SessionWrite write;
    private final OneStatement writes = new OneStatement();

    LoneRows(Connection db, GroupMember member) {
        this.db = db;
        this.member = member;
        this.write = member.write();
    }

    /** Whether it is as small as most are. */
    static boolean takes(GroupMember member) {
        return member.write().added().size() <= MOST_ENTRIES;
    }

    /**
     * Writes all, on a connection without a transaction: what is sent is one by itself. Were the
     * two statements to go apart, the second would find no org named, and be refused.
     */
    void commit() throws SQLException {
        write.moveRow(writes);
        write.insertEntries(writes);
        member.ending().ifPresent(this::endAction);
        insertActions();
        member.snapshot().ifPresent(snapshot -> StepWrite.put(writes, write.before(), snapshot));
        Pipeline all = new Pipeline().add(SEE, write.before().org());
        writes.addTo(all);
        all.runAlone(db);
    }

    private void endAction(Ending ending) {
        Entry outcome = write.added().getFirst().entry();
        writes.require(
                END_ACTION,
                ending.end(),
                outcome.seq(),
                outcome.createdAt(),
                outcome.session(),
                ending.action(),
                outcome.org(),
                outcome.turn());
    }

    private void insertActions() throws SQLException {
        for (int i = 0; i < member.actions().size(); i++) {
            NewAction action = member.actions().get(i);
            Entry entry = member.actionEntries().get(i);
            writes.add(
                    ActionInsert.SQL,
                    ActionInsert.values(db, write.before(), action, entry.seq(), write.now()));
        }
    }
}
