package ai.hanzo.dev.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.ledger.testing.TestPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the columns that an action touches refuse. */
@ExtendWith(TestPostgres.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ColumnRulesIT {
    private static final String SEE = "SELECT set_config('hanzo.org', 'old', true); ";

    private final DatabaseConfig config;

    ColumnRulesIT(DatabaseConfig config) {
        this.config = config;
    }

    @BeforeAll
    void fill() throws SQLException {
        TestPostgres.open(config).close();
        execute(config.owner(), OldRows.INSERT);
        execute(config.owner(), OldRows.DECIDE_IN_ROW);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE sessions SET start_key = 'k'",
                "UPDATE sessions SET workspace_path = '/w'",
                "UPDATE sessions SET workspace_path = '/w', workspace_access = 'all'",
                "UPDATE sessions SET setup_seq = 1",
                "UPDATE sessions SET rules_digest = 'short'",
                "UPDATE sessions SET core_digest = 'short'",
                "UPDATE sessions SET format_version = 0",
            })
    void whatASessionIsOpenedWithIsAskedOfWhoeverWritesIt(String change) {
        assertThatThrownBy(() -> execute(config.owner(), change))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23514"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "state = 'asleep'",
                "head_digest = 'short'",
                "next_seq = 0, consumed_seq = -1, last_input_seq = -1",
                "next_turn = 0",
                "consumed_seq = next_seq",
                "last_input_seq = next_seq",
                "workspace_held = true",
            })
    void theApplicationMovesASessionNowhereElse(String change) {
        refused("sessions_rules", "UPDATE sessions SET " + change);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "status = 'done'",
                "status = 'completed'",
                "completed_at = now()",
                "outcome_seq = 3",
                "outcome_seq = 3, completed_at = now()",
            })
    void theApplicationMovesAnActionNowhereElse(String change) {
        refused("actions_rules", "UPDATE actions SET " + change);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0 AS seq",
                "0 AS turn",
                "0 AS action_id",
                "'' AS kind",
                "'1st' AS kind",
                "'_turn' AS kind",
                "'Turn' AS kind",
                "'a-b' AS kind",
                "repeat('a', 41) AS kind",
                "'' AS source",
                "repeat('a', 201) AS source",
                "'k' AS idempotency_key",
                "sha256('b') AS body_digest",
                "'' AS idempotency_key, sha256('b') AS body_digest",
                "'k' AS idempotency_key, '\\x00'::bytea AS body_digest",
                "repeat('k', 201) AS idempotency_key, sha256('b') AS body_digest",
                "'\\x00'::bytea AS digest",
                "'\\x00'::bytea AS prev_digest",
                "'none' AS redaction",
                "0 AS format_version",
            })
    void theApplicationWritesNoOtherEntry(String with) {
        refused("entries_rules", entry(with));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 AS id", "'\\x00'::bytea AS request_digest", "'done' AS status"})
    void theApplicationWritesNoOtherAction(String with) {
        refused("actions_rules", action(with));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'maybe' AS verdict",
                "'off' AS mode",
                "NULL AS mode",
                "NULL AS rules",
                "NULL AS reason",
                "'\\x00'::bytea AS rules_digest",
                "NULL AS rules_digest",
                "NULL AS verdict",
                "NULL AS verdict, NULL AS mode, NULL AS rules, NULL AS reason, NULL AS rules_digest",
                "'emit' AS kind, NULL AS verdict",
            })
    void noActionIsWrittenThatWasNotDecided(String with) {
        refused("actions_decided", action(with));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "verdict = 'block'",
                "mode = 'observe'",
                "rules = '{}'",
                "reason = ''",
                "rules_digest = sha256('s')",
                "kind = 'emit'",
                "request_digest = sha256('s')",
                "seq = 2",
            })
    void whatAnActionIsAndWhatWasSaidOfItStays(String change) {
        assertThatThrownBy(() ->
                        execute(
                                config.app(),
                                "BEGIN; " + SEE + "UPDATE actions SET " + change + "; COMMIT"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("permission denied for table actions");
    }

    /** Else the refusals above would say nothing. */
    @Test
    void whatKeepsTheRulesIsWritten() throws SQLException {
        execute(
                config.app(),
                "BEGIN; "
                        + SEE
                        + "UPDATE sessions SET state = 'idle', next_seq = 5; "
                        + entry("sha256('4') AS digest")
                        + "; "
                        + action("'block' AS verdict")
                        + "; "
                        + another(
                                "actions",
                                "3 AS id, 4 AS seq, 'emit' AS kind, NULL AS verdict, NULL AS mode,"
                                        + " NULL AS rules, NULL AS reason, NULL AS rules_digest")
                        + "; UPDATE actions SET status = 'completed', outcome_seq = 4,"
                        + " completed_at = now() WHERE id = 1; ROLLBACK");
    }

    @Test
    void aKindOfALaterReleaseIsTaken() throws SQLException {
        execute(config.app(), "BEGIN; " + SEE + entry("'later_kind_2' AS kind") + "; ROLLBACK");
    }

    private static String entry(String with) {
        return another("entries", "4 AS seq, " + with);
    }

    private static String action(String with) {
        return another("actions", "2 AS id, 4 AS seq, " + with);
    }

    /** A row as the last one, but for what is given; what is given last counts. */
    private static String another(String table, String with) {
        return ("INSERT INTO %1$s SELECT (jsonb_populate_record(old, to_jsonb(given))).*"
                        + " FROM %1$s AS old, (SELECT %2$s) AS given"
                        + " WHERE old.ctid = (SELECT max(ctid) FROM %1$s)")
                .formatted(table, with);
    }

    private void refused(String policy, String sql) {
        assertThatThrownBy(() -> execute(config.app(), "BEGIN; " + SEE + sql + "; COMMIT"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("policy \"" + policy + "\"");
    }

    private void execute(DatabaseConfig.Login who, String sql) throws SQLException {
        try (Connection db = DriverManager.getConnection(config.url(), who.user(), who.password());
                Statement statement = db.createStatement()) {
            statement.execute(sql);
        }
    }
}
