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
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Processes of the server that stand still, as many as there are writers of groups. */
@ExtendWith(TestPostgres.class)
final class FrozenServerIT {
    private static final int SESSIONS = 8;

    private final DatabaseConfig config;

    FrozenServerIT(DatabaseConfig config) {
        this.config = config;
    }

    @Test
    @Timeout(120)
    void whoComesLaterIsWrittenByOthers() throws Exception {
        List<String> others = backends();
        try (PostgresStore store = TestPostgres.open(config);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Lease> leases = IntStream.range(0, SESSIONS).mapToObj(_ -> sent(store)).toList();
            List<String> frozen = backends();
            frozen.removeAll(others);
            signal("-STOP", frozen);
            List<Future<TurnedOver>> running = new ArrayList<>();
            try {
                for (Lease lease : leases) {
                    running.add(threads.submit(() -> act(store, lease)));
                    // One after the other, or they would all be in the groups that stand still.
                    Thread.sleep(200);
                }
                await().atMost(Duration.ofSeconds(100))
                        .until(() -> running.stream().anyMatch(Future::isDone));
            } finally {
                signal("-CONT", frozen);
            }
            for (Future<TurnedOver> one : running) {
                assertThat(one.get()).isInstanceOf(TurnedOver.Committed.class);
            }
        }
    }

    private static Lease sent(PostgresStore store) {
        Lease lease = Given.leased(store);
        committed(
                store.ledger()
                        .step(lease, Given.step(2, Given.action(1, ActionStatus.DISPATCHED))));
        return lease;
    }

    private static TurnedOver act(PostgresStore store, Lease lease) {
        Ending outcome =
                new Ending(
                        new ActionId(1),
                        ActionStatus.COMPLETED,
                        NewEntry.ofHost(
                                EntryKind.RESULT,
                                Optional.of(new TurnId(1)),
                                Bytes.utf8("outcome")));
        return store.ledger()
                .turnOver(
                        lease,
                        outcome,
                        entry ->
                                Optional.of(
                                        Given.step(
                                                entry.seq().value(),
                                                Given.action(2, ActionStatus.DISPATCHED))));
    }

    /** The processes that serve the pools of stores. */
    private List<String> backends() throws Exception {
        try (Connection db =
                        DriverManager.getConnection(
                                config.url(), config.owner().user(), config.owner().password());
                PreparedStatement query =
                        db.prepareStatement(
                                "SELECT pid::text FROM pg_stat_activity"
                                        + " WHERE application_name = 'hanzo'");
                ResultSet rows = query.executeQuery()) {
            List<String> found = new ArrayList<>();
            while (rows.next()) {
                found.add(rows.getString(1));
            }
            return found;
        }
    }

    private static void signal(String what, List<String> processes) throws Exception {
        List<String> command = new ArrayList<>(List.of("kill", what));
        command.addAll(processes);
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }
}
