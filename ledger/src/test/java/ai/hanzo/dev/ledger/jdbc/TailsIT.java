package ai.hanzo.dev.ledger.jdbc;

import static ai.hanzo.dev.ledger.Given.ORG;
import static ai.hanzo.dev.ledger.Given.OTHER_ORG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.Given;
import ai.hanzo.dev.ledger.Lease;
import ai.hanzo.dev.ledger.LedgerException;
import ai.hanzo.dev.ledger.NewAction;
import ai.hanzo.dev.ledger.Tails;
import ai.hanzo.dev.ledger.testing.TestPostgres;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two stores on one database are two hosts. */
@ExtendWith(TestPostgres.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TailsIT {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final int ENDINGS = 8;
    private static final int LAST_COMMITS = 3;

    private final DatabaseConfig config;
    private final PostgresStore here;
    private final PostgresStore there;

    TailsIT(DatabaseConfig config) {
        this.config = config;
        here = TestPostgres.open(config);
        there = TestPostgres.open(config);
    }

    /** What is written before the other host listens wakes nobody there. */
    @BeforeAll
    void awaitListening() {
        SessionId session = Given.opened(here, Given.session()).id();
        List<Seq> heard = new CopyOnWriteArrayList<>();
        try (var _ = there.tails().of(ORG, session, entriesTo(heard))) {
            await().atMost(SOON)
                    .until(() -> {
                        here.ledger().append(ORG, session, Given.turn("a"));
                        return !heard.isEmpty();
                    });
        }
    }

    @AfterAll
    void close() {
        here.close();
        there.close();
    }

    @Test
    void aWakeComesAtOnceHereAndSoonThere() {
        SessionId session = Given.opened(here, Given.session()).id();
        List<Seq> wokenHere = new CopyOnWriteArrayList<>();
        List<Seq> wokenThere = new CopyOnWriteArrayList<>();
        List<SessionId> wokenByAny = new CopyOnWriteArrayList<>();
        Tails.Listener listener =
                (_, _, seq) -> {
                    // A host that begins to listen tells everybody to look.
                    if (seq.value() > 0) {
                        wokenHere.add(seq);
                    }
                };
        try (var _ = here.tails().of(ORG, session, listener);
                var _ = there.tails().of(ORG, session, (_, _, seq) -> wokenThere.add(seq));
                var _ = there.tails().ofAll((_, any, _) -> wokenByAny.add(any))) {
            here.ledger().append(ORG, session, Given.turn("a"));

            assertThat(wokenHere).containsExactly(new Seq(2));
            await().atMost(SOON).until(() -> wokenThere.contains(new Seq(2)));
            await().atMost(SOON).until(() -> wokenByAny.contains(session));
        }
        here.ledger().append(ORG, session, Given.turn("b"));
        assertThat(wokenHere).containsExactly(new Seq(2));
    }

    /** Feature row H9. */
    @Test
    void anAbortedStepWakesNobody() {
        Lease lease = Given.leased(here);
        List<Seq> woken = new CopyOnWriteArrayList<>();
        NewAction good = Given.action(1, ActionStatus.DISPATCHED);
        NewAction undecided =
                new NewAction(
                        good.id(),
                        good.turn(),
                        good.kind(),
                        good.payload(),
                        good.request(),
                        good.status(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());
        // The start itself may wake the other host only now.
        Tails.Listener listener =
                (_, _, seq) -> {
                    if (seq.value() > 2) {
                        woken.add(seq);
                    }
                };
        try (var _ = here.tails().of(ORG, lease.session(), listener);
                var _ = there.tails().of(ORG, lease.session(), listener)) {
            assertThatThrownBy(() -> here.ledger().step(lease, Given.step(2, undecided)))
                    .isInstanceOf(LedgerException.class);
            assertThat(woken).isEmpty();

            here.ledger().step(lease, Given.step(2, good));
            await().atMost(SOON).until(() -> woken.size() == 2);
            assertThat(woken).containsOnly(new Seq(3));
        }
    }

    /** The sender died of a pool that was closed under it, and what it had not sent was lost. */
    @Test
    void theLastWakesOfAHostThatEndsAreSent() {
        for (int round = 0; round < ENDINGS; round++) {
            List<SessionId> heard = new CopyOnWriteArrayList<>();
            List<SessionId> written = new ArrayList<>();
            try (Tails.Subscription _ =
                    there.tails().ofAll((_, session, _) -> heard.add(session))) {
                try (PostgresStore ending = TestPostgres.open(config)) {
                    for (int i = 0; i < LAST_COMMITS; i++) {
                        written.add(Given.opened(ending, Given.session()).id());
                    }
                }
                await().atMost(SOON).until(() -> heard.containsAll(written));
            }
        }
    }

    /** A host that begins to listen tells everybody to look: that is no entry. */
    private static Tails.Listener entriesTo(List<Seq> heard) {
        return (_, _, seq) -> {
            if (seq.value() > 0) {
                heard.add(seq);
            }
        };
    }

    @Test
    void anotherOrgsListenerHearsNothing() {
        SessionId session = Given.opened(here, Given.session()).id();
        List<Seq> woken = new CopyOnWriteArrayList<>();
        List<Seq> theirs = new CopyOnWriteArrayList<>();
        try (Tails.Subscription _ = there.tails().of(OTHER_ORG, session, entriesTo(theirs));
                Tails.Subscription _ = there.tails().of(ORG, session, entriesTo(woken))) {
            here.ledger().append(ORG, session, Given.turn("a"));
            await().atMost(SOON).until(() -> !woken.isEmpty());
        }
        assertThat(theirs).isEmpty();
    }

    @Test
    void aListenerThatLostItsConnectionIsToldToLook() throws SQLException {
        SessionId session = Given.opened(here, Given.session()).id();
        List<Seq> woken = new CopyOnWriteArrayList<>();
        try (var _ = there.tails().of(ORG, session, (_, _, seq) -> woken.add(seq))) {
            await().atMost(SOON).until(() -> endListeners() >= 1);
            await().atMost(SOON).until(() -> woken.contains(new Seq(0)));

            here.ledger().append(ORG, session, Given.turn("a"));
            await().atMost(SOON).until(() -> woken.contains(new Seq(2)));
        }
    }

    private int endListeners() throws SQLException {
        String sql =
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                        + " WHERE application_name = 'hanzo-listen' AND datname = current_database()";
        try (Connection db =
                        DriverManager.getConnection(
                                config.url(), config.owner().user(), config.owner().password());
                Statement statement = db.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
