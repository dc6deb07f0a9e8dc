package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.ledger.Usage;
import ai.hanzo.dev.ledger.Workspace;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.ProfileId;
import ai.hanzo.dev.protocol.id.RunnerId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.id.TurnId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** Rows of sessions as their record. */
final class SessionRows {
    /** The columns that {@link #read} reads. */
    static final String COLUMNS =
            """
            id, org_id, state, format_version, title, profile_id, workspace_path,
            workspace_machine, workspace_device, workspace_inode, workspace_access, model, policy,
            rules_digest, core_digest, runner_id, created_by, next_seq, consumed_seq, next_turn,
            input_tokens, output_tokens, model_calls, error_code, error_text, created_at, updated_at,
            setup_seq
            """;

    private static final String FIND =
            "SELECT " + COLUMNS + " FROM sessions WHERE id = ? AND org_id = ?";

    private SessionRows() {}

    static Optional<Session> find(Connection db, OrgId org, SessionId session) throws SQLException {
        try (PreparedStatement query = db.prepareStatement(FIND)) {
            Rows.set(query, session, org);
            return Rows.first(query, SessionRows::read);
        }
    }

    static Session read(ResultSet row) throws SQLException {
        long nextTurn = row.getLong("next_turn");
        return new Session(
                new OrgId(row.getString("org_id")),
                new SessionId(row.getString("id")),
                Rows.constant(SessionState.class, row.getString("state")),
                row.getInt("format_version"),
                row.getString("title"),
                Optional.ofNullable(row.getString("profile_id")).map(ProfileId::new),
                workspace(row),
                row.getString("model"),
                row.getString("policy"),
                Rows.digest(row, "rules_digest"),
                Rows.digest(row, "core_digest"),
                new RunnerId(row.getString("runner_id")),
                row.getString("created_by"),
                new Seq(row.getLong("next_seq") - 1),
                new Seq(row.getLong("consumed_seq")),
                nextTurn == 1 ? Optional.empty() : Optional.of(new TurnId(nextTurn - 1)),
                new Usage(
                        row.getLong("input_tokens"),
                        row.getLong("output_tokens"),
                        row.getLong("model_calls")),
                Optional.ofNullable(row.getString("error_code")),
                Optional.ofNullable(row.getString("error_text")),
                Rows.time(row, "created_at"),
                Rows.time(row, "updated_at"),
                new Seq(row.getLong("setup_seq")));
    }

    private static Optional<Workspace> workspace(ResultSet row) throws SQLException {
        String path = row.getString("workspace_path");
        if (path == null) {
            return Optional.empty();
        }
        return Optional.of(
                new Workspace(
                        path,
                        row.getString("workspace_machine"),
                        row.getLong("workspace_device"),
                        row.getLong("workspace_inode"),
                        Rows.constant(Workspace.Access.class, row.getString("workspace_access"))));
    }
}
