package ai.hanzo.dev.zap;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class Utf8PropertyTest {

    @Property
    void validIsWhatTheDecoderOfTheJdkTakes(@ForAll byte[] bytes) {
        assertThat(Utf8.isValid(bytes, 0, bytes.length)).isEqualTo(decodes(bytes));
    }

    @Test
    void sequencesAtEveryEdgeOfTheEncodingAreJudgedRight() {
        int[] edges = {0, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF};
        var misjudged = new ArrayList<String>();
        for (int lead = 0; lead < 256; lead++) {
            for (int i = 0; i < edges.length * edges.length * edges.length; i++) {
                byte second = (byte) edges[i % 10];
                byte third = (byte) edges[i / 10 % 10];
                byte fourth = (byte) edges[i / 100];
                byte[] bytes = {(byte) lead, second, third, fourth};
                int length = 1 + (i + lead) % 4;
                byte[] cut = Arrays.copyOf(bytes, length);
                if (Utf8.isValid(cut, 0, length) != decodes(cut)) {
                    misjudged.add(Arrays.toString(cut));
                }
            }
        }
        assertThat(misjudged).isEmpty();
    }

    @Property
    void anyTextIsWrittenAsTheJdkWritesIt(@ForAll String text) {
        byte[] expected = text.getBytes(StandardCharsets.UTF_8);
        byte[] written = new byte[3 * text.length()];

        int end = Utf8.write(text, written, 0);

        assertThat(Arrays.copyOf(written, end)).isEqualTo(expected);
        assertThat(Utf8.lengthOf(text)).isEqualTo(expected.length);
    }

    private static boolean decodes(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
