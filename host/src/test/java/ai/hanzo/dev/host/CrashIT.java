package ai.hanzo.dev.host;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.ledger.Store;
import ai.hanzo.dev.ledger.jdbc.EmbeddedStore;
import ai.hanzo.dev.ledger.jdbc.PostgresStore;
import ai.hanzo.dev.ledger.pg.EmbeddedPostgres;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Every process is killed under load, at every place where something is written and at random
 * moments: nothing happens twice, nothing that was acknowledged is lost, and every session comes to
 * rest with nobody's help. 21 kills in each build, 1,000 in the nightly one; {@code
 * -Dhanzo.crash.kills} and {@code -Dhanzo.crash.seed} repeat a run.
 */
class CrashIT {
    private static final Logger log = LoggerFactory.getLogger(CrashIT.class);
    private static final int KILLS = Integer.getInteger("hanzo.crash.kills", 21);
    private static final long SEED = Long.getLong("hanzo.crash.seed", 20260102L);
    private static final int CALLERS = 3;

    @TempDir Path root;

    @Test
    void nothingHappensTwiceAndNothingIsLost() throws Exception {
        Path home = root.resolve("home");
        EmbeddedPostgres postgres = new EmbeddedPostgres(home.resolve("pg"));
        CrashPlan plan = CrashPlan.of(SEED, KILLS);
        try (CrashVictims victims = new CrashVictims(home, postgres, plan, SEED);
                Store store =
                        PostgresStore.open(
                                EmbeddedStore.prepare(postgres.start()).withMaxConnections(4),
                                TestHost.ids())) {
            CrashLoad load = new CrashLoad(root, home, store);
            try (ExecutorService callers =
                    Executors.newThreadPerTaskExecutor(
                            Thread.ofVirtual().name("caller-", 0).factory())) {
                List<Future<?>> running = new ArrayList<>();
                for (int i = 0; i < CALLERS; i++) {
                    running.add(
                            callers.submit(() -> {
                                load.run();
                                return true;
                            }));
                }
                try {
                    victims.killAll();
                } catch (AssertionError | RuntimeException e) {
                    // They would wait for a host that does not come.
                    callers.shutdownNow();
                    throw e;
                } finally {
                    load.end();
                }
                for (Future<?> caller : running) {
                    caller.get();
                }
            }
            CrashJudge judge = new CrashJudge(store);
            load.promised().forEach(judge::judge);
            log.atInfo()
                    .addKeyValue("kills", KILLS)
                    .addKeyValue("sessions", load.promised().size())
                    .addKeyValue("effects", judge.ends())
                    .addKeyValue("startMillis", victims.startMillis())
                    .log("every session rests");
            assertThat(load.promised()).hasSizeGreaterThanOrEqualTo(CALLERS);
        } finally {
            TestHost.endCells(home);
            postgres.stop();
        }
    }
}
