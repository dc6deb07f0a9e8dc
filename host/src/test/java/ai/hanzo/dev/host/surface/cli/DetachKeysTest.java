package ai.hanzo.dev.host.surface.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DetachKeysTest {
    private final DetachKeys keys = new DetachKeys();

    private String take(String typed) {
        byte[] bytes = typed.getBytes(ISO_8859_1);
        DetachKeys.Typed meant = keys.take(bytes, bytes.length);
        return new String(meant.bytes(), ISO_8859_1) + (meant.isDetach() ? "|detach" : "");
    }

    @Test
    void ordinaryKeysGoToTheProgram() {
        assertThat(take("ls -d\r\003\377")).isEqualTo("ls -d\r\003\377");
    }

    @Test
    void theTwoKeysDetachAlsoWhenTheyComeApart() {
        assertThat(take("ab\035dcd")).isEqualTo("ab|detach");
        assertThat(take("ab\035")).isEqualTo("ab");
        assertThat(take("d")).isEqualTo("|detach");
    }

    @Test
    void theFirstKeyTwiceIsThatKeyAndAnythingElseGoesOnWithIt() {
        assertThat(take("\035\035")).isEqualTo("\035");
        assertThat(take("\035x\035\035d")).isEqualTo("\035x\035d");
    }
}
