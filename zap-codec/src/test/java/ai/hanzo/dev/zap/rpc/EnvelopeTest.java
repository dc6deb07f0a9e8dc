package ai.hanzo.dev.zap.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.zap.CodecException;
import ai.hanzo.dev.zap.rpc.Envelope.Call;
import ai.hanzo.dev.zap.rpc.Envelope.Response;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class EnvelopeTest {

    @Property(tries = 200)
    void aCallComesBackAsItWas(
            @ForAll @LongRange(min = 1, max = Envelope.MAX_U32) long method,
            @ForAll @LongRange(min = 0, max = Envelope.MAX_U32) long promise,
            @ForAll @LongRange(min = 0, max = Envelope.MAX_U32) long target,
            @ForAll byte[] capability,
            @ForAll byte[] payload) {
        Call call = new Call(method, promise, target, Bytes.wrap(capability), Bytes.wrap(payload));

        assertThat(Call.parse(call.encode())).isEqualTo(call);
    }

    @Property(tries = 200)
    void aResponseComesBackAsItWas(
            @ForAll @LongRange(min = 0, max = Envelope.MAX_U32) long status,
            @ForAll @LongRange(min = 0, max = Envelope.MAX_U32) long promise,
            @ForAll byte[] body) {
        Response response = new Response(status, promise, Bytes.wrap(body));

        assertThat(Response.parse(response.encode())).isEqualTo(response);
    }

    @Test
    void theSmallestCallIsFortyFourBytes() {
        assertThat(new Call(1, 0, 0, Bytes.empty(), Bytes.empty()).encode().length()).isEqualTo(44);
        assertThat(new Response(200, 1, Bytes.empty()).encode().length()).isEqualTo(36);
    }

    @Test
    void methodZeroIsRefusedAndNeverWritten() {
        Bytes response = new Response(0, 1, Bytes.empty()).encode();

        assertThatThrownBy(() -> Call.parse(response)).isInstanceOf(CodecException.class);
        assertThatThrownBy(() -> new Call(0, 1, 0, Bytes.empty(), Bytes.empty()))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
