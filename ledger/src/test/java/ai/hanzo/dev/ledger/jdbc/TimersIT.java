package ai.hanzo.dev.ledger.jdbc;

import static ai.hanzo.dev.ledger.Given.ORG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.Given;
import ai.hanzo.dev.ledger.NewEntry;
import ai.hanzo.dev.ledger.Timers.Timer;
import ai.hanzo.dev.ledger.testing.TestPostgres;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.id.TurnId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(TestPostgres.class)
final class TimersIT {
    private static final Duration SOON = Duration.ofSeconds(40);

    private static List<Entry> timers(PostgresStore store, SessionId session) {
        return entries(store, session, EntryKind.TIMER);
    }

    private static List<Entry> cancels(PostgresStore store, SessionId session) {
        return entries(store, session, EntryKind.CANCEL);
    }

    private static List<Entry> entries(PostgresStore store, SessionId session, EntryKind kind) {
        return store.journal().entries(ORG, session, new Seq(0), 100).stream()
                .filter(entry -> entry.kind().equals(kind))
                .toList();
    }

    @Test
    void aTimerOutlivesItsHostAndFiresOnce(DatabaseConfig config) {
        SessionId session;
        SessionId cancelled;
        try (PostgresStore dying = TestPostgres.open(config)) {
            session = Given.opened(dying, Given.session()).id();
            cancelled = Given.opened(dying, Given.session()).id();
            dying.timers()
                    .schedule(
                            ORG,
                            session,
                            new Timer("quota", Instant.now().plusSeconds(3600), Bytes.utf8("a")));
            // Replaced by one that is due.
            dying.timers()
                    .schedule(ORG, session, new Timer("quota", Instant.now(), Bytes.utf8("b")));
            dying.timers()
                    .schedule(ORG, cancelled, new Timer("quota", Instant.now(), Bytes.empty()));
            dying.timers().cancel(ORG, cancelled, "quota");
            dying.timers().cancel(ORG, cancelled, "quota");
            TurnId turn = new TurnId(1);
            dying.timers().limit(ORG, session, turn, Instant.now(), Bytes.utf8("over"));
            // The first one counts.
            Instant later = Instant.now().plusSeconds(3600);
            dying.timers().limit(ORG, session, turn, later, Bytes.utf8("later"));
            dying.timers().limit(ORG, cancelled, turn, Instant.now(), Bytes.utf8("over"));
            dying.timers().unlimit(ORG, cancelled, turn);
            dying.timers().unlimit(ORG, cancelled, turn);
        }
        try (PostgresStore one = TestPostgres.open(config);
                PostgresStore two = TestPostgres.open(config)) {
            AtomicInteger ticks = new AtomicInteger();
            one.timers().every("tick", Duration.ofMillis(10), ticks::incrementAndGet);
            one.timers().start();
            two.timers().start();

            await().atMost(SOON).until(() -> !timers(two, session).isEmpty());
            await().atMost(SOON).until(() -> ticks.get() >= 1);
            assertThat(timers(two, session))
                    .singleElement()
                    .satisfies(entry -> assertThat(entry.payload()).isEqualTo(Bytes.utf8("b")));
            assertThat(timers(two, cancelled)).isEmpty();
            await().atMost(SOON).until(() -> !cancels(two, session).isEmpty());
            assertThat(cancels(two, session))
                    .singleElement()
                    .satisfies(entry -> {
                        assertThat(entry.payload()).isEqualTo(Bytes.utf8("over"));
                        assertThat(entry.turn()).contains(new TurnId(1));
                        assertThat(entry.source()).isEqualTo(NewEntry.HOST);
                    });
            assertThat(cancels(two, cancelled)).isEmpty();
        }
    }
}
