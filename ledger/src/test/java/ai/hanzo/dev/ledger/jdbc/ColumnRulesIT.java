package ai.hanzo.dev.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.ledger.testing.TestPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the columns that an action touches refuse, whoever writes to them. */
@ExtendWith(TestPostgres.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ColumnRulesIT {
    private final DatabaseConfig config;

    ColumnRulesIT(DatabaseConfig config) {
        this.config = config;
    }

    @BeforeAll
    void fill() throws SQLException {
        TestPostgres.open(config).close();
        execute(OldRows.INSERT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE sessions SET state = 'asleep'",
                "UPDATE sessions SET head_digest = 'short'",
                "UPDATE sessions SET next_turn = 0",
                "UPDATE sessions SET consumed_seq = next_seq",
                "UPDATE sessions SET last_input_seq = next_seq",
                "UPDATE sessions SET workspace_held = true",
                "UPDATE sessions SET start_key = 'k'",
                "UPDATE sessions SET workspace_path = '/w'",
                "UPDATE sessions SET workspace_path = '/w', workspace_access = 'all'",
                "UPDATE sessions SET setup_seq = 1",
                "UPDATE entries SET seq = 0 WHERE seq = 3",
                "UPDATE entries SET turn = 0",
                "UPDATE entries SET action_id = 0",
                "UPDATE entries SET kind = ''",
                "UPDATE entries SET kind = '1st'",
                "UPDATE entries SET kind = 'Turn'",
                "UPDATE entries SET source = ''",
                "UPDATE entries SET idempotency_key = 'k'",
                "UPDATE entries SET idempotency_key = '', body_digest = sha256('b')",
                "UPDATE entries SET digest = 'short'",
                "UPDATE entries SET prev_digest = 'short'",
                "UPDATE entries SET redaction = 'none'",
                "UPDATE entries SET format_version = 0",
                "UPDATE actions SET id = 0",
                "UPDATE actions SET request_digest = 'short'",
                "UPDATE actions SET status = 'done'",
                "UPDATE actions SET status = 'completed'",
                "UPDATE actions SET completed_at = now()",
                "UPDATE decisions SET verdict = 'maybe'",
                "UPDATE decisions SET mode = 'off'",
                "UPDATE decisions SET rules_digest = 'short'",
            })
    void aColumnTakesNothingElse(String change) {
        // Triggers that keep rows from being changed at all would speak first.
        assertThatThrownBy(() ->
                        execute(
                                "BEGIN; ALTER TABLE entries DISABLE TRIGGER entries_append_only;"
                                        + " ALTER TABLE decisions DISABLE TRIGGER"
                                        + " decisions_append_only; "
                                        + change
                                        + "; COMMIT"))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23514"));
    }

    private void execute(String sql) throws SQLException {
        try (Connection db =
                        DriverManager.getConnection(
                                config.url(), config.owner().user(), config.owner().password());
                Statement statement = db.createStatement()) {
            statement.execute(sql);
        }
    }
}
