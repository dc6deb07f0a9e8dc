package ai.hanzo.dev.host.model;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.protocol.Bytes;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;

final class PrintablePropertyTest {

    @Property
    void textIsShownAsItIs(@ForAll String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Assume.that(new String(bytes, StandardCharsets.UTF_8).equals(text));
        Assume.that(text.indexOf('\0') < 0);
        assertThat(Printable.text(Bytes.wrap(bytes))).isEqualTo(text);
    }

    /** Every byte is there: the escapes read back give the same bytes. */
    @Property
    void noByteIsLost(@ForAll @Size(max = 40) byte[] bytes) {
        Assume.that(new String(bytes, StandardCharsets.ISO_8859_1).indexOf('\\') < 0);
        String text = Printable.text(Bytes.copyOf(bytes));
        StringBuilder latin = new StringBuilder();
        for (int i = 0; i < text.length(); ) {
            if (text.charAt(i) == '\\') {
                latin.append((char) Integer.parseInt(text.substring(i + 2, i + 4), 16));
                i += 4;
            } else {
                int point = text.codePointAt(i);
                byte[] utf8 = Character.toString(point).getBytes(StandardCharsets.UTF_8);
                latin.append(new String(utf8, StandardCharsets.ISO_8859_1));
                i += Character.charCount(point);
            }
        }
        assertThat(latin.toString()).isEqualTo(new String(bytes, StandardCharsets.ISO_8859_1));
    }

    /** Longer than the decoder's buffer. */
    @Property(tries = 20)
    void longTextIsShownWhole(@ForAll @StringLength(min = 1, max = 5) String part) {
        byte[] bytes = part.repeat(10_000).getBytes(StandardCharsets.UTF_8);
        String text = new String(bytes, StandardCharsets.UTF_8);
        Assume.that(text.indexOf('\0') < 0);
        assertThat(Printable.text(Bytes.wrap(bytes))).isEqualTo(text);
    }
}
