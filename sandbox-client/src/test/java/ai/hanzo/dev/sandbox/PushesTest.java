package ai.hanzo.dev.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.sandbox.LiveProgram.Heard.Printed;
import ai.hanzo.dev.zap.CodecException;
import ai.hanzo.dev.zap.dev.CellOp;
import ai.hanzo.dev.zap.dev.CellPushBuilder;
import ai.hanzo.dev.zap.dev.CellPushView;
import ai.hanzo.dev.zap.dev.CellReplyBuilder;
import ai.hanzo.dev.zap.dev.CellReplyKind;
import ai.hanzo.dev.zap.dev.CellReplyView;
import ai.hanzo.dev.zap.dev.CellStreamName;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a cell may push is bounded by what it was given credit for. */
class PushesTest {
    private final Pushes pushes = new Pushes();
    private final Object follower = new Object();

    @BeforeEach
    void follow() {
        pushes.follow(follower);
        pushes.begin(OutputStreamName.STDOUT, 0, 0);
    }

    private static CellPushView push(long offset, int bytes) {
        byte[] message =
                new CellReplyBuilder()
                        .kind(CellReplyKind.PUSH)
                        .op(CellOp.SPAWN)
                        .action(1)
                        .push(
                                new CellPushBuilder()
                                        .stream(CellStreamName.STDOUT)
                                                .offset(offset)
                                                .data(new byte[bytes]))
                        .toMessage();
        return CellReplyView.open(message).push();
    }

    private void refused(CellPushView push) {
        assertThatThrownBy(() -> pushes.pushed(push)).isInstanceOf(CodecException.class);
    }

    @Test
    void withoutCreditNothingMayCome() {
        refused(push(0, 1));
        refused(push(0, 0));
    }

    @Test
    void whatItBeginsWithIsAllThatMayCome() {
        pushes.credit(OutputStreamName.STDOUT);
        pushes.begin(OutputStreamName.STDOUT, 7, 10);
        pushes.pushed(push(7, 10));
        refused(push(17, 1));
    }

    @Test
    void aWindowMayComeAndNoMoreUntilItIsTaken() throws InterruptedException {
        assertThat(pushes.credit(OutputStreamName.STDOUT)).isEqualTo(Pushes.WINDOW_BYTES);
        assertThat(pushes.credit(OutputStreamName.STDOUT)).isZero();
        for (int offset = 0; offset < Pushes.WINDOW_BYTES; offset += 65_536) {
            pushes.pushed(push(offset, 65_536));
        }
        refused(push(Pushes.WINDOW_BYTES, 1));
        assertThat(pushes.credit(OutputStreamName.STDOUT)).isZero();
        for (int taken = 0; taken < Pushes.WINDOW_BYTES / 2; taken += 65_536) {
            assertThat(pushes.take(Duration.ZERO, () -> false)).isPresent();
        }
        assertThat(pushes.credit(OutputStreamName.STDOUT)).isEqualTo(Pushes.WINDOW_BYTES / 2);
    }

    @Test
    void offsetsNeverGoBackAndMayLeap() throws InterruptedException {
        pushes.credit(OutputStreamName.STDOUT);
        pushes.pushed(push(0, 10));
        refused(push(9, 1));
        refused(push(Long.MAX_VALUE, 2));
        pushes.pushed(push(500, 1));
        assertThat(pushes.take(Duration.ZERO, () -> false))
                .hasValue(new Printed(OutputStreamName.STDOUT, 0, Bytes.wrap(new byte[10])));
        assertThat(pushes.take(Duration.ZERO, () -> false))
                .hasValue(new Printed(OutputStreamName.STDOUT, 500, Bytes.wrap(new byte[1])));
        assertThat(pushes.next(OutputStreamName.STDOUT)).isEqualTo(501);
    }

    /** What was under way to a former follower is neither told nor kept, but it was allowed. */
    @Test
    void whoComesLaterHearsNothingOfWhatWasUnderWay() throws InterruptedException {
        pushes.credit(OutputStreamName.STDOUT);
        pushes.pushed(push(0, 10));
        pushes.follow(new Object());
        pushes.pushed(push(10, 10));
        assertThat(pushes.take(Duration.ZERO, () -> false)).isEmpty();
        pushes.begin(OutputStreamName.STDOUT, 5, 0);
        refused(push(20, 1));
        assertThat(pushes.credit(OutputStreamName.STDOUT)).isEqualTo(Pushes.WINDOW_BYTES);
        pushes.pushed(push(5, 5));
        assertThat(pushes.take(Duration.ZERO, () -> false))
                .hasValue(new Printed(OutputStreamName.STDOUT, 5, Bytes.wrap(new byte[5])));
        assertThat(pushes.isFollowedBy(follower)).isFalse();
    }
}
