package ai.hanzo.dev.zap.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.zap.CodecException;
import ai.hanzo.dev.zap.ZapWriter;
import ai.hanzo.dev.zap.rpc.Connection.Step;
import ai.hanzo.dev.zap.rpc.Envelope.Call;
import ai.hanzo.dev.zap.rpc.Envelope.Response;
import ai.hanzo.dev.zap.rpc.Frame.Direction;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConnectionTest {
    private final Connection connection =
            new Connection(
                    new Pipeline(new Pipeline.Bounds(2, 2, 5, 100, Duration.ofSeconds(30))),
                    new Calls(2),
                    new Streams(
                            Streams.Side.ACCEPTED,
                            new Streams.Bounds(1, 1, 100, Duration.ofSeconds(60))));

    private static Call call(long promise) {
        return new Call(1, promise, 0, Bytes.empty(), Bytes.utf8("p"));
    }

    private static Frame response(long status, long promise) {
        var response = new Response(status, promise, Bytes.empty());
        return new Frame(Direction.RESPONSE, response.encode());
    }

    private List<Step> receive(Direction direction, Bytes body) {
        return connection.received(new Frame(direction, body), 0);
    }

    /** A call of method 0, which nothing may be. */
    private static Bytes methodZero(long promise) {
        ZapWriter writer = ZapWriter.of(2);
        int object = writer.startObject(28);
        writer.u32(object, 4, (int) promise);
        writer.finishRoot(object);
        return Bytes.wrap(writer.toByteArray());
    }

    @Test
    void aRequestIsDispatchedAndItsAnswerSent() {
        assertThat(receive(Direction.REQUEST, call(3).encode()))
                .containsExactly(new Step.Dispatch(call(3)));
        assertThat(connection.answered(new Response(Response.OK, 3, Bytes.empty())))
                .containsExactly(new Step.Send(response(200, 3)));
    }

    @Test
    void anAnswerGoesToItsCallOnce() {
        Call ours = connection.calls().call(1, 0, Bytes.empty(), Bytes.empty());
        var answer = new Response(Response.OK, ours.promise(), Bytes.empty());

        assertThat(receive(Direction.RESPONSE, answer.encode()))
                .containsExactly(new Step.Answered(answer));
        assertThat(receive(Direction.RESPONSE, answer.encode())).isEmpty();
    }

    @Test
    void c9ACallThatCannotBeReadIsAnsweredIfItHasAPromise() {
        for (Direction direction : List.of(Direction.REQUEST, Direction.STREAM_OPEN)) {
            assertThat(receive(direction, methodZero(7)))
                    .containsExactly(new Step.Send(response(400, 7)));
            assertThatThrownBy(() -> receive(direction, methodZero(0)))
                    .isInstanceOf(CodecException.class)
                    .hasMessageContaining("method 0");
            assertThatThrownBy(() -> receive(direction, Bytes.empty()))
                    .isInstanceOf(CodecException.class);
        }
        assertThatThrownBy(() -> receive(Direction.RESPONSE, Bytes.empty()))
                .isInstanceOf(CodecException.class);
    }

    @Test
    void c7AStreamThatNobodyReadsDoesNotStopTheConnection() {
        receive(Direction.STREAM_OPEN, call(1).encode());
        for (int i = 0; i < 50; i++) {
            receive(Direction.STREAM_MESSAGE, Bytes.hex("01000000ff"));
            assertThat(connection.mayRead()).isTrue();
        }
        assertThat(connection.streams().open()).isZero();
        assertThat(receive(Direction.REQUEST, call(3).encode()))
                .containsExactly(new Step.Dispatch(call(3)));
    }

    @Test
    void streamsAreToldOfAsTheyGo() {
        assertThat(receive(Direction.STREAM_OPEN, call(1).encode()))
                .containsExactly(new Step.OfStream(new Streams.Step.Opened(call(1))));
        assertThat(receive(Direction.STREAM_MESSAGE, Bytes.hex("01000000ff")))
                .containsExactly(new Step.OfStream(new Streams.Step.Arrived(1)));
        assertThat(receive(Direction.STREAM_END, Bytes.hex("01000000")))
                .containsExactly(new Step.OfStream(new Streams.Step.Ended(1)));
    }

    @Test
    void whatWaitsTooLongEnds() {
        receive(Direction.STREAM_OPEN, call(1).encode());
        connection.received(
                new Frame(
                        Direction.REQUEST,
                        new Call(1, 5, 4, Bytes.empty(), Bytes.empty()).encode()),
                0);

        assertThat(connection.expire(60_000_000_000L))
                .containsExactly(
                        new Step.Send(response(400, 5)),
                        new Step.Send(new Frame(Direction.STREAM_END, Bytes.hex("01000000"))),
                        new Step.OfStream(new Streams.Step.Failed(1, Streams.Failure.IDLE)));
    }
}
