package ai.hanzo.dev.sandbox;

import ai.hanzo.dev.zap.CodecException;
import ai.hanzo.dev.zap.dev.SupervisorHelloBuilder;
import ai.hanzo.dev.zap.dev.SupervisorHelloResultView;
import ai.hanzo.dev.zap.dev.SupervisorOp;
import ai.hanzo.dev.zap.dev.SupervisorReplyView;
import ai.hanzo.dev.zap.dev.SupervisorRequestBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One connection to the supervisor and what is asked over it. Threads: any; answers come on the
 * link's platform thread.
 */
final class SupervisorConnection implements SupervisorLink.Listener, AutoCloseable {

    private static final int MOST_PENDING = 256;

    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by {@code lock}: unanswered, those given up by their callers included. */
    private final Map<Long, CompletableFuture<Answer>> pending = new HashMap<>();

    /** Guarded by {@code lock}. */
    private long lastRequest;

    /** Guarded by {@code lock}. */
    private @Nullable CellException end;

    private final SupervisorLink link;
    private final int warm;
    private final CompletableFuture<SupervisorHelloResultView> hello = new CompletableFuture<>();

    /**
     * An answer.
     *
     * @param descriptor that came with it; whoever asked owns it
     */
    record Answer(SupervisorReplyView reply, OptionalInt descriptor) {
        void discard() {
            descriptor.ifPresent(Libc::close);
        }
    }

    /**
     * @param warm cells to be kept ready while this connection lives
     */
    SupervisorConnection(Path directory, int warm) {
        this.warm = warm;
        this.link = SupervisorLink.open(directory, this);
    }

    boolean isOver() {
        lock.lock();
        try {
            return end != null;
        } finally {
            lock.unlock();
        }
    }

    /** What it says of itself; asked once. */
    SupervisorHelloResultView hello(Duration atMost) {
        if (!hello.isDone()) {
            hello.complete(greet(atMost));
        }
        return hello.join();
    }

    /** What it says of itself now. */
    SupervisorHelloResultView greet(Duration atMost) {
        SupervisorHelloBuilder greeting =
                new SupervisorHelloBuilder().protocol(LeasedCell.PROTOCOL).warm(warm);
        Answer answer =
                ask(SupervisorOp.HELLO, new SupervisorRequestBuilder().hello(greeting), atMost);
        answer.discard();
        if (answer.reply.hasRefused()) {
            throw CellException.unsupported(
                    "A supervisor of another version runs (%s): end its sessions and stop it"
                            .formatted(answer.reply.refused().message()));
        }
        return answer.reply.hello();
    }

    Answer ask(SupervisorOp op, SupervisorRequestBuilder request, Duration atMost) {
        CompletableFuture<Answer> future = new CompletableFuture<>();
        long number = register(future);
        link.send(request.kind(op).request(number).toMessage(), atMost);
        try {
            return Futures.get(future, atMost, "The supervisor of cells");
        } catch (CellException e) {
            // An answer that comes later belongs to nobody; one that came just now, too.
            if (!future.completeExceptionally(e) && !future.isCompletedExceptionally()) {
                future.join().discard();
            }
            throw e;
        }
    }

    private long register(CompletableFuture<Answer> future) {
        lock.lock();
        try {
            if (end != null) {
                throw end.again();
            }
            if (pending.size() >= MOST_PENDING) {
                throw CellException.refused("Too many requests wait for the supervisor of cells");
            }
            pending.put(++lastRequest, future);
            return lastRequest;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void packet(MessageReceiver.Packet packet) {
        boolean isTaken = false;
        try {
            SupervisorReplyView reply = SupervisorReplyView.open(packet.bytes().toArray());
            // Exits are told unasked; who has a cell learns it from its own pair.
            if (reply.request() != 0) {
                isTaken = take(reply).complete(new Answer(reply, packet.descriptor()));
            }
        } catch (CodecException e) {
            close();
        } finally {
            if (!isTaken) {
                packet.descriptor().ifPresent(Libc::close);
            }
        }
    }

    private CompletableFuture<Answer> take(SupervisorReplyView reply) {
        lock.lock();
        try {
            CompletableFuture<Answer> future = pending.remove(reply.request());
            if (future == null) {
                throw CodecException.badValue("an answer to nothing");
            }
            return future;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void ended(CellException why) {
        List<CompletableFuture<Answer>> waiting;
        lock.lock();
        try {
            end = why;
            waiting = List.copyOf(pending.values());
            pending.clear();
        } finally {
            lock.unlock();
        }
        waiting.forEach(future -> future.completeExceptionally(why));
    }

    @Override
    public void close() {
        link.close();
    }
}
