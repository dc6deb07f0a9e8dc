package ai.hanzo.dev.sandbox;

import ai.hanzo.dev.sandbox.netty.PacketEnd;
import ai.hanzo.dev.sandbox.netty.PacketListener;
import ai.hanzo.dev.sandbox.netty.PacketLoop;
import ai.hanzo.dev.sandbox.netty.PacketPort;
import ai.hanzo.dev.zap.CodecException;
import ai.hanzo.dev.zap.dev.CellOp;
import ai.hanzo.dev.zap.dev.CellRefusal;
import ai.hanzo.dev.zap.dev.CellReplyKind;
import ai.hanzo.dev.zap.dev.CellReplyView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The conversation over one pair: numbers requests, keeps the window, gives each answer to who
 * asked.
 *
 * <p>The other side is hostile. Whatever it sends that does not decode strictly or was not asked
 * for ends this link and nothing else. At most a window of answers is held, each of one packet.
 *
 * <p>Threads: any; packets come on the event loop's, or on that of a caller who looks for an
 * answer.
 */
final class CellLink implements PacketListener, AutoCloseable {

    /** Of the window, kept free for requests that are answered at once: cancel, status, ack. */
    private static final int RESERVED = 16;

    /** A greeting names paths and layers; one that is larger comes by the loop. */
    private static final int HELLO_BYTES = 16 * 1024;

    private final Function<PacketEnd, CellException> diagnosis;
    private final CompletableFuture<CellReplyView> hello = new CompletableFuture<>();
    private final CompletableFuture<CellException> ended = new CompletableFuture<>();
    private final AtomicLong lowWater = new AtomicLong();

    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by {@code lock}: unanswered requests, those given up by their callers included. */
    private final Map<Long, Call> pending = new HashMap<>();

    /** Guarded by {@code lock}: who waits for the outcome of an action. */
    private final Map<Long, List<CompletableFuture<CellReplyView>>> watchers = new HashMap<>();

    /** Guarded by {@code lock}. */
    private long lastRequest;

    /** Of programs that were asked for what they print; until their outcome. */
    private final Map<Long, Pushes> pushes = new ConcurrentHashMap<>();

    /** Of watches, by their handles. */
    private final Map<Long, WatchPushes> watches = new ConcurrentHashMap<>();

    private final PacketPort port;
    private final Semaphore slow = new Semaphore(1, /* fair= */ true);
    private final Semaphore quick = new Semaphore(1, /* fair= */ true);

    /**
     * @param onAnswer run by whoever receives a result, before what comes after it
     */
    private record Call(
            CellPacket packet,
            CompletableFuture<CellReplyView> answer,
            Semaphore window,
            Runnable onAnswer) {}

    /**
     * Takes over a prepared descriptor.
     *
     * @param diagnosis says why the pair ended; called on a virtual thread, may block
     */
    CellLink(PacketLoop loop, int descriptor, Function<PacketEnd, CellException> diagnosis) {
        this.diagnosis = diagnosis;
        // The daemon greets before the supervisor hands its pair over: no need to wait for the
        // loop.
        Libc.receiveNow(descriptor, HELLO_BYTES).ifPresent(this::packetBefore);
        this.port = loop.attach(new DescriptorSocket(descriptor), this);
        if (ended.isDone()) {
            port.close();
        }
    }

    /** The daemon's first word. */
    CellReplyView hello(Duration atMost) {
        return Futures.get(hello, atMost, "The cell");
    }

    /** Opens the window: from now on so many requests may be under way. */
    void open(int requestsAtOnce) {
        int reserved = Math.min(RESERVED, requestsAtOnce / 2);
        slow.release(requestsAtOnce - reserved - 1);
        quick.release(Math.max(reserved - 1, 0));
    }

    /** The mark that goes with every request; it only rises. */
    void raiseLowWater(long action) {
        lowWater.accumulateAndGet(action, Math::max);
    }

    /** Sends a request and waits for its answer: refused, an outcome or a result. */
    CellReplyView call(CellPacket packet, long epoch, Duration atMost) {
        return call(packet, epoch, atMost, () -> {});
    }

    /** The same, and has this run between a result and what comes after it. */
    CellReplyView call(CellPacket packet, long epoch, Duration atMost, Runnable onAnswer) {
        long deadline = System.nanoTime() + atMost.toNanos();
        CompletableFuture<CellReplyView> answer = send(packet, epoch, atMost, onAnswer);
        Supplier<CellReplyView> wait = () -> Futures.get(answer, left(deadline), "The cell");
        return packet.isSlow() ? wait.get() : port.awaitSoon(answer::isDone, wait);
    }

    /** Sends a request, waiting only for a place; the answer may come much later. */
    CompletableFuture<CellReplyView> send(CellPacket packet, long epoch, Duration atMost) {
        return send(packet, epoch, atMost, () -> {});
    }

    private CompletableFuture<CellReplyView> send(
            CellPacket packet, long epoch, Duration atMost, Runnable onAnswer) {
        long deadline = System.nanoTime() + atMost.toNanos();
        Semaphore window = packet.isSlow() ? slow : quick;
        acquire(window, atMost);
        Call call = new Call(packet, new CompletableFuture<>(), window, onAnswer);
        long number = register(call);
        byte[] bytes = packet.numbered(number, epoch, lowWater.get());
        switch (send(number, bytes, left(deadline))) {
            case QUEUED -> {}
            case FULL -> {
                forget(number);
                throw CellException.timeout("The cell", atMost);
            }
            case ENDED -> throw Futures.get(ended, left(deadline), "The cell").again();
        }
        return call.answer;
    }

    /** What a program pushes from now on. */
    Pushes pushes(long action) {
        return pushes.computeIfAbsent(action, _ -> new Pushes());
    }

    /** Nothing was asked to be pushed after all. */
    void noPushes(long action) {
        pushes.remove(action);
    }

    /** What a watch pushes, from its answer on. */
    WatchPushes watchPushes(long handle) {
        WatchPushes found = watches.get(handle);
        if (found == null) {
            throw new IllegalStateException("no watch " + handle);
        }
        return found;
    }

    /** It is closed: nothing more comes. */
    void noWatch(long handle) {
        watches.remove(handle);
    }

    private PacketPort.Sent send(long number, byte[] bytes, Duration atMost) {
        try {
            return port.send(bytes, atMost);
        } catch (InterruptedException e) {
            forget(number);
            throw CellException.interrupted("Sending to the cell");
        }
    }

    private static Duration left(long deadline) {
        return Duration.ofNanos(Math.max(deadline - System.nanoTime(), 0));
    }

    private void acquire(Semaphore window, Duration atMost) {
        try {
            if (!window.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
                throw CellException.timeout("A place among the cell's requests", atMost);
            }
        } catch (InterruptedException e) {
            throw CellException.interrupted("The wait for the cell");
        }
    }

    private long register(Call call) {
        lock.lock();
        try {
            CellException end = ended.getNow(null);
            if (end != null) {
                throw end.again();
            }
            pending.put(++lastRequest, call);
            return lastRequest;
        } finally {
            lock.unlock();
        }
    }

    private void forget(long number) {
        lock.lock();
        try {
            Call call = pending.remove(number);
            if (call != null) {
                call.window.release();
            }
        } finally {
            lock.unlock();
        }
    }

    /** What will get the outcome of an action when it comes, asked for or not. */
    CompletableFuture<CellReplyView> watch(long action) {
        CompletableFuture<CellReplyView> watcher = new CompletableFuture<>();
        lock.lock();
        try {
            CellException end = ended.getNow(null);
            if (end != null) {
                throw end.again();
            }
            watchers.computeIfAbsent(action, _ -> new ArrayList<>()).add(watcher);
        } finally {
            lock.unlock();
        }
        return watcher;
    }

    @SuppressWarnings("ReferenceEquality") // futures have no other
    void unwatch(long action, CompletableFuture<CellReplyView> watcher) {
        lock.lock();
        try {
            List<CompletableFuture<CellReplyView>> all = watchers.get(action);
            if (all != null && all.removeIf(each -> each == watcher) && all.isEmpty()) {
                watchers.remove(action);
            }
        } finally {
            lock.unlock();
        }
    }

    CompletableFuture<CellException> end() {
        return ended;
    }

    /** Ends the link for a reason found by a caller; returns the reason. */
    CellException fail(CellException why) {
        finish(why);
        port.close();
        return why;
    }

    @Override
    public void close() {
        fail(CellException.closed("The lease of the cell"));
    }

    @Override
    public void packet(byte[] packet) {
        try {
            take(CellReplyView.open(packet));
        } catch (CodecException e) {
            fail(unreadable(e));
        }
    }

    /** One that came before there is a port. */
    private void packetBefore(byte[] packet) {
        try {
            take(CellReplyView.open(packet));
        } catch (CodecException e) {
            finish(unreadable(e));
        }
    }

    private static CellException unreadable(CodecException why) {
        return CellException.protocol(
                "The cell sent what cannot be read and was let go: what was in flight is in doubt",
                why);
    }

    private void take(CellReplyView reply) {
        CellReplyKind kind = reply.kind();
        if (reply.request() == 0) {
            takeUnasked(kind, reply);
            return;
        }
        Call call;
        lock.lock();
        try {
            call = pending.get(reply.request());
            if (call == null) {
                throw CodecException.badValue("an answer to nothing");
            }
            // What does not fit stays pending and fails with the link.
            requireFit(call.packet, kind, reply);
            if (kind == CellReplyKind.RESULT && reply.op() == CellOp.WATCH) {
                openWatch(reply);
            }
            pending.remove(reply.request());
        } finally {
            lock.unlock();
        }
        call.window.release();
        if (kind == CellReplyKind.RESULT) {
            call.onAnswer.run();
        }
        call.answer.complete(reply);
        if (kind == CellReplyKind.OUTCOME) {
            tellWatchers(reply);
        } else if (kind == CellReplyKind.REFUSED && call.packet.op() == CellOp.SPAWN) {
            giveUpPushes(reply);
        }
    }

    /** A spawn was refused: unless it is an earlier one that runs, nothing will be pushed. */
    private void giveUpPushes(CellReplyView reply) {
        if (reply.refused().code() != CellRefusal.RUNNING) {
            pushes.remove(reply.action());
        }
    }

    private void takeUnasked(CellReplyKind kind, CellReplyView reply) {
        switch (kind) {
            case RESULT -> {
                if (!reply.hasHello() || !hello.complete(reply)) {
                    throw CodecException.badValue("a result that nobody asked for");
                }
            }
            case OUTCOME -> tellWatchers(reply);
            case REFUSED ->
                    throw CodecException.badValue(
                            "a refusal of an unreadable request: " + reply.refused().message());
            case PUSH -> takePush(reply);
        }
    }

    /** Handles lie above every action's id: as a long they are negative. */
    private void openWatch(CellReplyView reply) {
        boolean isOwn = reply.hasWatch() && reply.watch().handle() < 0;
        if (!isOwn || watches.putIfAbsent(reply.watch().handle(), new WatchPushes()) != null) {
            throw CodecException.badValue("a watch without a handle of its own");
        }
    }

    private void takeChanges(CellReplyView reply) {
        WatchPushes asked = watches.get(reply.action());
        if (asked == null) {
            throw CodecException.badValue("changes that nobody asked for");
        }
        asked.pushed(reply.changes());
    }

    private void takePush(CellReplyView reply) {
        if (reply.hasChanges()) {
            takeChanges(reply);
            return;
        }
        Pushes asked = pushes.get(reply.action());
        if (asked == null || !reply.hasPush()) {
            throw CodecException.badValue("a push that nobody asked for");
        }
        asked.pushed(reply.push());
    }

    private static void requireFit(CellPacket packet, CellReplyKind kind, CellReplyView reply) {
        CellReplyKind due =
                packet.digest().isPresent() ? CellReplyKind.OUTCOME : CellReplyKind.RESULT;
        boolean fits =
                reply.op() == packet.op()
                        && reply.action() == packet.action()
                        && (kind == due || kind == CellReplyKind.REFUSED);
        if (!fits) {
            throw CodecException.badValue("an answer to something else");
        }
    }

    private void tellWatchers(CellReplyView outcome) {
        List<CompletableFuture<CellReplyView>> all;
        pushes.remove(outcome.action());
        lock.lock();
        try {
            all = watchers.remove(outcome.action());
        } finally {
            lock.unlock();
        }
        if (all != null) {
            all.forEach(watcher -> watcher.complete(outcome));
        }
    }

    @Override
    public void ended(PacketEnd end) {
        switch (end) {
            case PacketEnd.ClosedHere _ -> finish(CellException.closed("The lease of the cell"));
            case PacketEnd.PeerGone _, PacketEnd.Oversize _, PacketEnd.Failed _ ->
                    Thread.ofVirtual().start(() -> finish(diagnosis.apply(end)));
        }
    }

    private void finish(CellException why) {
        List<CompletableFuture<CellReplyView>> waiting = new ArrayList<>(List.of(hello));
        lock.lock();
        try {
            if (!ended.complete(why)) {
                return;
            }
            pending.values().forEach(call -> waiting.add(call.answer));
            watchers.values().forEach(waiting::addAll);
            pending.clear();
            watchers.clear();
        } finally {
            lock.unlock();
        }
        waiting.forEach(future -> future.completeExceptionally(why));
        watches.values().forEach(watch -> watch.fail(why));
        // Those who wait for a place find the link ended.
        slow.release(Short.MAX_VALUE);
        quick.release(Short.MAX_VALUE);
    }
}
