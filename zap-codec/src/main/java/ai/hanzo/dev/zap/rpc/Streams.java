package ai.hanzo.dev.zap.rpc;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.zap.CodecException;
import ai.hanzo.dev.zap.rpc.Envelope.Call;
import ai.hanzo.dev.zap.rpc.Envelope.Response;
import ai.hanzo.dev.zap.rpc.Frame.Direction;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The streams of one connection, of both ends. Says for each frame and each deed of ours what is to
 * be done; does no I/O and has no clock.
 *
 * <p>A frame of a stream carries its id and not who opened it, so each end has its own half of the
 * ids: who connected has those below 2^31, who accepted the others. Messages wait for their
 * consumer in a queue with a bound; a consumer that is too slow loses its stream and holds up
 * nothing else. A stream is forgotten when both ends have ended it, or when nothing has happened on
 * it for too long.
 *
 * <p>Used by one thread.
 */
public final class Streams {
    private static final long SECOND_HALF = 1L << 31;
    private static final int ID_BYTES = 4;

    private final Side side;
    private final Bounds bounds;
    private final Map<Long, Stream> streams = new LinkedHashMap<>();
    private long opened;
    private long queuedBytes;

    /** Which end of the connection this is. */
    public enum Side {
        /** The one that connected; it opens streams 1, 2, 3 and so on, as the public clients do. */
        CONNECTED,
        /** The one that accepted; it opens streams from 2^31 on. */
        ACCEPTED;

        boolean owns(long id) {
            return (id >= SECOND_HALF) == (this == ACCEPTED);
        }
    }

    /**
     * What one peer may cost.
     *
     * @param streams that the peer has open; 0 if it may open none
     * @param queued messages of one stream that wait
     * @param queuedBytes bytes of the messages of all streams that wait
     * @param patience how long a stream may be without a frame of either end
     */
    public record Bounds(int streams, int queued, long queuedBytes, Duration patience) {
        /** 64 streams, 256 messages each, 16 MiB, 5 minutes. */
        public static final Bounds STANDARD = new Bounds(64, 256, 16L << 20, Duration.ofMinutes(5));
    }

    /** What is to be done. */
    public sealed interface Step {
        /** Send the frame. */
        record Send(Frame frame) implements Step {}

        /** Hand the stream that the call opens to its handler; its id is the call's promise. */
        record Opened(Call call) implements Step {}

        /** A message waits: {@link #take} gives it. */
        record Arrived(long stream) implements Step {}

        /** No more messages will come than those that wait. */
        record Ended(long stream) implements Step {}

        /** The stream is gone, and with it what waited. */
        record Failed(long stream, Failure why) implements Step {}
    }

    /** Why a stream is gone before its end. */
    public enum Failure {
        /** More messages waited than may. */
        TOO_SLOW,
        /** The peer went on after its end. */
        MISUSED,
        /** Nothing has happened for too long. */
        IDLE,
        /** The connection is gone. */
        CLOSED
    }

    private static final class Stream {
        final Deque<Bytes> queue = new ArrayDeque<>();
        boolean isEndedByPeer;
        boolean isEndedByUs;
        long untilNanos;

        boolean isDone() {
            return isEndedByPeer && isEndedByUs && queue.isEmpty();
        }
    }

    public Streams(Side side, Bounds bounds) {
        this.side = side;
        this.bounds = bounds;
    }

    /** Streams that are not forgotten. */
    public int open() {
        return streams.size();
    }

    /** Bytes of all messages that wait for their consumers. */
    public long queuedBytes() {
        return queuedBytes;
    }

    // ---------------------------------------------------------------------------------------
    // What the peer does

    /**
     * The peer opens a stream. What may not be is answered with 400 and an end.
     *
     * @throws CodecException if the stream is open already, so that nobody could tell whose the
     *     messages are; the connection must be closed
     */
    public List<Step> opened(Call call, long nowNanos) {
        long id = call.promise();
        if (id == 0 || side.owns(id)) {
            return refusal(id);
        }
        if (streams.containsKey(id)) {
            throw CodecException.badValue("stream " + id + " is open already");
        }
        if (streams.keySet().stream().filter(other -> !side.owns(other)).count()
                >= bounds.streams()) {
            return refusal(id);
        }
        add(id, nowNanos);
        return List.of(new Step.Opened(call));
    }

    private static List<Step> refusal(long id) {
        var response = new Response(Response.BAD_REQUEST, id, Bytes.empty());
        return List.of(
                new Step.Send(new Frame(Direction.RESPONSE, response.encode())),
                new Step.Send(end(id)));
    }

    /**
     * A message of the peer has come. One of a stream that is not open is answered by an end, so
     * that its sender stops.
     *
     * @throws CodecException if the frame is too short; the connection must be closed
     */
    public List<Step> message(Frame frame, long nowNanos) {
        long id = frame.stream();
        Stream stream = streams.get(id);
        if (stream == null) {
            return List.of(new Step.Send(end(id)));
        }
        if (stream.isEndedByPeer) {
            return fail(id, Failure.MISUSED);
        }
        Bytes message = frame.body().slice(ID_BYTES, frame.body().length());
        if (stream.queue.size() >= bounds.queued()
                || queuedBytes + message.length() > bounds.queuedBytes()) {
            return fail(id, Failure.TOO_SLOW);
        }
        stream.queue.add(message);
        queuedBytes += message.length();
        touch(stream, nowNanos);
        return List.of(new Step.Arrived(id));
    }

    /**
     * The peer sends no more on a stream; of one that is not open it is no news.
     *
     * @throws CodecException if the frame is too short; the connection must be closed
     */
    public List<Step> ended(Frame frame, long nowNanos) {
        long id = frame.stream();
        Stream stream = streams.get(id);
        if (stream == null || stream.isEndedByPeer) {
            return List.of();
        }
        stream.isEndedByPeer = true;
        touch(stream, nowNanos);
        forgetIfDone(id, stream);
        return List.of(new Step.Ended(id));
    }

    // ---------------------------------------------------------------------------------------
    // What we do

    /** Opens a stream by a call, whose promise is set to the id; answers the call to send. */
    public Call open(Call call, long nowNanos) {
        long base = side == Side.ACCEPTED ? SECOND_HALF : 0;
        do {
            // 0 is no id, and each half ends below the next multiple of 2^31.
            opened = opened % (SECOND_HALF - 1) + 1;
        } while (streams.containsKey(base + opened));
        long id = base + opened;
        add(id, nowNanos);
        return new Call(call.method(), id, call.target(), call.capability(), call.payload());
    }

    /**
     * The frame of a message of ours.
     *
     * @throws IllegalStateException if the stream is not open or we have ended it
     */
    public Frame send(long id, Bytes message, long nowNanos) {
        touch(ours(id), nowNanos);
        return new Frame(Direction.STREAM_MESSAGE, idBytes(id).concat(message));
    }

    /**
     * The frame that ends our half.
     *
     * @throws IllegalStateException if the stream is not open or we have ended it
     */
    public Frame end(long id, long nowNanos) {
        Stream stream = ours(id);
        stream.isEndedByUs = true;
        touch(stream, nowNanos);
        forgetIfDone(id, stream);
        return end(id);
    }

    /** The next message for the consumer of a stream, if one waits. */
    public Optional<Bytes> take(long id, long nowNanos) {
        Stream stream = streams.get(id);
        if (stream == null || stream.queue.isEmpty()) {
            return Optional.empty();
        }
        Bytes message = stream.queue.remove();
        queuedBytes -= message.length();
        touch(stream, nowNanos);
        forgetIfDone(id, stream);
        return Optional.of(message);
    }

    /** Gives up the streams on which nothing has happened for too long. */
    public List<Step> expire(long nowNanos) {
        var steps = new ArrayList<Step>();
        for (long id : List.copyOf(streams.keySet())) {
            Stream stream = streams.get(id);
            if (stream != null && nowNanos - stream.untilNanos >= 0) {
                steps.addAll(fail(id, Failure.IDLE));
            }
        }
        return steps;
    }

    /** The connection is gone, and with it all streams. */
    public List<Step> close() {
        List<Step> steps = new ArrayList<>();
        streams.keySet().forEach(id -> steps.add(new Step.Failed(id, Failure.CLOSED)));
        streams.clear();
        queuedBytes = 0;
        return steps;
    }

    // ---------------------------------------------------------------------------------------

    private void add(long id, long nowNanos) {
        var stream = new Stream();
        touch(stream, nowNanos);
        streams.put(id, stream);
    }

    private void touch(Stream stream, long nowNanos) {
        stream.untilNanos = nowNanos + bounds.patience().toNanos();
    }

    private Stream ours(long id) {
        Stream stream = streams.get(id);
        if (stream == null || stream.isEndedByUs) {
            throw new IllegalStateException("stream " + id + " is not open for us");
        }
        return stream;
    }

    private void forgetIfDone(long id, Stream stream) {
        if (stream.isDone()) {
            streams.remove(id);
        }
    }

    private List<Step> fail(long id, Failure why) {
        Stream stream = streams.remove(id);
        if (stream == null) {
            return List.of();
        }
        stream.queue.forEach(message -> queuedBytes -= message.length());
        Step failed = new Step.Failed(id, why);
        return stream.isEndedByUs ? List.of(failed) : List.of(new Step.Send(end(id)), failed);
    }

    private static Frame end(long id) {
        return new Frame(Direction.STREAM_END, idBytes(id));
    }

    private static Bytes idBytes(long id) {
        byte[] bytes = new byte[ID_BYTES];
        for (int i = 0; i < ID_BYTES; i++) {
            bytes[i] = (byte) (id >>> (8 * i));
        }
        return Bytes.wrap(bytes);
    }
}
