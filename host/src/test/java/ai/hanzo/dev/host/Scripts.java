package ai.hanzo.dev.host;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Writes scripts for the script model, a step after the other. */
final class Scripts {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ArrayNode steps = JSON.createArrayNode();

    /** A step that only says something, which ends a turn. */
    Scripts say(String text) {
        steps.addObject().put("text", text);
        return this;
    }

    /** A step that runs a command. */
    Scripts exec(String... argv) {
        ObjectNode arguments = JSON.createObjectNode();
        List.of(argv).forEach(arguments.putArray("argv")::add);
        return call("exec", arguments);
    }

    /** A step that runs a line of shell. */
    Scripts sh(String line) {
        return exec("sh", "-c", line);
    }

    /** A step that calls a tool; {@code names} and values by turns. */
    Scripts call(String tool, String... namesAndValues) {
        ObjectNode arguments = JSON.createObjectNode();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            arguments.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return call(tool, arguments);
    }

    Scripts call(String tool, ObjectNode arguments) {
        ObjectNode step = steps.addObject().put("text", "");
        step.putArray("calls").addObject().put("tool", tool).set("args", arguments);
        return this;
    }

    /** The script as a file has it. */
    String text() {
        try {
            return JSON.writeValueAsString(steps);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
