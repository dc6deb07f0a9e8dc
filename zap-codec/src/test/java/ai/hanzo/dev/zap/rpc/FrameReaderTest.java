package ai.hanzo.dev.zap.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.zap.CodecException;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameReaderTest {

    private static List<Frame> feed(FrameReader reader, Bytes bytes) {
        var frames = new ArrayList<Frame>();
        reader.feed(bytes.toArray(), 0, bytes.length(), frames::add);
        return frames;
    }

    @Property(tries = 300)
    void framesComeOutAsTheyWentInHoweverTheBytesAreCut(@ForAll long seed) {
        var random = new Random(seed);
        var sent = new ArrayList<Frame>();
        var stream = new ByteArrayOutputStream();
        for (int i = random.nextInt(6); i >= 0; i--) {
            byte[] body = new byte[random.nextInt(random.nextBoolean() ? 20 : 9000)];
            random.nextBytes(body);
            Frame.Direction[] directions = Frame.Direction.values();
            Frame frame = new Frame(directions[random.nextInt(5)], Bytes.wrap(body));
            sent.add(frame);
            stream.writeBytes(frame.encode().toArray());
        }
        byte[] bytes = stream.toByteArray();
        var received = new ArrayList<Frame>();
        FrameReader reader = FrameReader.standard();

        for (int at = 0; at < bytes.length; ) {
            int length = Math.min(1 + random.nextInt(3000), bytes.length - at);
            reader.feed(bytes, at, length, received::add);
            at += length;
        }

        assertThat(received).isEqualTo(sent);
        assertThat(reader.heldBytes()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0000000001", "0100000401", "0000003201", "ffffffff01", "0200000000"})
    void aFrameThatCannotBeIsRefused(String hex) {
        assertThatThrownBy(() -> feed(FrameReader.standard(), Bytes.hex(hex)))
                .isInstanceOfSatisfying(
                        CodecException.class,
                        e -> assertThat(e.code()).isEqualTo(CodecException.Code.BAD_FRAME));
    }

    @Test
    void c9AnUnknownDirectionIsRefusedBeforeItsBodyHasCome() {
        FrameReader reader = FrameReader.standard();

        assertThatThrownBy(() -> feed(reader, Bytes.hex("ffff000006" + "00")))
                .hasMessageContaining("direction 6");
    }

    @Test
    void c8APromiseOfManyBytesTakesNoMemoryUntilTheyCome() {
        FrameReader reader = FrameReader.standard();

        assertThat(feed(reader, Bytes.hex("0000000401"))).isEmpty();
        assertThat(reader.bufferBytes()).isLessThanOrEqualTo(4096);
        feed(reader, Bytes.wrap(new byte[100_000]));
        assertThat(reader.bufferBytes()).isLessThanOrEqualTo(2 * 100_005);
    }
}
