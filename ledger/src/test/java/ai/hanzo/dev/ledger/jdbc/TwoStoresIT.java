package ai.hanzo.dev.ledger.jdbc;

import static ai.hanzo.dev.ledger.Given.ORG;
import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.Appended;
import ai.hanzo.dev.ledger.Completed;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.Given;
import ai.hanzo.dev.ledger.Lease;
import ai.hanzo.dev.ledger.NewAction;
import ai.hanzo.dev.ledger.Verification;
import ai.hanzo.dev.ledger.testing.TestPostgres;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Two hosts' stores on one database. The numbers are small in each build; {@code -Pnightly} writes
 * 64 × 1,000 entries and delivers each outcome 1,000 times.
 */
@ExtendWith(TestPostgres.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TwoStoresIT {
    private static final int WRITERS = 64;
    private static final int EACH = Integer.getInteger("hanzo.writers.entries", 25);
    private static final int DELIVERIES = Integer.getInteger("hanzo.deliveries", 40);
    private static final int DELIVERERS = 20;
    private static final int OUTCOMES = 8;

    private final List<PostgresStore> stores;

    TwoStoresIT(DatabaseConfig config) {
        stores = List.of(TestPostgres.open(config), TestPostgres.open(config));
    }

    @AfterAll
    void close() {
        stores.forEach(PostgresStore::close);
    }

    /** Runs {@code work} on so many threads at once, on one store and the other by turns. */
    private void atOnce(int threads, Callable<?>[] work) throws Exception {
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                running.add(pool.submit(work[i]));
            }
            for (Future<?> one : running) {
                one.get();
            }
        }
    }

    private PostgresStore store(int of) {
        return stores.get(of % stores.size());
    }

    private List<Entry> entries(SessionId session) {
        List<Entry> all = new ArrayList<>();
        List<Entry> page;
        do {
            Seq after = all.isEmpty() ? new Seq(0) : all.getLast().seq();
            page = store(0).journal().entries(ORG, session, after, 1000);
            all.addAll(page);
        } while (page.size() == 1000);
        return all;
    }

    @Test
    void writersOfTwoHostsLeaveNoGapAndNoRepeat() throws Exception {
        SessionId session = Given.opened(store(0), Given.session()).id();
        Callable<?>[] writers =
                IntStream.range(0, WRITERS)
                        .mapToObj(writer ->
                                (Callable<?>)
                                        () -> {
                                            for (int i = 0; i < EACH; i++) {
                                                Given.committed(
                                                        store(writer)
                                                                .ledger()
                                                                .append(
                                                                        ORG,
                                                                        session,
                                                                        Given.note(
                                                                                writer + "/" + i)));
                                            }
                                            return writer;
                                        })
                        .toArray(Callable<?>[]::new);

        atOnce(WRITERS, writers);

        List<Entry> all = entries(session);
        assertThat(all)
                .extracting(entry -> entry.seq().value())
                .isEqualTo(LongStream.rangeClosed(1, 1 + WRITERS * EACH).boxed().toList());
        assertThat(all).extracting(entry -> entry.payload().toUtf8()).doesNotHaveDuplicates();
        assertThat(store(1).journal().verify(ORG, session)).isInstanceOf(Verification.Sound.class);
    }

    /** An outcome that comes again and again, at both hosts, is taken once. */
    @Test
    void redeliveredOutcomesAreTakenOnce() throws Exception {
        Lease lease = Given.leased(store(0));
        NewAction[] actions =
                IntStream.rangeClosed(1, OUTCOMES)
                        .mapToObj(id -> Given.action(id, ActionStatus.DISPATCHED))
                        .toArray(NewAction[]::new);
        Given.committed(store(0).ledger().step(lease, Given.step(2, actions)));
        AtomicInteger taken = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        Callable<?>[] deliverers = new Callable<?>[DELIVERERS];
        for (int i = 0; i < DELIVERERS; i++) {
            int deliverer = i;
            deliverers[i] =
                    () -> {
                        for (int n = 0; n < OUTCOMES * DELIVERIES / DELIVERERS; n++) {
                            long action = 1L + (deliverer + n) % OUTCOMES;
                            Completed done =
                                    store(deliverer)
                                            .ledger()
                                            .complete(lease, Given.result(action, "done"));
                            switch (done) {
                                case Completed.Committed _ -> taken.incrementAndGet();
                                case Completed.NotOpen _ -> refused.incrementAndGet();
                                case Completed.Fenced no -> throw new AssertionError(no);
                            }
                        }
                        return deliverer;
                    };
        }

        atOnce(DELIVERERS, deliverers);

        assertThat(taken).hasValue(OUTCOMES);
        assertThat(taken.get() + refused.get()).isEqualTo(OUTCOMES * DELIVERIES);
        assertThat(store(1).journal().openActions(ORG, lease.session())).isEmpty();
    }

    /** And a turn that is sent again under its key, wherever it is sent. */
    @Test
    void aTurnThatIsSentToBothHostsAgainAndAgainIsOneTurn() throws Exception {
        SessionId session = Given.opened(store(0), Given.session()).id();
        AtomicInteger made = new AtomicInteger();
        Callable<?>[] senders = new Callable<?>[DELIVERERS];
        for (int i = 0; i < DELIVERERS; i++) {
            int sender = i;
            senders[i] =
                    () -> {
                        for (int turn = 0; turn < DELIVERIES / 2; turn++) {
                            Appended appended =
                                    store(sender)
                                            .ledger()
                                            .append(
                                                    ORG,
                                                    session,
                                                    Given.turn("turn " + turn, "key-" + turn));
                            if (appended instanceof Appended.Committed) {
                                made.incrementAndGet();
                            }
                        }
                        return sender;
                    };
        }

        atOnce(DELIVERERS, senders);

        assertThat(made).hasValue(DELIVERIES / 2);
        assertThat(entries(session)).hasSize(1 + DELIVERIES / 2);
    }
}
