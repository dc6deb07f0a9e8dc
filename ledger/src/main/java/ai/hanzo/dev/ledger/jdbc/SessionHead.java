package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.SessionId;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Where a session stands: what a write to it begins from.
 *
 * @param nextSeq that its next entry gets
 * @param consumed up to which the core has eaten
 * @param lastInput the last entry that is for the core
 * @param digest of its last entry, which the next one is chained to
 * @param epoch of the lease that may write
 * @param held whether it holds its workspace against other sessions
 */
record SessionHead(
        OrgId org,
        SessionId session,
        SessionState state,
        long nextSeq,
        long consumed,
        long lastInput,
        long nextTurn,
        Sha256 digest,
        long epoch,
        boolean held,
        boolean writesWorkspace) {

    static SessionHead read(OrgId org, SessionId session, ResultSet row) throws SQLException {
        return new SessionHead(
                org,
                session,
                Rows.constant(SessionState.class, row.getString("state")),
                row.getLong("next_seq"),
                row.getLong("consumed_seq"),
                row.getLong("last_input_seq"),
                row.getLong("next_turn"),
                Rows.digest(row, "head_digest"),
                row.getLong("epoch"),
                row.getBoolean("workspace_held"),
                "write".equals(row.getString("workspace_access")));
    }

    /** Whether the core has eaten all that there is for it. */
    boolean isEaten() {
        return lastInput <= consumed;
    }
}
