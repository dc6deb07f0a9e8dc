package ai.hanzo.dev.ledger.pg;

import static ai.hanzo.dev.ledger.Given.ORG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ai.hanzo.dev.ledger.Appended;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.Given;
import ai.hanzo.dev.ledger.LedgerException;
import ai.hanzo.dev.ledger.Verification;
import ai.hanzo.dev.ledger.jdbc.DatabaseConfig;
import ai.hanzo.dev.ledger.jdbc.EmbeddedStore;
import ai.hanzo.dev.ledger.jdbc.PostgresStore;
import ai.hanzo.dev.ledger.testing.TestPostgres;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server is killed under load. Field case S1. */
final class CrashIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int WRITERS = 4;
    private static final int KILLS = 5;

    @TempDir private Path dir;
    private EmbeddedPostgres postgres;

    @BeforeEach
    void prepare() throws IOException {
        Path root = dir.resolve("pg");
        Files.createDirectories(root);
        OneCluster.giveBinaries(root);
        postgres = new EmbeddedPostgres(root);
    }

    @AfterEach
    void stop() {
        postgres.stop();
    }

    /** What one writer knows: the highest sequence it was told is on disk. */
    private static void write(
            PostgresStore store,
            SessionId session,
            Map<SessionId, Seq> acknowledged,
            AtomicBoolean enough) {
        for (int i = 0; !enough.get(); i++) {
            String key = session + "/" + i;
            boolean known = false;
            while (!known && !enough.get()) {
                try {
                    Appended appended =
                            store.ledger().append(ORG, session, Given.turn("turn " + i, key));
                    Entry entry =
                            switch (appended) {
                                case Appended.Committed(Entry made) -> made;
                                // The answer was lost with the connection, the commit was not.
                                case Appended.Duplicate(Entry made) -> made;
                                case Appended.KeyReused no -> throw new AssertionError(no);
                                case Appended.NoSession no -> throw new AssertionError(no);
                                case Appended.Closed no -> throw new AssertionError(no);
                                case Appended.WorkspaceBusy no -> throw new AssertionError(no);
                                case Appended.NotOpen no -> throw new AssertionError(no);
                            };
                    acknowledged.put(session, entry.seq());
                    known = true;
                } catch (LedgerException e) {
                    assertThat(e.code())
                            .isIn(
                                    LedgerException.Code.DATABASE_GONE,
                                    LedgerException.Code.UNKNOWN_OUTCOME);
                }
            }
        }
    }

    @Test
    void whatWasAcknowledgedOutlivesAKilledServer() throws Exception {
        Random random = new Random(20260101L);
        DatabaseConfig config = EmbeddedStore.prepare(postgres.start());
        Map<SessionId, Seq> acknowledged = new ConcurrentHashMap<>();
        AtomicBoolean enough = new AtomicBoolean();
        try (PostgresStore store = TestPostgres.open(config);
                var threads = Executors.newVirtualThreadPerTaskExecutor();
                // Whatever fails below, the writers end.
                Closeable _ = () -> enough.set(true)) {
            List<Future<?>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                SessionId session = Given.opened(store, Given.session()).id();
                acknowledged.put(session, new Seq(1));
                writers.add(threads.submit(() -> write(store, session, acknowledged, enough)));
            }
            for (int kill = 0; kill < KILLS; kill++) {
                long before = total(acknowledged);
                long more = 5L + random.nextInt(30);
                await().atMost(SOON).until(() -> total(acknowledged) > before + more);
                kill();
                postgres.start();
            }
            long last = total(acknowledged);
            await().atMost(SOON).until(() -> total(acknowledged) > last + WRITERS);
            enough.set(true);
            for (Future<?> writer : writers) {
                writer.get();
            }
        }
        try (PostgresStore after = TestPostgres.open(config)) {
            acknowledged.forEach((session, seq) -> {
                assertThat(after.journal().entry(ORG, session, seq)).isPresent();
                assertThat(after.journal().verify(ORG, session))
                        .isInstanceOf(Verification.Sound.class);
                assertThat(turns(after, session)).doesNotHaveDuplicates();
            });
        }
    }

    private static List<String> turns(PostgresStore store, SessionId session) {
        List<String> payloads = new ArrayList<>();
        Seq after = new Seq(0);
        List<Entry> page = store.journal().entries(ORG, session, after, 500);
        while (!page.isEmpty()) {
            page.forEach(entry -> payloads.add(entry.payload().toUtf8()));
            page = store.journal().entries(ORG, session, page.getLast().seq(), 500);
        }
        return payloads;
    }

    private static long total(Map<SessionId, Seq> acknowledged) {
        return acknowledged.values().stream().mapToLong(Seq::value).sum();
    }

    private void kill() {
        ProcessHandle server = ProcessHandle.of(postgres.pid().orElseThrow()).orElseThrow();
        server.destroyForcibly();
        await().atMost(SOON).until(() -> !server.isAlive());
    }
}
