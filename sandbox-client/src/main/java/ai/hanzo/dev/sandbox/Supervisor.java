package ai.hanzo.dev.sandbox;

import ai.hanzo.dev.sandbox.SupervisorConnection.Answer;
import ai.hanzo.dev.zap.dev.SupervisorHelloResultView;
import ai.hanzo.dev.zap.dev.SupervisorOp;
import ai.hanzo.dev.zap.dev.SupervisorRequestBuilder;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Asks the supervisor, which is started when none runs. A lost connection is made anew for the next
 * request. Threads: any.
 */
final class Supervisor implements AutoCloseable {

    private final CellsConfig config;
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by {@code lock}. */
    private @Nullable SupervisorConnection connection;

    /** Guarded by {@code lock}. */
    private boolean isClosed;

    Supervisor(CellsConfig config) {
        this.config = config;
    }

    /** What it said of itself. */
    SupervisorHelloResultView hello() {
        return connection().hello(config.replyTimeout());
    }

    /** What it says of itself now. */
    SupervisorHelloResultView greet() {
        return connection().greet(config.replyTimeout());
    }

    Answer ask(SupervisorOp op, SupervisorRequestBuilder request) {
        return ask(op, request, config.replyTimeout());
    }

    Answer ask(SupervisorOp op, SupervisorRequestBuilder request, Duration atMost) {
        SupervisorConnection current = connection();
        current.hello(atMost);
        return current.ask(op, request, atMost);
    }

    private SupervisorConnection connection() {
        lock.lock();
        try {
            if (isClosed) {
                throw CellException.closed("The client of the supervisor");
            }
            if (connection == null || connection.isOver()) {
                connection = new SupervisorConnection(config.directory(), config.warm());
            }
            return connection;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            if (connection != null) {
                connection.close();
            }
        } finally {
            lock.unlock();
        }
    }
}
