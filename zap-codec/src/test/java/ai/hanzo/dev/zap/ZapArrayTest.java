package ai.hanzo.dev.zap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.zap.dev.EnvVarBuilder;
import ai.hanzo.dev.zap.dev.NoteBuilder;
import ai.hanzo.dev.zap.dev.NoteView;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ZapArrayTest {

    @Test
    void textsOfEveryLengthAndKindAreWrittenAsUtf8() {
        for (String unit : new String[] {"a", "\0", "é", "ÿ", "Ā", "→", "😀", "\uD800"}) {
            for (int length = 1; length < 70; length++) {
                String text = unit.repeat(length);
                byte[] message = new NoteBuilder().topic(text).text("end").toMessage();

                NoteView view = NoteView.open(message);
                assertThat(view.reader().copy(view.topicRun()))
                        .isEqualTo(text.getBytes(StandardCharsets.UTF_8));
                assertThat(view.text()).isEqualTo("end");
            }
        }
    }

    @Test
    void bytesOfEveryLengthAreCopied() {
        for (int length = 0; length < 40; length++) {
            byte[] value = new byte[length];
            for (int i = 0; i < length; i++) {
                value[i] = (byte) (i + 1);
            }
            byte[] array = new byte[64];

            int end = ZapArray.tail(array, 16, 0, value);

            assertThat(end).isEqualTo(16 + length);
            assertThat(array).endsWith(new byte[64 - end]);
            for (int i = 0; i < length; i++) {
                assertThat(array[16 + i]).isEqualTo(value[i]);
            }
        }
    }

    @Test
    void aMessageAboveTheLimitIsRefusedBeforeItsArrayIsMade() {
        assertThat(ZapArray.of(Budget.MAX_MESSAGE_BYTES)).hasSize(Budget.MAX_MESSAGE_BYTES);
        assertThatThrownBy(() -> ZapArray.of(Budget.MAX_MESSAGE_BYTES + 1L))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("more than 67108864");
    }

    @Test
    void anArrayThatIsNotFullIsNoMessage() {
        assertThatThrownBy(() -> ZapArray.finish(new byte[40], 2, ZapArray.written(16, 32)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("40 bytes were counted and 32 written");
    }

    @Test
    void oneBuilderInAListTwiceIsWrittenTwice() {
        EnvVarBuilder fact = new EnvVarBuilder().name("n").value("v");
        NoteBuilder builder = new NoteBuilder().facts(List.of(fact, fact));

        NoteView view = NoteView.open(builder.toMessage());

        assertThat(view.facts(0).position()).isNotEqualTo(view.facts(1).position());
        assertThat(view.facts(1).value()).isEqualTo("v");
        assertThat(builder.toMessage()).isEqualTo(builder.toMessage());
    }
}
