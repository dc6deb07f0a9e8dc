package ai.hanzo.dev.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.ledger.Entry;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tables that an older release has filled. */
@ExtendWith(TestPostgres.class)
final class MigrationsIT {
    private static final String FILES =
            """
            SELECT concat_ws(' ', pg_relation_filenode('sessions'), pg_relation_filenode('entries'),
                pg_relation_filenode('actions'), pg_relation_filenode('decisions'),
                pg_relation_filenode('entries_pkey'), pg_relation_filenode('actions_pkey'))
            """;

    private final DatabaseConfig config;

    MigrationsIT(DatabaseConfig config) {
        this.config = config;
    }

    @Test
    void whatV10WroteIsReadAndItsTablesAreNotWrittenAgain() throws Exception {
        Flyway.configure(Schema.class.getClassLoader())
                .dataSource(config.direct(), config.owner().user(), config.owner().password())
                .locations("classpath:db/migration")
                .placeholders(Map.of("appRole", config.app().user()))
                .target("10")
                .load()
                .migrate();
        execute(OldRows.INSERT);
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
                                    "SELECT count(*) FROM inputs WHERE session_id = '"
                                            + OldRows.SESSION
                                            + "'"))
                    .isEqualTo("2");
        }
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
