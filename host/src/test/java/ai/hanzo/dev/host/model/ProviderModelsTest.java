package ai.hanzo.dev.host.model;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.model.MockModelServer.Wire;
import ai.hanzo.dev.host.model.Models.Selection;
import ai.hanzo.dev.host.tool.Calls;
import ai.hanzo.dev.protocol.Content;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ProviderModelsTest {
    /** Nobody listens on the discard port. */
    private static final Map<String, String> NO_OLLAMA = Map.of("OLLAMA_HOST", "127.0.0.1:9");

    private final ProviderModels models = new ProviderModels(new Calls(Content::of));

    @AfterEach
    void close() {
        models.close();
    }

    @ParameterizedTest
    @CsvSource({"openai:gpt-5, OPENAI_API_KEY", "anthropic:claude, ANTHROPIC_API_KEY"})
    void aMissingKeyIsNamed(String spec, String variable) {
        assertThat(select(spec, Map.of()))
                .isInstanceOfSatisfying(
                        Selection.KeyMissing.class,
                        missing -> {
                            assertThat(missing.variable()).isEqualTo(variable);
                            assertThat(missing.message()).contains(spec, "set " + variable);
                        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"gpt-5", "gemini:pro", "openai:", "script:"})
    void anUnknownModelIsRefusedWithWhatToWrite(String spec) {
        assertThat(select(spec, Map.of()))
                .isInstanceOfSatisfying(
                        Selection.Refused.class,
                        refused -> {
                            assertThat(refused.code()).isEqualTo("unknown_model");
                            assertThat(refused.message()).contains("openai:NAME");
                        });
    }

    @Test
    void aBaseUrlThatIsNoneIsRefused() {
        assertThat(
                        select(
                                "openai:x",
                                Map.of("OPENAI_BASE_URL", "file:///x", "OPENAI_API_KEY", "k")))
                .isInstanceOfSatisfying(
                        Selection.Refused.class,
                        refused -> assertThat(refused.message()).contains("OPENAI_BASE_URL"));
    }

    @Test
    void withNothingAtHandTheDefaultSaysWhatToSet() {
        assertThat(select("", NO_OLLAMA))
                .isInstanceOfSatisfying(
                        Selection.Refused.class,
                        refused -> {
                            assertThat(refused.code()).isEqualTo("no_model");
                            assertThat(refused.message())
                                    .contains("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "Ollama");
                        });
    }

    @Test
    void aKeyMakesTheDefault() {
        assertThat(select("", Map.of("OPENAI_API_KEY", "k")))
                .isInstanceOfSatisfying(
                        Selection.Ready.class,
                        ready ->
                                assertThat(ready.model()).isEqualTo(ProviderModels.DEFAULT_OPENAI));
        assertThat(select("", Map.of("OPENAI_API_KEY", "k", "ANTHROPIC_API_KEY", "k")))
                .isInstanceOfSatisfying(
                        Selection.Ready.class,
                        ready ->
                                assertThat(ready.model())
                                        .isEqualTo(ProviderModels.DEFAULT_ANTHROPIC));
    }

    @Test
    void aLocalOllamaIsTheDefaultWithoutKeys() throws Exception {
        try (MockModelServer server =
                MockModelServer.start(
                        Script.parse("[{\"text\": \"hi\"}]"),
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        Wire.PLAIN)) {
            Selection selection = select("", Map.of("OLLAMA_HOST", server.address().toString()));
            assertThat(selection)
                    .isInstanceOfSatisfying(
                            Selection.Ready.class,
                            ready -> assertThat(ready.model()).isEqualTo("ollama:script"));
        }
    }

    @Test
    void aScriptNeedsItsContent() {
        assertThat(select("script:a.json", Map.of()))
                .isInstanceOfSatisfying(
                        Selection.Refused.class,
                        refused -> assertThat(refused.code()).isEqualTo("bad_script"));
        assertThat(models.select("script:a", Optional.of("[{}"), ProviderSettings.of(Map.of())))
                .isInstanceOfSatisfying(
                        Selection.Refused.class,
                        refused -> assertThat(refused.message()).contains("line 1"));
        assertThat(models.select("script:a", Optional.of("[]"), ProviderSettings.of(Map.of())))
                .isInstanceOf(Selection.Ready.class);
    }

    @ParameterizedTest
    @CsvSource({
        "https://api.openai.com/v1, https://api.openai.com/v1",
        "http://127.0.0.1:8080/, http://127.0.0.1:8080/v1",
        "http://h/openai/v1/, http://h/openai/v1",
        "https://h/v1beta, https://h/v1beta",
        "api.example.com, https://api.example.com/v1"
    })
    void aBaseUrlEndsWithItsVersion(String given, String expected) {
        assertThat(BaseUrl.parse(given, "https").map(BaseUrl::versioned)).contains(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "'', http://127.0.0.1:11434",
        "0.0.0.0, http://127.0.0.1:11434",
        "box:8000, http://box:8000",
        ":8000, http://127.0.0.1:8000",
        "https://ollama.example.com, https://ollama.example.com"
    })
    void ollamaIsFoundWhereItsVariableSays(String given, String expected) {
        assertThat(Ollama.address(given)).contains(URI.create(expected));
    }

    @Test
    void settingsNeverShowTheirValues() {
        assertThat(ProviderSettings.of(Map.of("OPENAI_API_KEY", "sk-1", "HOME", "/x")).toString())
                .contains("OPENAI_API_KEY")
                .doesNotContain("sk-1")
                .doesNotContain("HOME");
    }

    private Selection select(String spec, Map<String, String> environment) {
        return models.select(spec, Optional.empty(), ProviderSettings.of(environment));
    }
}
