package ai.hanzo.dev.ledger.jdbc;

import static ai.hanzo.dev.ledger.Given.ORG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.Given;
import ai.hanzo.dev.ledger.Timers.Timer;
import ai.hanzo.dev.ledger.testing.TestPostgres;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
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
        return store.journal().entries(ORG, session, new Seq(0), 100).stream()
                .filter(entry -> entry.kind().equals(EntryKind.TIMER))
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
        }
    }
}
