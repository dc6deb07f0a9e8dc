package ai.hanzo.dev.host.tool;

import ai.hanzo.dev.protocol.Config;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * The catalogue of what a model may call, and the standing instructions for coding work. Both are
 * data: {@code tools.json} and {@code prelude.md} beside this class. Immutable, safe for all
 * threads.
 */
public final class Tools {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final List<Config.Tool> all;
    private final String prelude;

    private Tools(List<Config.Tool> all, String prelude) {
        this.all = List.copyOf(all);
        this.prelude = prelude;
    }

    /** The catalogue that comes with this program. */
    public static Tools bundled() {
        try {
            List<JsonNode> nodes =
                    JSON.readValue(resource("tools.json"), new TypeReference<List<JsonNode>>() {});
            return new Tools(nodes.stream().map(Tools::tool).toList(), resource("prelude.md"));
        } catch (IOException e) {
            throw new UncheckedIOException("the bundled tools cannot be read", e);
        }
    }

    /** Every tool, in the order in which it is shown to a model. */
    public List<Config.Tool> all() {
        return all;
    }

    /** The tool of this name. */
    public Optional<Config.Tool> named(String name) {
        return all.stream().filter(tool -> tool.name().equals(name)).findFirst();
    }

    /** The standing instructions for coding work. */
    public String prelude() {
        return prelude;
    }

    private static Config.Tool tool(JsonNode node) {
        return new Config.Tool(
                Config.ToolKind.valueOf(node.required("kind").asText()),
                node.required("name").asText(),
                node.required("description").asText(),
                node.required("schema").toString());
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = Tools.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException(name + " is not in this program");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
