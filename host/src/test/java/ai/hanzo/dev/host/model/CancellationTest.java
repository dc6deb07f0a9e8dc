package ai.hanzo.dev.host.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class CancellationTest {
    private final Cancellation cancellation = new Cancellation();
    private final AtomicInteger runs = new AtomicInteger();

    @Test
    void aHookRunsOnce() {
        Cancellation.Hook hook = cancellation.onCancel(runs::incrementAndGet);
        cancellation.cancel();
        cancellation.cancel();
        hook.close();
        assertThat(runs).hasValue(1);
        assertThat(cancellation.isCancelled()).isTrue();
    }

    @Test
    void aHookThatComesLateRunsAtOnce() {
        cancellation.cancel();
        cancellation.onCancel(runs::incrementAndGet).close();
        assertThat(runs).hasValue(1);
    }

    @Test
    void aClosedHookDoesNotRun() {
        cancellation.onCancel(runs::incrementAndGet).close();
        cancellation.cancel();
        assertThat(runs).hasValue(0);
    }

    @Test
    void aWaitEndsWithTheWish() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Boolean> waiting = threads.submit(() -> cancellation.await(Duration.ofHours(1)));
            cancellation.cancel();
            assertThat(waiting.get()).isTrue();
        }
        assertThat(new Cancellation().await(Duration.ZERO)).isFalse();
    }
}
