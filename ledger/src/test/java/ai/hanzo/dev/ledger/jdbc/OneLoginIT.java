package ai.hanzo.dev.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.Given;
import ai.hanzo.dev.ledger.Lease;
import ai.hanzo.dev.ledger.LedgerException;
import ai.hanzo.dev.ledger.Stepped;
import ai.hanzo.dev.ledger.testing.TestPostgres;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A database of which only one login is known, an ordinary role that owns it. */
@ExtendWith(TestPostgres.class)
final class OneLoginIT {
    private final DatabaseConfig admin;
    private final DatabaseConfig mine;

    OneLoginIT(DatabaseConfig admin) {
        this.admin = admin;
        DatabaseConfig.Login login = new DatabaseConfig.Login("alice", "a");
        this.mine =
                new DatabaseConfig(admin.url(), login, login, 4, admin.leaseTtl(), admin.direct());
    }

    @BeforeEach
    void give() throws SQLException {
        execute(
                admin,
                """
                DO $$
                BEGIN
                    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'alice') THEN
                        CREATE ROLE alice LOGIN PASSWORD 'a';
                    END IF;
                    EXECUTE format('GRANT ALL ON DATABASE %I TO alice', current_database());
                    EXECUTE format('ALTER SCHEMA %I OWNER TO alice', current_schema());
                END $$
                """);
    }

    @Test
    void theRulesOfRowsBindTheOwner() throws SQLException {
        try (PostgresStore store = TestPostgres.open(mine)) {
            Lease lease = Given.leased(store);
            assertThat(
                            store.ledger()
                                    .step(
                                            lease,
                                            Given.step(
                                                    2, Given.action(1, ActionStatus.DISPATCHED))))
                    .isInstanceOf(Stepped.Committed.class);
        }
        for (String broken :
                new String[] {
                    "UPDATE sessions SET next_seq = 0",
                    "UPDATE actions SET status = 'completed'",
                    "INSERT INTO entries SELECT (jsonb_populate_record(e, '{\"seq\": 9, \"kind\": \"1\"}')).*"
                            + " FROM entries e LIMIT 1",
                    "INSERT INTO actions SELECT (jsonb_populate_record(a, '{\"id\": 2, \"verdict\": null}')).*"
                            + " FROM actions a LIMIT 1",
                }) {
            assertThatThrownBy(() -> execute(mine, broken))
                    .as(broken)
                    .hasMessageContaining("violates row-level security policy");
        }
        assertThatThrownBy(() -> execute(mine, "TRUNCATE actions CASCADE"))
                .hasMessageContaining("append-only");
    }

    @Test
    void aBackupIsRestoredUnlessItsRowsBreakARule(DatabaseConfig source) throws Exception {
        TestPostgres.open(source).close();
        execute(source, OldRows.INSERT);

        assertThatThrownBy(() -> restore(source))
                .isInstanceOfSatisfying(
                        LedgerException.class,
                        e -> assertThat(e.code()).isEqualTo(LedgerException.Code.CORRUPT))
                .hasMessageContaining("actions_decided");

        execute(source, OldRows.DECIDE_IN_ROW);
        restore(source);
        try (PostgresStore store = TestPostgres.open(mine)) {
            assertThat(store.journal().session(OldRows.ORG, OldRows.ID)).isPresent();
        }
        assertThatThrownBy(() -> execute(mine, "UPDATE sessions SET next_seq = 0"))
                .hasMessageContaining("sessions_rules");
    }

    private void restore(DatabaseConfig source) throws IOException {
        try (TableDump dump = TableDump.open(source);
                TableLoad load = TableLoad.open(mine, dump.schema())) {
            for (String table : dump.tables()) {
                ByteArrayOutputStream rows = new ByteArrayOutputStream();
                dump.copy(table, rows);
                load.copy(table, new ByteArrayInputStream(rows.toByteArray()));
            }
            load.commit();
        }
    }

    private static void execute(DatabaseConfig config, String sql) throws SQLException {
        try (Connection db =
                        DriverManager.getConnection(
                                config.direct(), config.owner().user(), config.owner().password());
                Statement statement = db.createStatement()) {
            statement.execute(sql);
        }
    }
}
