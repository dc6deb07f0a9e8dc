package ai.hanzo.dev.ledger.jdbc;

import static ai.hanzo.dev.ledger.Given.ORG;
import static ai.hanzo.dev.ledger.Given.committed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.ledger.ActionRow;
import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.Ending;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.Given;
import ai.hanzo.dev.ledger.Lease;
import ai.hanzo.dev.ledger.LedgerException;
import ai.hanzo.dev.ledger.NewAction;
import ai.hanzo.dev.ledger.NewEntry;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.ledger.StepCommit;
import ai.hanzo.dev.ledger.TurnedOver;
import ai.hanzo.dev.ledger.Usage;
import ai.hanzo.dev.ledger.Verification;
import ai.hanzo.dev.ledger.testing.TestPostgres;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.TurnId;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** An outcome and its step in one commit, alone and among those of other sessions. */
@ExtendWith(TestPostgres.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TurnOverIT {
    private static final int SESSIONS = 32;
    private static final int EACH = 20;

    private final DatabaseConfig config;
    private final PostgresStore store;

    /** Another host's. */
    private final PostgresStore other;

    TurnOverIT(DatabaseConfig config) {
        this.config = config;
        this.store = TestPostgres.open(config);
        this.other = TestPostgres.open(config);
    }

    @AfterAll
    void close() {
        store.close();
        other.close();
    }

    /** A session whose action 1 is sent: entry 2 is its turn, entry 3 that action. */
    private Lease sent() {
        Lease lease = Given.leased(store);
        committed(store.ledger().step(lease, Given.step(2, sending(1))));
        return lease;
    }

    private static NewAction sending(long id) {
        return Given.action(id, ActionStatus.DISPATCHED);
    }

    /** An outcome of the turn's action. */
    private static Ending outcome(long action) {
        return new Ending(
                new ActionId(action),
                ActionStatus.COMPLETED,
                NewEntry.ofHost(
                        EntryKind.RESULT,
                        Optional.of(new TurnId(1)),
                        Bytes.utf8("outcome " + action)));
    }

    private static Optional<StepCommit> stepOf(Entry outcome, NewAction... actions) {
        return Optional.of(Given.step(outcome.seq().value(), actions));
    }

    private List<Entry> entries(Lease lease) {
        return store.journal().entries(ORG, lease.session(), new Seq(0), 1000);
    }

    private Session row(Lease lease) {
        return store.journal().session(ORG, lease.session()).orElseThrow();
    }

    private ActionStatus status(Lease lease, long action) {
        return store.journal()
                .action(ORG, lease.session(), new ActionId(action))
                .map(ActionRow::status)
                .orElseThrow();
    }

    /** Ends the action that was sent. */
    private TurnedOver turnOver(Lease lease, TurnedOver.NextStep next) {
        return store.ledger().turnOver(lease, outcome(1), next);
    }

    private Connection owner() throws SQLException {
        return DriverManager.getConnection(
                config.url(), config.owner().user(), config.owner().password());
    }

    private void assertIsSound(Lease lease) {
        assertThat(store.journal().verify(ORG, lease.session()))
                .isInstanceOf(Verification.Sound.class);
    }

    @Test
    void anOutcomeAndItsStepAreOneCommit() throws Exception {
        Lease lease = sent();

        TurnedOver over =
                turnOver(
                        lease,
                        outcome -> {
                            assertThat(outcome.seq()).isEqualTo(new Seq(4));
                            return stepOf(
                                    outcome,
                                    Given.action(2, ActionStatus.COMPLETED),
                                    sending(3),
                                    Given.action(4, ActionStatus.BLOCKED));
                        });

        assertThat(over)
                .isInstanceOfSatisfying(
                        TurnedOver.Committed.class,
                        done -> {
                            assertThat(done.outcome().payload().toUtf8()).isEqualTo("outcome 1");
                            assertThat(done.state()).isEqualTo(SessionState.RUNNING);
                        });
        assertThat(entries(lease))
                .extracting(entry -> entry.kind().value())
                .containsExactly(
                        "config", "turn", "action", "result", "action", "action", "action");
        assertThat(entries(lease).get(3).turn()).contains(new TurnId(1));
        assertThat(row(lease).consumed()).isEqualTo(new Seq(4));
        assertThat(row(lease).usage()).isEqualTo(new Usage(20, 2, 2));
        assertThat(status(lease, 1)).isEqualTo(ActionStatus.COMPLETED);
        assertThat(status(lease, 2)).isEqualTo(ActionStatus.COMPLETED);
        assertThat(status(lease, 3)).isEqualTo(ActionStatus.DISPATCHED);
        assertThat(status(lease, 4)).isEqualTo(ActionStatus.BLOCKED);
        assertThat(store.journal().decision(ORG, lease.session(), new ActionId(3)))
                .contains(Given.decision(ai.hanzo.dev.ledger.DecisionRow.Verdict.ALLOW));
        assertThat(store.journal().snapshot(ORG, lease.session())).contains(Given.snapshot(4));
        assertThat(transactions(lease, 4)).isEqualTo(1);
        assertIsSound(lease);
    }

    /** How many transactions wrote the entries from {@code from} on. */
    private long transactions(Lease lease, long from) throws Exception {
        try (Connection db = owner();
                PreparedStatement count =
                        db.prepareStatement(
                                "SELECT count(DISTINCT xmin::text) FROM entries"
                                        + " WHERE session_id = ? AND seq >= ?")) {
            count.setString(1, lease.session().value());
            count.setLong(2, from);
            try (ResultSet rows = count.executeQuery()) {
                rows.next();
                return rows.getLong(1);
            }
        }
    }

    @Test
    void aStepWithAnApprovalComesBehindItsOutcome() {
        Lease lease = sent();

        TurnedOver over =
                turnOver(
                        lease,
                        outcome -> stepOf(outcome, Given.action(2, ActionStatus.WAITING_APPROVAL)));

        assertThat(over).isInstanceOf(TurnedOver.Committed.class);
        assertThat(row(lease).consumed()).isEqualTo(new Seq(4));
        assertThat(store.approvals().pendingIn(ORG, lease.session())).hasSize(1);
        assertIsSound(lease);
    }

    @Test
    void anInputThatWaitsIsEatenFirst() {
        Lease lease = sent();
        committed(store.ledger().append(ORG, lease.session(), Given.turn("and more")));

        TurnedOver over = turnOver(lease, TurnOverIT::nobodyAsks);

        assertThat(over)
                .isInstanceOfSatisfying(
                        TurnedOver.OutcomeOnly.class,
                        only -> assertThat(only.outcome().seq()).isEqualTo(new Seq(5)));
        assertThat(status(lease, 1)).isEqualTo(ActionStatus.COMPLETED);
        assertThat(row(lease).consumed()).isEqualTo(new Seq(2));
        assertIsSound(lease);
    }

    private static Optional<StepCommit> nobodyAsks(Entry outcome) {
        throw new AssertionError("asked for the step of " + outcome);
    }

    @Test
    void whatAnotherHostPutInBetweenVoidsTheStep() {
        Lease lease = sent();

        TurnedOver over =
                turnOver(
                        lease,
                        outcome -> {
                            committed(
                                    other.ledger()
                                            .append(ORG, lease.session(), Given.turn("first")));
                            return stepOf(outcome, sending(2));
                        });

        assertThat(over).isInstanceOf(TurnedOver.Overtaken.class);
        assertThat(entries(lease))
                .extracting(entry -> entry.kind().value())
                .containsExactly("config", "turn", "action", "turn", "result");
        assertThat(row(lease).consumed()).isEqualTo(new Seq(2));
        assertIsSound(lease);
    }

    @Test
    void anActionThatIsOverVoidsTheStep() {
        Lease lease = sent();

        TurnedOver over =
                turnOver(
                        lease,
                        outcome -> {
                            committed(other.ledger().complete(lease, outcome(1)));
                            return stepOf(outcome, sending(2));
                        });

        assertThat(over).isInstanceOf(TurnedOver.Overtaken.class);
        assertThat(entries(lease)).hasSize(4);
        assertThat(row(lease).consumed()).isEqualTo(new Seq(2));
    }

    @Test
    void aFencedOwnerWritesNothing() {
        Lease lease = sent();

        TurnedOver over =
                turnOver(
                        lease,
                        outcome -> {
                            other.leases().release(lease);
                            Given.lease(other, Given.host(other), lease.session());
                            return stepOf(outcome, sending(2));
                        });

        assertThat(over).isInstanceOf(TurnedOver.Fenced.class);
        assertThat(entries(lease)).hasSize(3);
        assertThat(status(lease, 1)).isEqualTo(ActionStatus.DISPATCHED);
    }

    @Test
    void theOutcomeOutlivesAStepThatCannotBeMade() {
        Lease lease = sent();

        assertThatThrownBy(() ->
                        turnOver(
                                lease,
                                _ -> {
                                    throw new IllegalStateException("no");
                                }))
                .isInstanceOf(IllegalStateException.class);
        TurnedOver without = turnOver(sent(), outcome -> Optional.empty());

        assertThat(status(lease, 1)).isEqualTo(ActionStatus.COMPLETED);
        assertThat(row(lease).consumed()).isEqualTo(new Seq(2));
        assertThat(without).isInstanceOf(TurnedOver.OutcomeOnly.class);
    }

    @Test
    void aRefusedStepIsAFault() {
        Lease lease = sent();

        assertThatThrownBy(() -> turnOver(lease, outcome -> stepOf(outcome, undecided(2))))
                .isInstanceOfSatisfying(
                        LedgerException.class,
                        e -> assertThat(e.code()).isEqualTo(LedgerException.Code.REFUSED));

        assertThat(entries(lease)).hasSize(3);
        assertThat(status(lease, 1)).isEqualTo(ActionStatus.DISPATCHED);
    }

    /** An effect without a decision, which the database finds at the commit. */
    private static NewAction undecided(long id) {
        NewAction whole = sending(id);
        return new NewAction(
                whole.id(),
                whole.turn(),
                whole.kind(),
                whole.payload(),
                whole.request(),
                whole.status(),
                Optional.empty(),
                whole.approval(),
                whole.marker());
    }

    @Test
    void manySessionsAreWrittenTogetherAndNoneFailsForAnother() throws Exception {
        List<Lease> leases = IntStream.range(0, SESSIONS).mapToObj(_ -> sent()).toList();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < SESSIONS; i++) {
                Lease lease = leases.get(i);
                boolean isBad = i % 4 == 0;
                running.add(threads.submit(() -> act(lease, isBad)));
            }
            for (Future<?> one : running) {
                one.get();
            }
        }

        for (int i = 0; i < SESSIONS; i++) {
            Lease lease = leases.get(i);
            int last = i % 4 == 0 ? EACH - 1 : EACH;
            assertThat(entries(lease)).hasSize(3 + 2 * last);
            assertThat(status(lease, last + 1)).isEqualTo(ActionStatus.DISPATCHED);
            assertIsSound(lease);
        }
    }

    /** Ends an action and sends the next; the last step of a bad session is refused. */
    private void act(Lease lease, boolean isBad) {
        for (long action = 1; action <= EACH; action++) {
            long next = action + 1;
            boolean isRefused = isBad && action == EACH;
            try {
                TurnedOver over =
                        store.ledger()
                                .turnOver(
                                        lease,
                                        outcome(action),
                                        outcome ->
                                                stepOf(
                                                        outcome,
                                                        isRefused
                                                                ? undecided(next)
                                                                : sending(next)));
                assertThat(over).isInstanceOf(TurnedOver.Committed.class);
            } catch (LedgerException e) {
                assertThat(isRefused).isTrue();
            }
        }
    }

    /**
     * A host that stands still in the middle of a transaction, with as many as there are writers.
     */
    @Test
    void sessionsThatAreHeldElsewhereHoldUpNobody() throws Exception {
        List<Lease> held = List.of(sent(), sent(), sent());
        Lease free = sent();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                Connection db = owner();
                PreparedStatement hold =
                        db.prepareStatement("SELECT 1 FROM sessions WHERE id = ? FOR UPDATE")) {
            db.setAutoCommit(false);
            for (Lease lease : held) {
                hold.setString(1, lease.session().value());
                hold.execute();
            }
            List<Future<TurnedOver>> waiting = new ArrayList<>();
            for (Lease lease : held) {
                waiting.add(threads.submit(() -> actOnce(lease)));
            }

            for (long last = 1; last <= EACH; last++) {
                long action = last;
                assertThat(
                                store.ledger()
                                        .turnOver(
                                                free,
                                                outcome(action),
                                                outcome -> stepOf(outcome, sending(action + 1))))
                        .isInstanceOf(TurnedOver.Committed.class);
            }

            assertThat(waiting).noneMatch(Future::isDone);
            db.rollback();
            for (Future<TurnedOver> one : waiting) {
                assertThat(one.get())
                        .isInstanceOfAny(TurnedOver.Committed.class, TurnedOver.Overtaken.class);
            }
        }
        held.forEach(lease -> {
            assertThat(status(lease, 1)).isEqualTo(ActionStatus.COMPLETED);
            assertIsSound(lease);
        });
    }

    private TurnedOver actOnce(Lease lease) {
        return turnOver(lease, outcome -> stepOf(outcome, sending(2)));
    }

    @Test
    void outcomesAndStepsByThemselvesGoTheSameWay() throws Exception {
        Lease lease = sent();

        Entry outcome = committed(store.ledger().complete(lease, outcome(1)));
        List<Entry> step =
                committed(
                        store.ledger().step(lease, Given.step(outcome.seq().value(), sending(2))));

        assertThat(step).extracting(entry -> entry.seq().value()).containsExactly(5L);
        assertThat(transactions(lease, 4)).isEqualTo(2);
        assertThat(row(lease).consumed()).isEqualTo(outcome.seq());
        assertIsSound(lease);
    }
}
