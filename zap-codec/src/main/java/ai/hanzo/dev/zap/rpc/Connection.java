package ai.hanzo.dev.zap.rpc;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.zap.CodecException;
import ai.hanzo.dev.zap.ZapReader;
import ai.hanzo.dev.zap.rpc.Envelope.Call;
import ai.hanzo.dev.zap.rpc.Envelope.Response;
import ai.hanzo.dev.zap.rpc.Frame.Direction;
import java.util.ArrayList;
import java.util.List;

/**
 * What is known about one connection, at either end: the calls that it serves, those that it makes,
 * and its streams. Takes the frames of a {@link FrameReader} and says what is to be done about
 * each; does no I/O and has no clock.
 *
 * <p>Nothing that a peer can be told of is dropped in silence: a call that cannot be read but has a
 * promise is answered with 400, a stream that may not be is answered and ended. What leaves nobody
 * to answer is a {@link CodecException}, whose message is the reason for which the connection must
 * be closed. Only an answer that nobody waits for, and an end of a stream that is gone, are no
 * news.
 *
 * <p>Used by one thread.
 */
public final class Connection {
    private final Pipeline serving;
    private final Calls calls;
    private final Streams streams;

    /** What is to be done. */
    public sealed interface Step {
        /** Send the frame. */
        record Send(Frame frame) implements Step {}

        /** Hand the call to its handler; its answer comes back by {@link #answered}. */
        record Dispatch(Call call) implements Step {}

        /** A call of ours is answered. */
        record Answered(Response response) implements Step {}

        /** Something has happened to a stream; never a frame to send. */
        record OfStream(Streams.Step step) implements Step {}
    }

    public Connection(Pipeline serving, Calls calls, Streams streams) {
        this.serving = serving;
        this.calls = calls;
        this.streams = streams;
    }

    /** Whether another frame should be read; no stream, however slow, makes this false. */
    public boolean mayRead() {
        return serving.mayRead();
    }

    /** The calls of ours. */
    public Calls calls() {
        return calls;
    }

    /** The streams of both ends. */
    public Streams streams() {
        return streams;
    }

    /**
     * A frame has come.
     *
     * @param nowNanos as {@link System#nanoTime} gives it
     * @throws CodecException if the connection must be closed, and why
     */
    public List<Step> received(Frame frame, long nowNanos) {
        return switch (frame.direction()) {
            case REQUEST -> request(frame, nowNanos);
            case RESPONSE -> {
                Response response = Response.parse(frame.body());
                yield calls.answered(response) ? List.of(new Step.Answered(response)) : List.of();
            }
            case STREAM_OPEN -> streamOpen(frame, nowNanos);
            case STREAM_MESSAGE -> ofStreams(streams.message(frame, nowNanos));
            case STREAM_END -> ofStreams(streams.ended(frame, nowNanos));
        };
    }

    /**
     * A handler has answered.
     *
     * @throws IllegalArgumentException if no call of that promise runs
     */
    public List<Step> answered(Response response) {
        return ofPipeline(serving.answered(response));
    }

    /** Ends what has waited for too long. */
    public List<Step> expire(long nowNanos) {
        var steps = new ArrayList<>(ofPipeline(serving.expire(nowNanos)));
        steps.addAll(ofStreams(streams.expire(nowNanos)));
        return steps;
    }

    private List<Step> request(Frame frame, long nowNanos) {
        Call call;
        try {
            call = Call.parse(frame.body());
        } catch (CodecException refused) {
            return refusal(promiseOf(frame.body(), refused));
        }
        return ofPipeline(serving.call(call, nowNanos));
    }

    private List<Step> streamOpen(Frame frame, long nowNanos) {
        Call call;
        try {
            call = Call.parse(frame.body());
        } catch (CodecException refused) {
            return refusal(promiseOf(frame.body(), refused));
        }
        return ofStreams(streams.opened(call, nowNanos));
    }

    /** The promise of a call that is refused, if it can be made out; else the refusal. */
    private static long promiseOf(Bytes message, CodecException refused) {
        ZapReader reader;
        try {
            reader = ZapReader.open(message.toArray(), ZapReader.Mode.COMPATIBLE);
        } catch (CodecException _) {
            throw refused;
        }
        long promise = reader.root() < ZapReader.HEADER_BYTES ? 0 : reader.u32(reader.root(), 4);
        if (promise == 0) {
            throw refused;
        }
        return promise;
    }

    private static List<Step> refusal(long promise) {
        return List.of(send(new Response(Response.BAD_REQUEST, promise, Bytes.empty())));
    }

    private static Step send(Response response) {
        return new Step.Send(new Frame(Direction.RESPONSE, response.encode()));
    }

    private static List<Step> ofPipeline(List<Pipeline.Step> steps) {
        return steps.stream()
                .<Step>map(step ->
                        switch (step) {
                            case Pipeline.Step.Dispatch(Call call) -> new Step.Dispatch(call);
                            case Pipeline.Step.Send(Response response) -> send(response);
                        })
                .toList();
    }

    private static List<Step> ofStreams(List<Streams.Step> steps) {
        return steps.stream()
                .<Step>map(step ->
                        switch (step) {
                            case Streams.Step.Send(Frame frame) -> new Step.Send(frame);
                            case Streams.Step.Opened _,
                                    Streams.Step.Arrived _,
                                    Streams.Step.Ended _,
                                    Streams.Step.Failed _ ->
                                    new Step.OfStream(step);
                        })
                .toList();
    }
}
