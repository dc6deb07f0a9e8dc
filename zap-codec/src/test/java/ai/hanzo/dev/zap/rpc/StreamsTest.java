package ai.hanzo.dev.zap.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.zap.CodecException;
import ai.hanzo.dev.zap.rpc.Envelope.Call;
import ai.hanzo.dev.zap.rpc.Envelope.Response;
import ai.hanzo.dev.zap.rpc.Frame.Direction;
import ai.hanzo.dev.zap.rpc.Streams.Failure;
import ai.hanzo.dev.zap.rpc.Streams.Side;
import ai.hanzo.dev.zap.rpc.Streams.Step;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class StreamsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long OURS = 1L << 31;
    private static final Streams.Bounds BOUNDS =
            new Streams.Bounds(2, 3, 100, Duration.ofSeconds(30));

    private final Streams streams = new Streams(Side.ACCEPTED, BOUNDS);

    private static Call call(long promise) {
        return new Call(1, promise, 0, Bytes.empty(), Bytes.utf8("first"));
    }

    private static Frame message(long id, String text) {
        byte[] bytes = {(byte) id, (byte) (id >> 8), (byte) (id >> 16), (byte) (id >> 24)};
        return new Frame(Direction.STREAM_MESSAGE, Bytes.wrap(bytes).concat(Bytes.utf8(text)));
    }

    private static Frame end(long id) {
        return new Frame(Direction.STREAM_END, message(id, "").body());
    }

    private List<Step> opens(long id) {
        return streams.opened(call(id), 0);
    }

    private List<Step> says(long id, String text) {
        return streams.message(message(id, text), 0);
    }

    private static List<Step> refused(long id) {
        var response = new Response(Response.BAD_REQUEST, id, Bytes.empty());
        return List.of(
                new Step.Send(new Frame(Direction.RESPONSE, response.encode())),
                new Step.Send(end(id)));
    }

    @Test
    void messagesComeInOrderAndThenTheEnd() {
        assertThat(opens(7)).containsExactly(new Step.Opened(call(7)));
        assertThat(says(7, "a")).containsExactly(new Step.Arrived(7));
        assertThat(says(7, "")).containsExactly(new Step.Arrived(7));
        assertThat(streams.ended(end(7), 0)).containsExactly(new Step.Ended(7));

        assertThat(streams.take(7, 0)).contains(Bytes.utf8("a"));
        assertThat(streams.take(7, 0)).contains(Bytes.empty());
        assertThat(streams.take(7, 0)).isEmpty();
    }

    @Test
    void whatWeSendIsTheIdAndTheMessage() {
        Call opening = streams.open(call(9), 0);

        assertThat(opening).isEqualTo(call(OURS + 1));
        assertThat(streams.send(OURS + 1, Bytes.utf8("x"), 0).encode().toHex())
                .isEqualTo("06000000" + "04" + "01000080" + "78");
        assertThat(streams.end(OURS + 1, 0).encode().toHex())
                .isEqualTo("05000000" + "05" + "01000080");
        assertThatThrownBy(() -> streams.send(OURS + 1, Bytes.empty(), 0))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> streams.end(OURS + 1, 0))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void c5AStreamThatIsOpenCannotBeOpenedAgain() {
        opens(7);
        says(7, "a");

        assertThatThrownBy(() -> opens(7))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("stream 7 is open already");
        assertThat(streams.take(7, 0)).contains(Bytes.utf8("a"));
    }

    @Test
    void c6TheStreamsOfTheTwoEndsNeverMeet() {
        var connected = new Streams(Side.CONNECTED, BOUNDS);
        Call theirs = connected.open(call(1), 0);
        Call ours = streams.open(call(1), 0);
        streams.opened(theirs, 0);
        connected.opened(ours, 0);

        streams.message(connected.send(theirs.promise(), Bytes.utf8("to theirs"), 0), 0);
        connected.message(streams.send(ours.promise(), Bytes.utf8("to ours"), 0), 0);

        assertThat(theirs.promise()).isEqualTo(1);
        assertThat(ours.promise()).isEqualTo(OURS + 1);
        assertThat(streams.take(theirs.promise(), 0)).contains(Bytes.utf8("to theirs"));
        assertThat(streams.take(ours.promise(), 0)).isEmpty();
        assertThat(connected.take(ours.promise(), 0)).contains(Bytes.utf8("to ours"));
    }

    @Test
    void c6AnIdOfTheOtherHalfIsRefused() {
        assertThat(opens(OURS + 1)).isEqualTo(refused(OURS + 1));
        assertThat(opens(0)).isEqualTo(refused(0));
        assertThat(streams.open()).isZero();
    }

    @Test
    void c7ASlowConsumerLosesItsStreamAndNoOther() {
        opens(1);
        opens(2);
        says(1, "a");
        says(1, "b");
        says(1, "c");

        assertThat(says(1, "d"))
                .containsExactly(new Step.Send(end(1)), new Step.Failed(1, Failure.TOO_SLOW));
        assertThat(streams.take(1, 0)).isEmpty();
        assertThat(streams.queuedBytes()).isZero();
        assertThat(says(2, "still here")).containsExactly(new Step.Arrived(2));
        assertThat(says(1, "late")).containsExactly(new Step.Send(end(1)));
    }

    @Test
    void c8TheBytesThatWaitAreBoundedForAllStreamsTogether() {
        opens(1);
        opens(2);
        says(1, "x".repeat(60));

        assertThat(says(2, "y".repeat(41)))
                .containsExactly(new Step.Send(end(2)), new Step.Failed(2, Failure.TOO_SLOW));
        assertThat(streams.queuedBytes()).isEqualTo(60);
        streams.take(1, 0);
        assertThat(streams.queuedBytes()).isZero();
        assertThat(says(1, "y".repeat(100))).containsExactly(new Step.Arrived(1));
    }

    @Test
    void c9AStreamIsForgottenWhenBothEndsHaveEndedIt() {
        opens(1);
        says(1, "a");
        streams.ended(end(1), 0);
        streams.end(1, 0);
        assertThat(streams.open()).as("a message waits").isOne();
        streams.take(1, 0);
        assertThat(streams.open()).isZero();

        opens(2);
        streams.end(2, 0);
        streams.ended(end(2), 0);
        assertThat(streams.open()).isZero();
    }

    @Test
    void c9AStreamWhoseEndNeverComesIsForgottenInTime() {
        opens(1);
        opens(2);
        streams.end(1, 5 * SECOND);
        streams.message(message(2, "a"), 20 * SECOND);

        assertThat(streams.expire(35 * SECOND - 1)).isEmpty();
        assertThat(streams.expire(35 * SECOND)).containsExactly(new Step.Failed(1, Failure.IDLE));
        assertThat(streams.expire(50 * SECOND))
                .containsExactly(new Step.Send(end(2)), new Step.Failed(2, Failure.IDLE));
        assertThat(streams.open()).isZero();
        assertThat(streams.queuedBytes()).isZero();
    }

    @Test
    void c9MoreStreamsThanMayBeAreRefusedAndOursDoNotCount() {
        streams.open(call(1), 0);
        opens(1);
        opens(2);

        assertThat(opens(3)).isEqualTo(refused(3));
        assertThat(streams.open()).isEqualTo(3);
        assertThat(
                        new Streams(Side.ACCEPTED, new Streams.Bounds(0, 1, 1, Duration.ZERO))
                                .opened(call(1), 0))
                .as("a side without streams")
                .isEqualTo(refused(1));
    }

    @Test
    void c9AFrameOfNoStreamIsAnsweredAndOneWithoutAnIdIsRefused() {
        assertThat(says(5, "to nobody")).containsExactly(new Step.Send(end(5)));
        assertThat(streams.ended(end(5), 0)).isEmpty();
        Frame cut = new Frame(Direction.STREAM_MESSAGE, Bytes.hex("010000"));
        assertThatThrownBy(() -> streams.message(cut, 0))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("without its id");
    }

    @Test
    void aMessageAfterTheEndFailsTheStream() {
        opens(1);
        streams.ended(end(1), 0);

        assertThat(streams.ended(end(1), 0)).isEmpty();
        assertThat(says(1, "more"))
                .containsExactly(new Step.Send(end(1)), new Step.Failed(1, Failure.MISUSED));
    }

    @Test
    void whenTheConnectionGoesAllStreamsFail() {
        opens(1);
        says(1, "a");
        streams.open(call(1), 0);

        assertThat(streams.close())
                .containsExactly(
                        new Step.Failed(1, Failure.CLOSED),
                        new Step.Failed(OURS + 1, Failure.CLOSED));
        assertThat(streams.open()).isZero();
        assertThat(streams.queuedBytes()).isZero();
    }
}
