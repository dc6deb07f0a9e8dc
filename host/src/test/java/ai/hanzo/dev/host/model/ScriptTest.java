package ai.hanzo.dev.host.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.host.model.Script.Entry;
import ai.hanzo.dev.host.model.Script.ScriptCall;
import ai.hanzo.dev.host.model.Script.ScriptError;
import ai.hanzo.dev.protocol.Event.Usage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ScriptTest {

    @Test
    void everythingThatAScriptCanSayIsRead() {
        String json =
                """
                [{"text": "a", "delayMs": 5, "usage": {"input": 1, "output": 2},
                  "calls": [{"tool": "exec", "args": {"argv": ["ls"]}}, {"tool": "x", "raw": "{"}]},
                 {"error": {"status": 429, "retryAfter": 2, "code": "c", "message": "m"}}]\
                """;
        assertThat(Script.parse(json))
                .isEqualTo(
                        new Script(
                                List.of(
                                        new Entry(
                                                "a",
                                                List.of(
                                                        new ScriptCall(
                                                                "exec", "{\"argv\":[\"ls\"]}"),
                                                        new ScriptCall("x", "{")),
                                                Duration.ofMillis(5),
                                                Optional.of(new Usage(1, 2)),
                                                Optional.empty()),
                                        new Entry(
                                                "",
                                                List.of(),
                                                Duration.ZERO,
                                                Optional.empty(),
                                                Optional.of(
                                                        new ScriptError(
                                                                429,
                                                                Optional.of(Duration.ofSeconds(2)),
                                                                "c",
                                                                "m"))))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {}                                        | line 1, column 1  | an array of replies
                    [{"txt": "a"}]                            | line 1, column 10 | "txt" is not known
                    [{"text": 5}]                             | line 1, column 11 | a string must stand at "text"
                    [{"calls": [{"args": {}}]}]               | line 1, column 13 | no "tool"
                    [{"calls": [{"tool": "x", "args": []}]}]  | line 1, column 35 | "args"
                    [{"delayMs": -1}]                         | line 1, column 14 | "delayMs" must be from 0
                    [{"error": {"status": 200}}]              | line 1, column 23 | "status" must be from 400
                    [{"error": {}}]                           | line 1, column 12 | no "status"
                    [{"text": "a", "text": "b"}]              | line 1            | text
                    [{"text": "a"                             | line 1            | broken
                    [] []                                     | line 1, column 4  | nothing may follow
                    """)
    void aBrokenScriptIsToldInOneSentenceWithItsPlace(String json, String place, String what) {
        assertThatThrownBy(() -> Script.parse(json))
                .isInstanceOfSatisfying(
                        ModelException.class,
                        e ->
                                assertThat(String.valueOf(e.getMessage()))
                                        .contains(place, what)
                                        .doesNotContain("\n")
                                        .endsWith("."));
    }

    @Test
    void thePlaceIsRightInALongerFile() {
        assertThatThrownBy(() -> Script.parse("[\n  {\"text\": \"a\"},\n  {\"call\": []}\n]"))
                .hasMessageContaining("line 3, column 12")
                .hasMessageContaining("\"call\"");
    }

    @Test
    void anEmptyTextIsNoScript() {
        assertThatThrownBy(() -> Script.parse("")).isInstanceOf(ModelException.class);
    }
}
