package ai.hanzo.dev.host;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** What {@code --json} printed. */
final class Lines {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Lines() {}

    static List<JsonNode> of(String out) {
        return out.lines().map(Lines::json).toList();
    }

    static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError("not JSON: " + text, e);
        }
    }

    /** JSON that is an object. */
    static ObjectNode object(String text) {
        return (ObjectNode) json(text);
    }

    /** A text as a JSON string. */
    static String quoted(String text) {
        try {
            return JSON.writeValueAsString(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    /** The entries of one kind. */
    static List<JsonNode> kind(List<JsonNode> all, String kind) {
        return all.stream().filter(entry -> entry.path("kind").asText().equals(kind)).toList();
    }

    /** The actions that do {@code op}. */
    static List<JsonNode> actions(List<JsonNode> all, String op) {
        return kind(all, "action").stream()
                .filter(entry -> entry.path("op").asText().equals(op))
                .toList();
    }

    /** The result of an action. */
    static JsonNode result(List<JsonNode> all, JsonNode action) {
        return kind(all, "result").stream()
                .filter(entry -> entry.path("action").asInt() == action.path("action").asInt())
                .findFirst()
                .orElseThrow(() -> new AssertionError("no result of " + action))
                .path("result");
    }
}
