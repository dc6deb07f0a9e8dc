package ai.hanzo.dev.host.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.protocol.Config;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ToolsTest {
    private final Tools tools = Tools.bundled();

    @Test
    void theCatalogueIsComplete() {
        assertThat(tools.all())
                .extracting(Config.Tool::name)
                .containsExactly(
                        "read", "write", "patch", "exec", "git", "browse", "ask", "agent", "plan",
                        "list", "search");
    }

    @Test
    void everySchemaIsStrictAndDescribed() throws Exception {
        for (Config.Tool tool : tools.all()) {
            JsonNode schema = new ObjectMapper().readTree(tool.schema());
            assertThat(schema.path("additionalProperties").asText()).isEqualTo("false");
            assertThat(schema.path("required")).as(tool.name()).isNotEmpty();
            for (JsonNode property : schema.path("properties")) {
                assertThat(property.path("description").asText()).as(tool.name()).isNotEmpty();
            }
            assertThat(tool.description()).isNotBlank();
        }
    }

    @Test
    void theInstructionsOfTheWorkspaceArePassedWordForWord() {
        Config config =
                new Configs(tools).coding("# Ours\n tabs", "openai:x", Config.Limits.DEFAULTS);
        assertThat(config)
                .isEqualTo(
                        new Config(
                                tools.prelude(),
                                "# Ours\n tabs",
                                "openai:x",
                                tools.all(),
                                Config.Limits.DEFAULTS));
    }

    @Test
    void aToolThatDoesNotExistIsRefused() {
        assertThatThrownBy(() ->
                        new Configs(tools).coding("", "", Config.Limits.DEFAULTS, List.of("fly")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("fly");
    }
}
