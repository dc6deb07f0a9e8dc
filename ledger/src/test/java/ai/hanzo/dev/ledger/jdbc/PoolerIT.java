package ai.hanzo.dev.ledger.jdbc;

import static ai.hanzo.dev.ledger.Given.ORG;
import static ai.hanzo.dev.ledger.Given.OTHER_ORG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ai.hanzo.dev.ledger.Given;
import ai.hanzo.dev.ledger.LedgerContract;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.Store;
import ai.hanzo.dev.ledger.Tails;
import ai.hanzo.dev.ledger.Timers;
import ai.hanzo.dev.ledger.testing.TestPostgres;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.Seq;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The ledger through a proxy that pools transactions: two connections to the server, more of them
 * from the stores. Feature row H30.
 */
@ExtendWith(TestPostgres.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PoolerIT extends LedgerContract {
    private static final Duration SOON = Duration.ofSeconds(30);

    private final DatabaseConfig config;
    private Optional<PgBouncer> pooler = Optional.empty();
    private Optional<PostgresStore> here = Optional.empty();
    private Optional<PostgresStore> there = Optional.empty();

    PoolerIT(DatabaseConfig config) {
        this.config = config;
    }

    @BeforeAll
    void open(@TempDir Path directory) {
        assumeTrue(
                PgBouncer.program().isPresent(),
                "pgbouncer is not installed: apt-get install pgbouncer");
        PgBouncer between = PgBouncer.start(config, directory, 2);
        pooler = Optional.of(between);
        here = Optional.of(TestPostgres.open(between.before(config)));
        there = Optional.of(TestPostgres.open(between.before(config)));
    }

    @AfterAll
    void close() {
        here.ifPresent(PostgresStore::close);
        there.ifPresent(PostgresStore::close);
        pooler.ifPresent(PgBouncer::close);
    }

    @Override
    protected Store store() {
        return here.orElseThrow();
    }

    @Test
    void orgsThatShareConnectionsNeverSeeEachOther() throws Exception {
        Session mine = Given.opened(store(), Given.session());
        Session theirs =
                Given.opened(
                        store(),
                        Given.session(
                                OTHER_ORG, Optional.empty(), Optional.empty(), Optional.empty()));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> looks = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                Session own = i % 2 == 0 ? mine : theirs;
                Session others = i % 2 == 0 ? theirs : mine;
                looks.add(threads.submit(() -> looks(own, others)));
            }
            for (Future<?> look : looks) {
                look.get();
            }
        }
    }

    private void looks(Session own, Session others) {
        OrgId org = own.org();
        for (int i = 0; i < 10; i++) {
            assertThat(store().journal().session(org, own.id())).isPresent();
            assertThat(store().journal().session(org, others.id())).isEmpty();
            store().ledger().append(org, own.id(), Given.note("note"));
            assertThat(store().journal().entries(org, others.id(), new Seq(0), 10)).isEmpty();
        }
    }

    @Test
    void wakesAndTimersComeThrough() {
        Session session = Given.opened(store(), Given.session());
        List<Seq> woken = new CopyOnWriteArrayList<>();
        Tails.Listener listener = (_, _, seq) -> woken.add(seq);
        try (var _ = there.orElseThrow().tails().of(ORG, session.id(), listener)) {
            await().atMost(SOON)
                    .until(() -> {
                        store().ledger().append(ORG, session.id(), Given.note("note"));
                        return woken.stream().anyMatch(seq -> seq.value() > 0);
                    });
        }
        store().timers()
                .schedule(
                        ORG,
                        session.id(),
                        new Timers.Timer("soon", Instant.now(), Bytes.utf8("x")));
        store().timers().start();
        await().atMost(SOON)
                .until(() ->
                        store().journal().entries(ORG, session.id(), new Seq(0), 1000).stream()
                                .anyMatch(entry -> entry.kind().value().equals("timer")));
    }
}
