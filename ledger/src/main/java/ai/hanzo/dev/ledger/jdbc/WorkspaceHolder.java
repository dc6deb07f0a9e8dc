package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.Workspace;
import ai.hanzo.dev.protocol.id.SessionId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Who holds a workspace. That two never do is the unique index {@code sessions_workspace_held};
 * this only finds the name for the message.
 */
final class WorkspaceHolder {
    private static final String CONSTRAINT = "sessions_workspace_held";

    private static final String BESIDE =
            """
            SELECT other.id FROM sessions mine JOIN sessions other
              ON other.workspace_machine = mine.workspace_machine
             AND other.workspace_device = mine.workspace_device
             AND other.workspace_inode = mine.workspace_inode
             AND other.org_id = mine.org_id
            WHERE mine.id = ? AND other.id <> mine.id AND other.workspace_held
            """;

    private static final String OF =
            """
            SELECT id FROM sessions
            WHERE workspace_machine = ? AND workspace_device = ? AND workspace_inode = ?
              AND workspace_held
            """;

    private WorkspaceHolder() {}

    static boolean isTheReason(SQLException fault) {
        return SqlFaults.uniqueViolation(fault).filter(CONSTRAINT::equals).isPresent();
    }

    /** Who holds the workspace of {@code session}, if it is another. */
    static Optional<SessionId> beside(Connection db, SessionId session) throws SQLException {
        try (PreparedStatement query = db.prepareStatement(BESIDE)) {
            Rows.set(query, session);
            return Rows.first(query, row -> new SessionId(row.getString(1)));
        }
    }

    /** Who holds {@code workspace}. */
    static Optional<SessionId> of(Connection db, Workspace workspace) throws SQLException {
        try (PreparedStatement query = db.prepareStatement(OF)) {
            Rows.set(query, workspace.machine(), workspace.device(), workspace.inode());
            return Rows.first(query, row -> new SessionId(row.getString(1)));
        }
    }
}
