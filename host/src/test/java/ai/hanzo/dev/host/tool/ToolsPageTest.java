package ai.hanzo.dev.host.tool;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.protocol.Config;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The page of the tools is made from the catalogue. */
final class ToolsPageTest {
    private static final Path PAGE = Path.of("..", "docs", "tools.md");

    /** After a change of the catalogue: what the page must be is written to target/tools.md. */
    @Test
    void thePageSaysWhatTheCatalogueSays() throws IOException {
        String expected = page();
        Path target = Files.createDirectories(Path.of("target")).resolve("tools.md");
        Files.writeString(target, expected);
        assertThat(Files.readString(PAGE))
                .as("copy host/%s to docs/tools.md", target)
                .isEqualTo(expected);
    }

    private static String page() throws IOException {
        StringBuilder page =
                new StringBuilder(
                        """
                        # Tools

                        What a model may call. Made from `tools.json` of the host; `?` marks what may be left out.
                        A call with a field that is unknown, missing or of the wrong form is not run: the model is
                        told which field it is and what is expected. What each call may do is decided by the policy.
                        """);
        for (Config.Tool tool : Tools.bundled().all()) {
            JsonNode schema = new ObjectMapper().readTree(tool.schema());
            page.append("\n## ").append(tool.name()).append("\n");
            page.append(tool.description())
                    .append("\n\n| argument | type | meaning |\n|---|---|---|\n");
            List<String> required = new ArrayList<>();
            schema.path("required").forEach(name -> required.add(name.asText()));
            for (Map.Entry<String, JsonNode> field : schema.path("properties").properties()) {
                page.append("| ")
                        .append(field.getKey())
                        .append(required.contains(field.getKey()) ? "" : "?")
                        .append(" | ")
                        .append(field.getValue().path("type").asText())
                        .append(" | ")
                        .append(field.getValue().path("description").asText())
                        .append(" |\n");
            }
        }
        return page.toString();
    }
}
