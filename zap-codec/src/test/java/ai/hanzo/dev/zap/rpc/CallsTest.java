package ai.hanzo.dev.zap.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.zap.rpc.Envelope.Response;
import org.junit.jupiter.api.Test;

class CallsTest {
    private final Calls calls = new Calls(2);

    private long call() {
        return calls.call(1, 0, Bytes.empty(), Bytes.empty()).promise();
    }

    private boolean answered(long promise) {
        return calls.answered(new Response(Response.OK, promise, Bytes.empty()));
    }

    @Test
    void eachCallHasAPromiseOfItsOwn() {
        assertThat(call()).isEqualTo(1);
        assertThat(call()).isEqualTo(2);
        assertThat(calls.mayCall()).isFalse();
        assertThatThrownBy(this::call).hasMessage("2 calls wait for their answers");
        assertThat(answered(1)).isTrue();
        assertThat(call()).isEqualTo(3);
    }

    @Test
    void c5ASecondAnswerAndOneThatNobodyWaitsForAreDropped() {
        call();

        assertThat(answered(9)).isFalse();
        assertThat(answered(1)).isTrue();
        assertThat(answered(1)).isFalse();
        assertThat(calls.waiting()).isZero();
    }

    @Test
    void whenTheConnectionGoesTheCallsThatWaitAreTold() {
        call();
        call();
        answered(1);

        assertThat(calls.close()).containsExactly(2L);
        assertThat(calls.close()).isEmpty();
        assertThat(answered(2)).isFalse();
    }
}
