package ai.hanzo.dev.sandbox;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.sandbox.LiveProgram.Heard.Printed;
import ai.hanzo.dev.zap.CodecException;
import ai.hanzo.dev.zap.dev.CellPushView;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What one program pushes over one pair, as far as it was given credit: a cell that sends more is
 * breaking the protocol, so what waits here is bounded. Threads: pushes come from who receives, one
 * follower takes them.
 */
final class Pushes {

    /** Of each stream, how much may be under way or wait here. */
    static final int WINDOW_BYTES = 1 << 20;

    private final ReentrantLock talk = new ReentrantLock();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();

    /** Guarded by {@code lock}. */
    private final Map<OutputStreamName, Stream> streams = new EnumMap<>(OutputStreamName.class);

    /** Guarded by {@code lock}. */
    private final Deque<Printed> queue = new ArrayDeque<>();

    /** Guarded by {@code lock}: who follows now. */
    private @Nullable Object follower;

    /** One of the two streams. */
    private static final class Stream {
        private long creditBytes;
        private long waitingBytes;
        private long next;
        private boolean isHeard;
    }

    Pushes() {
        for (OutputStreamName name : OutputStreamName.values()) {
            streams.put(name, new Stream());
        }
    }

    private Stream stream(OutputStreamName name) {
        Stream found = streams.get(name);
        if (found == null) {
            throw new IllegalStateException("no stream " + name);
        }
        return found;
    }

    /** Held around each change of credit, so that both sides count in the same order. */
    ReentrantLock talk() {
        return talk;
    }

    /** From now on {@code who} follows, or nobody; whoever did before hears nothing more. */
    void follow(@Nullable Object who) {
        lock.lock();
        try {
            follower = who;
            queue.clear();
            streams.values()
                    .forEach(stream -> {
                        stream.waitingBytes = 0;
                        stream.isHeard = false;
                    });
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * The cell has this credit and no other. What comes from here on begins at {@code offset}; what
     * was under way before is dropped.
     */
    void begin(OutputStreamName name, long offset, int creditBytes) {
        lock.lock();
        try {
            Stream stream = stream(name);
            stream.creditBytes = creditBytes;
            stream.isHeard = follower != null;
            stream.next = offset;
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("ReferenceEquality") // this very follower
    boolean isFollowedBy(Object who) {
        lock.lock();
        try {
            return follower == who;
        } finally {
            lock.unlock();
        }
    }

    /** So much may come of each stream before somebody begins to follow it. */
    void allow(int bytes) {
        lock.lock();
        try {
            streams.values().forEach(stream -> stream.creditBytes += bytes);
        } finally {
            lock.unlock();
        }
    }

    /** Credit to be sent now, which is counted as given; 0 while there is still half a window. */
    int credit(OutputStreamName name) {
        lock.lock();
        try {
            Stream stream = stream(name);
            long missing = WINDOW_BYTES - stream.creditBytes - stream.waitingBytes;
            if (missing < WINDOW_BYTES / 2) {
                return 0;
            }
            stream.creditBytes += missing;
            return (int) missing;
        } finally {
            lock.unlock();
        }
    }

    /** Where the stream goes on. */
    long next(OutputStreamName name) {
        lock.lock();
        try {
            return stream(name).next;
        } finally {
            lock.unlock();
        }
    }

    /** Moves on to where a follower has come by other means. */
    void skip(OutputStreamName name, long to) {
        lock.lock();
        try {
            stream(name).next = to;
        } finally {
            lock.unlock();
        }
    }

    /** A push of the cell. Throws {@link CodecException} for one that it may not send. */
    void pushed(CellPushView push) {
        OutputStreamName name =
                switch (push.stream()) {
                    case STDOUT -> OutputStreamName.STDOUT;
                    case STDERR -> OutputStreamName.STDERR;
                };
        byte[] data = push.data();
        lock.lock();
        try {
            Stream stream = stream(name);
            if (data.length == 0 || data.length > stream.creditBytes) {
                throw CodecException.badValue(
                        "a push of %d bytes with a credit of %d"
                                .formatted(data.length, stream.creditBytes));
            }
            stream.creditBytes -= data.length;
            if (!stream.isHeard) {
                return;
            }
            if (push.offset() < stream.next || push.offset() > Long.MAX_VALUE - data.length) {
                throw CodecException.badValue(
                        "a push at %d after %d".formatted(push.offset(), stream.next));
            }
            stream.next = push.offset() + data.length;
            stream.waitingBytes += data.length;
            queue.add(new Printed(name, push.offset(), Bytes.wrap(data)));
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Something happened beside pushes: whoever waits looks again. */
    void wake() {
        lock.lock();
        try {
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * The next piece; empty when {@code isOver} with nothing left, or not within {@code atMost}.
     */
    Optional<Printed> take(Duration atMost, java.util.function.BooleanSupplier isOver)
            throws InterruptedException {
        long nanos = atMost.toNanos();
        lock.lockInterruptibly();
        try {
            while (queue.isEmpty() && nanos > 0 && !isOver.getAsBoolean()) {
                nanos = news.awaitNanos(nanos);
            }
            Optional<Printed> first = Optional.ofNullable(queue.poll());
            first.ifPresent(piece -> stream(piece.stream()).waitingBytes -= piece.bytes().length());
            return first;
        } finally {
            lock.unlock();
        }
    }
}
