package ai.hanzo.dev.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.LedgerException;
import ai.hanzo.dev.ledger.testing.TestPostgres;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tables that an older release has filled. */
@ExtendWith(TestPostgres.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class MigrationsIT {
    private static final String FILES =
            """
            SELECT concat_ws(' ', pg_relation_filenode('sessions'), pg_relation_filenode('entries'),
                pg_relation_filenode('actions'),
                pg_relation_filenode('entries_pkey'), pg_relation_filenode('actions_pkey'))
            """;

    private final DatabaseConfig config;

    MigrationsIT(DatabaseConfig config) {
        this.config = config;
    }

    @Test
    @Order(1) // before there is anything later
    void whatV10WroteIsReadAndItsTablesAreNotWrittenAgain() throws Exception {
        Flyway.configure(Schema.class.getClassLoader())
                .dataSource(config.direct(), config.owner().user(), config.owner().password())
                .locations("classpath:db/migration")
                .placeholders(Map.of("appRole", config.app().user()))
                .target("10")
                .load()
                .migrate();
        execute(OldRows.INSERT + OldRows.DECIDE_IN_TABLE);
        execute("UPDATE actions SET status = 'completed', outcome_seq = 3, completed_at = now()");
        String before = text(FILES);

        try (PostgresStore store = TestPostgres.open(config)) {
            List<Entry> entries =
                    store.journal()
                            .entries(
                                    new OrgId("old"),
                                    new SessionId(OldRows.SESSION),
                                    new Seq(0),
                                    10);

            assertThat(entries)
                    .extracting(entry -> entry.kind().value())
                    .containsExactly("config", "turn", "action");
            assertThat(text(FILES)).isEqualTo(before);
            assertThat(
                            text(
                                    "SELECT concat_ws(' ', action_id, verdict, mode, rules, reason) FROM decisions"))
                    .isEqualTo("1 allow enforce {r} w");
            assertThat(unreadable()).isNull();
            assertThat(
                            text(
                                    "SELECT count(*) FROM inputs WHERE session_id = '"
                                            + OldRows.SESSION
                                            + "'"))
                    .isEqualTo("2");
        }
    }

    /** What the application may not read: the grants of a table go with it. */
    private String unreadable() throws SQLException {
        return text(
                """
                SELECT string_agg(relname, ' ') FROM pg_class
                WHERE relkind IN ('r', 'v') AND relnamespace = current_schema()::regnamespace
                    AND NOT has_table_privilege('%s', oid, 'SELECT')
                """
                        .formatted(config.app().user()));
    }

    /** Its tables may be other than they were, in whatever way. */
    @Test
    void whatALaterReleaseHasMadeIsLeftAlone() throws Exception {
        TestPostgres.open(config).close();
        execute(
                """
                INSERT INTO flyway_schema_history (installed_rank, version, description, type,
                    script, checksum, installed_by, execution_time, success)
                SELECT max(installed_rank) + 1, '999', 'later', 'SQL', 'V999__later.sql', 1,
                    current_user, 1, true
                FROM flyway_schema_history
                """);

        assertThatThrownBy(() -> TestPostgres.open(config))
                .isInstanceOfSatisfying(
                        LedgerException.class,
                        e -> {
                            assertThat(e.code()).isEqualTo(LedgerException.Code.WRONG_VERSION);
                            assertThat(e).hasMessageContaining("another release of hanzo");
                        });
    }

    private void execute(String sql) throws SQLException {
        try (Connection db = owner();
                Statement statement = db.createStatement()) {
            statement.execute(sql);
        }
    }

    private String text(String query) throws SQLException {
        try (Connection db = owner();
                Statement statement = db.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        }
    }

    private Connection owner() throws SQLException {
        return DriverManager.getConnection(
                config.url(), config.owner().user(), config.owner().password());
    }
}
