package ai.hanzo.dev.ledger.jdbc;

import static ai.hanzo.dev.ledger.Given.ORG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.Given;
import ai.hanzo.dev.ledger.Lease;
import ai.hanzo.dev.ledger.Leases;
import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.ledger.Stepped;
import ai.hanzo.dev.ledger.testing.TestPostgres;
import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.protocol.id.HostId;
import ai.hanzo.dev.protocol.id.RunnerId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(TestPostgres.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LeasesIT {
    private static final Duration TTL = Duration.ofMillis(400);
    private static final Duration SOON = Duration.ofSeconds(20);

    private final PostgresStore store;
    private final PostgresStore patient;

    LeasesIT(DatabaseConfig config) {
        patient = TestPostgres.open(config);
        store = TestPostgres.open(config.withLeaseTtl(TTL));
    }

    @AfterAll
    void close() {
        store.close();
        patient.close();
    }

    @Test
    void aLiveHostKeepsItsSession() {
        HostId first = Given.host(patient);
        Lease lease = Given.leased(patient, first);
        HostId second = Given.host(patient);

        assertThat(patient.leases().acquire(ORG, lease.session(), second))
                .isEqualTo(new Leases.Acquired.HeldBy(first, lease.epoch()));
        assertThat(patient.leases().orphans(second, 1000))
                .extracting(Leases.Waiting::session)
                .doesNotContain(lease.session());
    }

    @Test
    void theSameHostCanTakeItsSessionAnewAndFencesItself() {
        Lease old = Given.leased(patient);
        Lease current = Given.lease(patient, old.host(), old.session());

        assertThat(current.epoch()).isEqualTo(new Epoch(old.epoch().value() + 1));
        assertThat(patient.ledger().step(old, Given.step(2))).isInstanceOf(Stepped.Fenced.class);
    }

    @Test
    void aSilentHostIsDeclaredDeadForGood() {
        HostId silent = Given.host(store);
        SessionId session = Given.leased(store, silent).session();

        HostId heir = Given.host(patient);
        await().atMost(SOON)
                .until(() ->
                        store.leases().orphans(heir, 1000).stream()
                                .anyMatch(one -> one.session().equals(session)));

        assertThat(store.leases().heartbeat(silent)).isEqualTo(new Leases.Beat.Dead());
        assertThat(store.leases().acquire(ORG, session, silent))
                .isEqualTo(new Leases.Acquired.HostDead());
        assertThat(Given.lease(patient, heir, session).epoch()).isEqualTo(new Epoch(2));
    }

    /** As after a machine was asleep, or too busy. */
    @Test
    void aHostThatIsLateDoesNotDeclareItselfDead() {
        HostId late = Given.host(store);
        SessionId session = Given.leased(store, late).session();
        await().atMost(SOON)
                .until(() ->
                        store.leases().acquire(ORG, session, late)
                                instanceof Leases.Acquired.HostDead);

        List<Leases.Waiting> _ = store.leases().orphans(late, 1000);

        assertThat(store.leases().heartbeat(late)).isInstanceOf(Leases.Beat.Alive.class);
        assertThat(store.leases().acquire(ORG, session, late))
                .isInstanceOf(Leases.Acquired.Granted.class);
    }

    @Test
    void aBeatingHostIsNotDeclaredDead() {
        HostId beating = Given.host(store);
        SessionId session = Given.leased(store, beating).session();
        long end = System.nanoTime() + TTL.multipliedBy(3).toNanos();
        HostId other = Given.host(patient);

        await().atMost(SOON)
                .pollInterval(TTL.dividedBy(8))
                .until(() -> {
                    assertThat(store.leases().heartbeat(beating))
                            .isInstanceOf(Leases.Beat.Alive.class);
                    return System.nanoTime() > end;
                });

        assertThat(store.leases().acquire(ORG, session, other))
                .isInstanceOf(Leases.Acquired.HeldBy.class);
    }

    @Test
    void aHeartbeatTellsOfInputsWhoseWakeWasLost() {
        Lease lease = Given.leased(patient);

        assertThat(patient.leases().heartbeat(lease.host()))
                .isEqualTo(
                        new Leases.Beat.Alive(
                                List.of(new Leases.Waiting(ORG, lease.session(), new Seq(2)))));
        Given.committed(patient.ledger().step(lease, Given.step(2)));
        assertThat(patient.leases().heartbeat(lease.host()))
                .isEqualTo(new Leases.Beat.Alive(List.of()));
    }

    @Test
    void onlySessionsThatNeedSomebodyAreOrphans() {
        HostId host = Given.host(patient);
        SessionId fresh = Given.opened(patient, Given.sessionWithTurn("a")).id();
        SessionId idle = Given.opened(patient, Given.session()).id();
        Lease rests = Given.leased(patient, host);
        patient.ledger().step(rests, Given.step(2, SessionState.IDLE));
        Lease asks = Given.leased(patient, host);
        patient.ledger()
                .step(
                        asks,
                        Given.step(
                                2,
                                SessionState.WAITING_APPROVAL,
                                Given.action(1, ActionStatus.WAITING_APPROVAL)));
        Lease sent = Given.leased(patient, host);
        patient.ledger()
                .step(
                        sent,
                        Given.step(
                                2,
                                SessionState.WAITING_APPROVAL,
                                Given.action(1, ActionStatus.WAITING_APPROVAL),
                                Given.action(2, ActionStatus.DISPATCHED)));
        patient.leases().retire(host);

        assertThat(patient.leases().orphans(Given.host(patient), 1000))
                .extracting(Leases.Waiting::session)
                .contains(fresh, sent.session())
                .doesNotContain(idle, rests.session(), asks.session());

        HostId elsewhere = new HostId("elsewhere");
        patient.leases().register(elsewhere, new RunnerId("another-runner"));
        assertThat(patient.leases().orphans(elsewhere, 1000)).isEmpty();
    }

    @Test
    void aReleasedSessionIsFreeAndAnOldReleaseTakesNothing() {
        Lease old = Given.leased(patient);
        Lease current = Given.lease(patient, old.host(), old.session());

        patient.leases().release(old);
        assertThat(patient.leases().acquire(ORG, old.session(), Given.host(patient)))
                .isInstanceOf(Leases.Acquired.HeldBy.class);

        patient.leases().release(current);
        assertThat(patient.leases().acquire(ORG, old.session(), Given.host(patient)))
                .isInstanceOf(Leases.Acquired.Granted.class);
    }
}
