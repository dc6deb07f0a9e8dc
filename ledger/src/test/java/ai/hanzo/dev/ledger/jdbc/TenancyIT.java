package ai.hanzo.dev.ledger.jdbc;

import static ai.hanzo.dev.ledger.Given.ORG;
import static ai.hanzo.dev.ledger.Given.OTHER_ORG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.Given;
import ai.hanzo.dev.ledger.Lease;
import ai.hanzo.dev.ledger.RunStatus;
import ai.hanzo.dev.ledger.testing.TestPostgres;
import ai.hanzo.dev.protocol.id.OrgId;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the database itself refuses, whatever our code asks. Feature rows H7, H30, H31, H33. */
@ExtendWith(TestPostgres.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TenancyIT {
    /** Tables that belong to no org. */
    private static final Set<String> SHARED =
            Set.of(
                    "hosts",
                    "runners",
                    "run_transitions",
                    "scheduled_tasks",
                    "flyway_schema_history");

    private static final String QUARANTINED =
            "INSERT INTO quarantine (id, channel, idempotency_key, body_digest, sealed, reason,"
                    + " status, resolved_at, resolved_by, org_id) SELECT 'qtn_' || repeat('a', 26),"
                    + " 'slack', 'k', decode(repeat('00', 32), 'hex'), '', ";

    private final DatabaseConfig config;
    private final PostgresStore store;
    private final Lease mine;
    private final Lease theirs;

    TenancyIT(DatabaseConfig config) {
        this.config = config;
        store = TestPostgres.open(config);
        mine = Given.leased(store);
        store.ledger()
                .append(
                        ORG,
                        mine.session(),
                        Given.note("with a body").with(Given.sealed("key", "body")));
        store.ledger()
                .step(
                        mine,
                        Given.step(
                                2,
                                Given.action(1, ActionStatus.WAITING_APPROVAL),
                                Given.action(2, ActionStatus.DISPATCHED)));
        store.ledger().complete(mine, Given.result(2, "long", Given.artifact(2, "stdout")));
        var session =
                Given.opened(
                        store,
                        Given.session(
                                OTHER_ORG,
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of(Given.turn("theirs"))));
        theirs = new Lease(OTHER_ORG, session.id(), mine.epoch(), mine.host());
    }

    @AfterAll
    void close() {
        store.close();
    }

    private static Connection connect(DatabaseConfig config, DatabaseConfig.Login login)
            throws SQLException {
        return DriverManager.getConnection(config.url(), login.user(), login.password());
    }

    private Set<String> tables() throws SQLException {
        try (Connection db = connect(config, config.owner());
                Statement statement = db.createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")) {
            Set<String> names = new TreeSet<>();
            while (rows.next()) {
                names.add(rows.getString(1));
            }
            return names;
        }
    }

    /** All that can be read: the view, too. */
    private Set<String> shown() throws SQLException {
        Set<String> names = tables();
        names.add("inputs");
        return names;
    }

    @Test
    void withoutAnOrgNoTableShowsARow() throws SQLException {
        try (Connection db = connect(config, config.app());
                Statement statement = db.createStatement()) {
            for (String table : shown()) {
                if (SHARED.contains(table)) {
                    continue;
                }
                try (ResultSet rows = statement.executeQuery("SELECT count(*) FROM " + table)) {
                    rows.next();
                    assertThat(rows.getInt(1)).as(table).isZero();
                }
            }
        }
    }

    @Test
    void withAnOrgATableWithoutAnyWhereShowsThatOrgOnly() throws SQLException {
        for (OrgId org : List.of(ORG, OTHER_ORG)) {
            try (Connection db = connect(config, config.app());
                    Statement statement = db.createStatement()) {
                db.setAutoCommit(false);
                Database.see(db, org);
                for (String table : shown()) {
                    if (SHARED.contains(table) || table.equals("orgs")) {
                        continue;
                    }
                    try (ResultSet rows =
                            statement.executeQuery(
                                    "SELECT count(*) FILTER (WHERE org_id <> '"
                                            + org
                                            + "') FROM "
                                            + table)) {
                        rows.next();
                        assertThat(rows.getInt(1)).as(table).isZero();
                    }
                }
                try (ResultSet rows = statement.executeQuery("SELECT count(*) FROM entries")) {
                    rows.next();
                    assertThat(rows.getInt(1)).isPositive();
                }
                db.rollback();
            }
        }
    }

    @Test
    void theOrgIsForgottenWithTheTransaction() throws SQLException {
        try (Connection db = connect(config, config.app());
                Statement statement = db.createStatement()) {
            db.setAutoCommit(false);
            Database.see(db, ORG);
            db.commit();
            try (ResultSet rows = statement.executeQuery("SELECT count(*) FROM sessions")) {
                rows.next();
                assertThat(rows.getInt(1)).isZero();
            }
        }
    }

    @Test
    void everyTableOfAnOrgHasRowLevelSecurityAndItsOrg() throws SQLException {
        try (Connection db = connect(config, config.owner());
                Statement statement = db.createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                """
                                SELECT c.relname FROM pg_class c
                                WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
                                  AND c.relrowsecurity
                                """)) {
            Set<String> secured = new TreeSet<>();
            while (rows.next()) {
                secured.add(rows.getString(1));
            }
            Set<String> expected = tables();
            expected.removeAll(SHARED);
            assertThat(secured).isEqualTo(expected);
        }
    }

    /** A row of one org cannot be a child of another's: the org is part of what refers. */
    @Test
    void everyTableOfAnOrgRefersWithItsOrg() throws SQLException {
        try (Connection db = connect(config, config.owner());
                Statement statement = db.createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                """
                                SELECT DISTINCT c.conrelid::regclass::text
                                FROM pg_constraint c JOIN pg_attribute a
                                  ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
                                WHERE c.contype = 'f' AND a.attname = 'org_id'
                                  AND c.connamespace = 'public'::regnamespace
                                """)) {
            Set<String> referring = new TreeSet<>();
            while (rows.next()) {
                referring.add(rows.getString(1));
            }
            Set<String> expected = tables();
            expected.removeAll(SHARED);
            expected.remove("orgs");
            assertThat(referring).isEqualTo(expected);
        }
    }

    @Test
    void theApplicationsLoginIsAnOrdinaryOne() throws SQLException {
        try (Connection db = connect(config, config.app());
                Statement statement = db.createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                """
                                SELECT rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb,
                                    (SELECT count(*) FROM pg_class c WHERE c.relowner = r.oid)
                                FROM pg_roles r WHERE rolname = current_user
                                """)) {
            rows.next();
            assertThat(rows.getBoolean(1)).isFalse();
            assertThat(rows.getInt(2)).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE entries SET payload = ''",
                "DELETE FROM entries",
                "TRUNCATE entries CASCADE",
                "UPDATE decisions SET verdict = 'allow'",
                "DELETE FROM decisions",
                "DELETE FROM sessions",
                "DELETE FROM actions",
                "DELETE FROM bodies",
                "DELETE FROM artifacts",
                "UPDATE artifacts SET sha256 = sha256",
                "DELETE FROM principals",
                "UPDATE principals SET id = 'me'",
                "UPDATE inputs SET principal = 'me'",
                "INSERT INTO quarantine SELECT * FROM quarantine",
                "DELETE FROM session_keys",
                "UPDATE session_keys SET wrapped = ''",
                "UPDATE bodies SET sealed = ''",
                "DROP TABLE entries CASCADE",
                "ALTER TABLE entries DISABLE ROW LEVEL SECURITY",
                "SET ROLE hanzo",
                "UPDATE run_transitions SET to_status = 'completed'"
            })
    void theApplicationCannotRewriteHistory(String sql) throws SQLException {
        try (Connection db = connect(config, config.app());
                Statement statement = db.createStatement()) {
            db.setAutoCommit(false);
            Database.see(db, ORG);
            assertThatThrownBy(() -> statement.execute(sql)).isInstanceOf(SQLException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE entries SET payload = ''",
                "DELETE FROM entries",
                "TRUNCATE entries CASCADE",
                "UPDATE decisions SET reason = ''",
                "UPDATE session_keys SET wrapped = ''",
                "DELETE FROM bodies",
                "UPDATE artifacts SET size_bytes = 0",
                "DELETE FROM artifacts"
            })
    void evenTheOwnerIsStoppedByTheTrigger(String sql) throws SQLException {
        try (Connection db = connect(config, config.owner());
                Statement statement = db.createStatement()) {
            assertThatThrownBy(() -> statement.execute(sql))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("append-only");
        }
    }

    /** As the owner, whom row-level security does not bind: the keys themselves refuse. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO entries SELECT session_id, 99, '%2$s', kind, turn, action_id,"
                        + " format_version, payload, created_at, source, NULL, NULL, prev_digest,"
                        + " digest FROM entries WHERE session_id = '%1$s' AND seq = 1",
                "INSERT INTO snapshots VALUES ('%1$s', '%2$s', 1, decode(repeat('00', 32), 'hex'),"
                        + " '', '') ON CONFLICT (session_id) DO UPDATE SET org_id = '%2$s'",
                "UPDATE actions SET org_id = '%2$s' WHERE session_id = '%1$s' AND outcome_seq IS NULL",
                "UPDATE runs SET org_id = '%2$s' WHERE session_id = '%1$s'",
                "UPDATE approvals SET org_id = '%2$s' WHERE session_id = '%1$s'",
                "UPDATE leases SET org_id = '%2$s' WHERE session_id = '%1$s'",
                "INSERT INTO bodies VALUES ('%1$s', decode(repeat('00', 32), 'hex'), '%2$s', '')",
                "INSERT INTO artifacts (session_id, action_id, name, org_id, sha256, size_bytes,"
                        + " media_type) SELECT session_id, action_id, 'theirs', '%2$s', sha256,"
                        + " size_bytes, media_type FROM artifacts WHERE session_id = '%1$s'",
                "DELETE FROM principals WHERE id = 'cli:me' AND org_id <> '%2$s'",
                "UPDATE sessions SET created_by = 'nobody' WHERE id = '%1$s'",
                "UPDATE sessions SET org_id = '%2$s' WHERE id = '%1$s'"
            })
    void aReferenceAcrossOrgsIsRefused(String sql) throws SQLException {
        try (Connection db = connect(config, config.owner());
                Statement statement = db.createStatement()) {
            db.setAutoCommit(false);
            assertThatThrownBy(
                            () -> {
                                statement.execute(String.format(sql, mine.session(), theirs.org()));
                                db.commit();
                            })
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("foreign key");
        }
    }

    @Test
    void theTableOfTransitionsIsTheOneInJava() throws SQLException {
        try (Connection db = connect(config, config.app());
                Statement statement = db.createStatement();
                ResultSet rows = statement.executeQuery("SELECT * FROM run_transitions")) {
            List<String> stored = new ArrayList<>();
            while (rows.next()) {
                stored.add(rows.getString(1) + ">" + rows.getString(2));
            }
            List<String> ours =
                    Arrays.stream(RunStatus.values())
                            .flatMap(from ->
                                    from.next().stream()
                                            .map(to -> Rows.word(from) + ">" + Rows.word(to)))
                            .collect(Collectors.toList());
            assertThat(stored).containsExactlyInAnyOrderElementsOf(ours);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE runs SET status = 'done'",
                "UPDATE runs SET run_kind = 'other'",
                "UPDATE sessions SET setup_seq = 1",
                "UPDATE sessions SET rules_digest = ''",
                "UPDATE sessions SET core_digest = ''",
                "UPDATE sessions SET workspace_access = 'own'",
                "UPDATE sessions SET workspace_access = 'write', workspace_path = NULL",
                "UPDATE sessions SET start_key = 'k', start_body = NULL",
                "INSERT INTO sessions SELECT (jsonb_populate_record(s, '{\"id\":"
                        + " \"ses_UPPER\"}')).* FROM sessions s LIMIT 1",
                QUARANTINED + "'a whim', 'pending', NULL, NULL, NULL",
                QUARANTINED + "'unknown_sender', 'lost', NULL, NULL, NULL",
                QUARANTINED + "'unknown_sender', 'pending', now(), NULL, NULL",
                QUARANTINED + "'unknown_sender', 'pending', NULL, NULL, 'local'",
                QUARANTINED + "'unknown_sender', 'resolved', now(), NULL, 'local'",
                QUARANTINED + "'unknown_sender', 'resolved', now(), 'cli:me', NULL",
                "INSERT INTO artifacts (session_id, action_id, name, org_id, sha256, size_bytes,"
                        + " media_type, retention) SELECT session_id, action_id, 'x', org_id,"
                        + " sha256, size_bytes, media_type, 'for ever' FROM artifacts",
                "UPDATE approvals SET status = 'approved'"
            })
    void aValueOutsideItsListIsRefused(String sql) throws SQLException {
        try (Connection db = connect(config, config.owner());
                Statement statement = db.createStatement()) {
            assertThatThrownBy(() -> statement.execute(sql))
                    .isInstanceOf(SQLException.class)
                    .hasFieldOrPropertyWithValue("SQLState", "23514");
        }
    }

    /** Feature row H29: an event without an org shows in none; the one that it is given sees it. */
    @Test
    void whatIsInQuarantineIsNobodysUntilItIsResolvedAndThenForGood() throws SQLException {
        try (Connection db = connect(config, config.owner());
                Statement statement = db.createStatement()) {
            statement.execute(QUARANTINED + "'unknown_channel', 'pending', NULL, NULL, NULL");
            assertThatThrownBy(() ->
                            statement.execute(
                                    QUARANTINED.replace("repeat('a'", "repeat('b'")
                                            + "'unknown_sender', 'pending', NULL, NULL,"
                                            + " NULL"))
                    .hasMessageContaining("quarantine_channel_idempotency_key_key");
            assertThat(quarantinedIn(ORG)).isZero();
            statement.execute(
                    "UPDATE quarantine SET status = 'resolved', resolved_at = now(),"
                            + " resolved_by = 'cli:me', org_id = 'local'");
            assertThat(quarantinedIn(ORG)).isEqualTo(1);
            assertThat(quarantinedIn(OTHER_ORG)).isZero();
            assertThatThrownBy(
                            () -> statement.execute("UPDATE quarantine SET status = 'discarded'"))
                    .hasMessageContaining("is resolved");
        }
    }

    private int quarantinedIn(OrgId org) throws SQLException {
        try (Connection db = connect(config, config.app());
                Statement statement = db.createStatement()) {
            db.setAutoCommit(false);
            Database.see(db, org);
            try (ResultSet rows = statement.executeQuery("SELECT count(*) FROM quarantine")) {
                rows.next();
                return rows.getInt(1);
            }
        }
    }
}
