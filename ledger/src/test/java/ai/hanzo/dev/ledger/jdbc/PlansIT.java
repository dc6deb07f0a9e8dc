package ai.hanzo.dev.ledger.jdbc;

import static ai.hanzo.dev.ledger.Given.committed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.Ending;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.Given;
import ai.hanzo.dev.ledger.Lease;
import ai.hanzo.dev.ledger.NewEntry;
import ai.hanzo.dev.ledger.TurnedOver;
import ai.hanzo.dev.ledger.testing.TestPostgres;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.TurnId;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * How the server finds what is written. It makes its plans once for each connection, maybe while it
 * takes the tables for empty, and keeps them while the tables grow.
 */
@ExtendWith(TestPostgres.class)
final class PlansIT {
    private static final int SESSIONS = 8;
    private static final int ACTIONS = 50;
    private static final int OTHERS = 400;

    /**
     * Of sessions and actions, with an action: those that are changed, those that foreign keys and
     * the loading of its statement name, each once as a row and once in an index.
     */
    private static final int MOST_READ = 32;

    private static final String CONNECTIONS =
            "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'hanzo%'";

    private final DatabaseConfig config;

    PlansIT(DatabaseConfig config) {
        this.config = config;
    }

    @Test
    void aWriteReadsNoRowsOfOtherSessions() throws Exception {
        long before;
        try (PostgresStore store = TestPostgres.open(config)) {
            List<Lease> leases = opened(store, SESSIONS);
            all(store, leases, 1);
            long own = number(CONNECTIONS);
            try (PostgresStore others = TestPostgres.open(config)) {
                all(others, opened(others, OTHERS), 1);
            }
            // A connection tells what it read when it ends, at the latest.
            awaitConnections(own);
            before = rowsRead();
            all(store, leases, 1 + ACTIONS);
        }
        awaitConnections(0);

        assertThat(rowsRead() - before)
                .isBetween((long) SESSIONS * ACTIONS, (long) SESSIONS * 2 * ACTIONS * MOST_READ);
    }

    /** Sessions whose action 1 is sent. */
    private static List<Lease> opened(PostgresStore store, int count) {
        return IntStream.range(0, count)
                .mapToObj(_ -> {
                    Lease lease = Given.leased(store);
                    committed(
                            store.ledger()
                                    .step(
                                            lease,
                                            Given.step(
                                                    2, Given.action(1, ActionStatus.DISPATCHED))));
                    return lease;
                })
                .toList();
    }

    private static void all(PostgresStore store, List<Lease> leases, int from) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (Lease lease : leases) {
                running.add(threads.submit(() -> act(store, lease, from)));
            }
            for (Future<?> one : running) {
                one.get();
            }
        }
    }

    private static void act(PostgresStore store, Lease lease, int from) {
        IntStream.range(from, from + ACTIONS)
                .forEach(action ->
                        assertThat(
                                        store.ledger()
                                                .turnOver(
                                                        lease,
                                                        outcome(action),
                                                        outcome ->
                                                                Optional.of(
                                                                        Given.step(
                                                                                outcome.seq()
                                                                                        .value(),
                                                                                Given.action(
                                                                                        action + 1,
                                                                                        ActionStatus
                                                                                                .DISPATCHED)))))
                                .isInstanceOf(TurnedOver.Committed.class));
    }

    private static Ending outcome(long action) {
        return new Ending(
                new ActionId(action),
                ActionStatus.COMPLETED,
                NewEntry.ofHost(
                        EntryKind.RESULT, Optional.of(new TurnId(1)), Bytes.utf8("" + action)));
    }

    /**
     * Most updates of a session's row and of an action's are of columns that no index names: the
     * indexes do not grow by them, nor does what has to be walked over in them.
     */
    @Test
    void whatAnActionChangesNoIndexNames() throws Exception {
        TestPostgres.open(config).close();

        assertThat(
                        number(
                                """
                                SELECT count(*) FROM pg_index i JOIN pg_attribute a
                                    ON a.attrelid = i.indrelid AND (a.attnum = ANY (i.indkey)
                                        OR pg_get_expr(i.indpred, i.indrelid) LIKE
                                            '%' || a.attname || '%')
                                WHERE i.indrelid = 'sessions'::regclass AND a.attname IN (
                                        'next_seq', 'consumed_seq', 'last_input_seq',
                                        'head_digest', 'input_tokens', 'output_tokens',
                                        'model_calls', 'error_code', 'error_text', 'updated_at')
                                    OR i.indrelid = 'actions'::regclass AND a.attname IN (
                                        'status', 'outcome_seq', 'completed_at')
                                """))
                .isZero();
        assertThat(number("SELECT count(*) FROM pg_index WHERE indrelid = 'sessions'::regclass"))
                .isPositive();
    }

    /**
     * Rows, and entries of indexes, of sessions and actions that were ever read by connections that
     * have ended.
     */
    private long rowsRead() throws Exception {
        return number(
                """
                SELECT (SELECT sum(seq_tup_read + idx_tup_fetch) FROM pg_stat_user_tables
                        WHERE relname IN ('sessions', 'actions'))
                     + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes
                        WHERE relname IN ('sessions', 'actions'))
                """);
    }

    /** Connections that others have closed end a little later. */
    private void awaitConnections(long atMost) {
        await().atMost(Duration.ofSeconds(30)).until(() -> number(CONNECTIONS) <= atMost);
    }

    private long number(String query) throws SQLException {
        try (Connection db =
                        DriverManager.getConnection(
                                config.url(), config.owner().user(), config.owner().password());
                Statement statement = db.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
