package ai.hanzo.dev.host.surface.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What others wrote cannot forge what a person reads. */
final class StyleTest {
    @ParameterizedTest
    @ValueSource(
            ints = {
                0x00, 0x07, 0x0B, 0x0C, 0x1B, 0x7F, 0x85, 0x9B, 0x061C, 0x200E, 0x200F, 0x2028,
                0x2029, 0x202A, 0x202E, 0x2066, 0x2069
            })
    void whatEndsALineOrTurnsItIsWrittenOut(int mark) {
        String text = "a" + Character.toString(mark) + "b";
        String said = "a\\x%02xb".formatted(mark);
        assertThat(Style.safe(text)).isEqualTo(said);
        assertThat(Style.line(text, 100)).isEqualTo(said);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"a%nb|a b", "a%n%tb|a  b", "a%rb|ab", "abcdef|abcd…", "abcde|abcde"})
    void aLineIsOneLine(String text, String line) {
        String given = text.replace("%n", "\n").replace("%t", "\t").replace("%r", "\r");
        assertThat(Style.line(given, 5)).isEqualTo(line);
    }
}
