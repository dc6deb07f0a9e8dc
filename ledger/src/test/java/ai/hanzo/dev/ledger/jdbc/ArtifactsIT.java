package ai.hanzo.dev.ledger.jdbc;

import static ai.hanzo.dev.ledger.Given.ORG;
import static ai.hanzo.dev.ledger.Given.OTHER_ORG;
import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.Artifact;
import ai.hanzo.dev.ledger.Artifacts.Kept;
import ai.hanzo.dev.ledger.Completed;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.Given;
import ai.hanzo.dev.ledger.Lease;
import ai.hanzo.dev.ledger.NewAction;
import ai.hanzo.dev.ledger.testing.TestPostgres;
import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.protocol.id.Seq;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** An output that is kept whole has a row exactly when the entry that names it is there. */
@ExtendWith(TestPostgres.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ArtifactsIT {
    private static final Seq ALL = new Seq(1_000);

    private final PostgresStore store;

    ArtifactsIT(DatabaseConfig config) {
        store = TestPostgres.open(config);
    }

    @AfterAll
    void close() {
        store.close();
    }

    private Lease withActions(int many) {
        Lease lease = Given.leased(store);
        NewAction[] actions =
                IntStream.rangeClosed(1, many)
                        .mapToObj(action -> Given.action(action, ActionStatus.DISPATCHED))
                        .toArray(NewAction[]::new);
        store.ledger().step(lease, Given.step(2, actions));
        return lease;
    }

    private List<Kept> kept(Lease lease) {
        return store.artifacts().of(ORG, lease.session(), ALL, Optional.empty(), 100);
    }

    @Test
    void aRowComesWithTheOutcomeThatNamesIt() {
        Lease lease = withActions(1);
        Artifact out = Given.artifact(1, "stdout");
        Artifact err = Given.artifact(1, "stderr");
        Lease older = new Lease(lease.org(), lease.session(), new Epoch(99), lease.host());

        assertThat(store.ledger().complete(older, Given.result(1, "no", out)))
                .isInstanceOf(Completed.Fenced.class);
        assertThat(kept(lease)).isEmpty();

        Entry entry =
                Given.committed(store.ledger().complete(lease, Given.result(1, "", out, err)));
        assertThat(kept(lease))
                .containsExactly(new Kept(err, entry.seq()), new Kept(out, entry.seq()));

        Artifact late = Given.artifact(1, "late");
        assertThat(store.ledger().complete(lease, Given.result(1, "again", late)))
                .isInstanceOf(Completed.NotOpen.class);
        assertThat(kept(lease)).hasSize(2);
    }

    @Test
    void theyComePageByPageUpToAnEntry() {
        Lease lease = withActions(3);
        List<Kept> all = new ArrayList<>();
        for (int action = 1; action <= 3; action++) {
            for (String name : List.of("stderr", "stdout")) {
                all.add(new Kept(Given.artifact(action, name), new Seq(5 + action)));
            }
            Given.committed(
                    store.ledger()
                            .complete(
                                    lease,
                                    Given.result(
                                            action,
                                            "long",
                                            Given.artifact(action, "stdout"),
                                            Given.artifact(action, "stderr"))));
        }
        List<Kept> read = new ArrayList<>();
        Optional<Artifact> after = Optional.empty();
        do {
            List<Kept> page = store.artifacts().of(ORG, lease.session(), ALL, after, 1);
            read.addAll(page);
            after = page.stream().findFirst().map(Kept::artifact);
        } while (after.isPresent());
        assertThat(read).isEqualTo(all);
        assertThat(store.artifacts().of(ORG, lease.session(), new Seq(7), Optional.empty(), 100))
                .isEqualTo(all.subList(0, 4));
        assertThat(store.artifacts().of(OTHER_ORG, lease.session(), ALL, Optional.empty(), 100))
                .isEmpty();
    }
}
