package ai.hanzo.dev.host;

import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.ledger.Store;
import ai.hanzo.dev.protocol.id.SessionId;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;

/** Waits for what a host does in its own time. */
final class Waiting {
    private Waiting() {}

    /** Waits until a session is in a state and has eaten all that it was given. */
    static void forState(Store store, SessionId session, SessionState state) {
        until(() -> {
            // First: a session that had not eaten is in its old state until it has.
            boolean eaten = store.journal().unconsumed(TestHost.ORG, session, 1).isEmpty();
            Session now = store.journal().session(TestHost.ORG, session).orElseThrow();
            return eaten && now.state() == state;
        });
    }

    static void until(Callable<Boolean> condition) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(90))
                .pollInterval(Duration.ofMillis(20))
                .until(condition);
    }
}
