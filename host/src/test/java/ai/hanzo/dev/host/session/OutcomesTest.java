package ai.hanzo.dev.host.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.host.session.Outcomes.Arrived;
import ai.hanzo.dev.host.session.Outcomes.Taken;
import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.Ending;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.NewEntry;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.id.ActionId;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class OutcomesTest {
    private static final Ending ENDING =
            new Ending(
                    new ActionId(1),
                    ActionStatus.COMPLETED,
                    NewEntry.ofHost(EntryKind.RESULT, Optional.empty(), Bytes.utf8("done")));

    private final Semaphore there = new Semaphore(0);
    private final Outcomes outcomes = new Outcomes(there::release);

    @Test
    void whoeverTakesOneSaysWhatBecameOfIt() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Taken> brought = threads.submit(() -> outcomes.bring(ENDING));
            Arrived arrived = next();

            assertThat(arrived.ending()).isSameAs(ENDING);
            // Longer than it waits to be taken: it waits for its answer without a limit.
            assertThatThrownBy(() -> brought.get(100, TimeUnit.MILLISECONDS))
                    .isInstanceOf(TimeoutException.class);
            arrived.answer(Taken.KEPT);
            arrived.answer(Taken.LEFT);

            assertThat(brought.get()).isEqualTo(Taken.KEPT);
        }
    }

    /** The next one, or the test has nobody who brings any. */
    private Arrived next() {
        while (true) {
            Optional<Arrived> next = outcomes.next();
            if (next.isPresent()) {
                return next.get();
            }
            Thread.onSpinWait();
        }
    }

    @Test
    void oneThatNobodyTakesInTimeIsLeftAndGone() throws Exception {
        assertThat(outcomes.bring(ENDING)).isEqualTo(Taken.LEFT);

        assertThat(there.availablePermits()).isEqualTo(1);
        assertThat(outcomes.next()).isEmpty();
    }

    @Test
    void whatWaitsAtTheEndIsLeft() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Taken> brought = threads.submit(() -> outcomes.bring(ENDING));
            there.acquire();
            outcomes.close();

            assertThat(brought.get()).isEqualTo(Taken.LEFT);
        }
        assertThat(outcomes.bring(ENDING)).isEqualTo(Taken.LEFT);
        assertThat(outcomes.next()).isEmpty();
    }
}
