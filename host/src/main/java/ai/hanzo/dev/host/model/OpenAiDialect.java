package ai.hanzo.dev.host.model;

import ai.hanzo.dev.host.model.SseReader.SseEvent;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The stream of OpenAI's chat completions, as many servers speak it. What LangChain4j 1.8 gets
 * wrong and is put right here: it takes only the first call of a chunk, it needs an index in each,
 * it passes over an {@code error} chunk and over a refusal, and it takes a broken connection for
 * the end.
 */
final class OpenAiDialect implements Dialect {
    private final ObjectMapper json;
    private final Faults faults;
    private final Map<Integer, String> ids = new HashMap<>();
    private final Map<Integer, Integer> ours = new HashMap<>();
    private final StringBuilder refusal = new StringBuilder();
    private Optional<Fault> fault = Optional.empty();
    private String finish = "";
    private int calls;
    private int lastIndex;

    OpenAiDialect(ObjectMapper json, Faults faults) {
        this.json = json;
        this.faults = faults;
    }

    @Override
    public List<SseEvent> normalised(SseEvent event) {
        if (event.data().strip().equals("[DONE]")) {
            finish = finish.isEmpty() ? "stop" : finish;
            return List.of(event);
        }
        JsonNode chunk;
        try {
            chunk = json.readTree(event.data());
        } catch (JsonProcessingException e) {
            fault = Optional.of(faults.garbled("a piece of it is not JSON"));
            return List.of();
        }
        if (event.name().equals("error") || chunk.hasNonNull("error")) {
            fault = Optional.of(faults.inStream(chunk));
            return List.of();
        }
        JsonNode choice = chunk.path("choices").path(0);
        if (choice.hasNonNull("finish_reason")) {
            finish = choice.path("finish_reason").asText();
        }
        JsonNode delta = choice.path("delta");
        if (delta.path("refusal").isTextual()) {
            refusal.append(delta.path("refusal").asText());
        }
        if (delta.path("tool_calls").isArray() && !delta.path("tool_calls").isEmpty()) {
            return split((ObjectNode) chunk, (ArrayNode) delta.path("tool_calls"));
        }
        return List.of(event);
    }

    @Override
    public Optional<Fault> fault() {
        if (fault.isPresent() || !isComplete()) {
            return fault;
        }
        if (finish.equals("content_filter") || !refusal.isEmpty()) {
            return Optional.of(faults.filtered(refusal.toString()));
        }
        return Optional.empty();
    }

    @Override
    public boolean isComplete() {
        return !finish.isEmpty();
    }

    @Override
    public Endpoint.Ending ending() {
        return finish.equals("length") ? Endpoint.Ending.CUT : Endpoint.Ending.WHOLE;
    }

    /** One event for each call, with what the reader behind needs in each; text goes first. */
    private List<SseEvent> split(ObjectNode chunk, ArrayNode toolCalls) {
        List<SseEvent> events = new ArrayList<>();
        JsonNode text = chunk.path("choices").path(0).path("delta").path("content");
        for (JsonNode call : toolCalls) {
            ObjectNode copy = chunk.deepCopy();
            ObjectNode delta = (ObjectNode) copy.path("choices").path(0).path("delta");
            if (!events.isEmpty() || !text.isTextual()) {
                delta.remove("content");
            }
            ObjectNode one = delta.putArray("tool_calls").addObject();
            one.put("index", index(call));
            if (!call.path("id").asText("").isEmpty()) {
                one.put("id", call.path("id").asText());
            }
            one.put("type", "function");
            ObjectNode function = one.putObject("function");
            JsonNode name = call.path("function").path("name");
            if (name.isTextual()) {
                function.put("name", name.asText());
            }
            JsonNode arguments = call.path("function").path("arguments");
            if (!arguments.isMissingNode() && !arguments.isNull()) {
                // Some servers send the object itself.
                function.put(
                        "arguments",
                        arguments.isTextual() ? arguments.asText() : arguments.toString());
            }
            events.add(new SseEvent("message", copy.toString()));
        }
        return events;
    }

    /**
     * Our number of the call that a piece belongs to. The provider's index decides; where it is
     * missing, or one index comes with a second id, a new id begins a new call.
     */
    private int index(JsonNode call) {
        String id = call.path("id").asText("");
        int theirs = call.path("index").asInt(id.isEmpty() ? lastIndex : ids.size());
        String known = ids.getOrDefault(theirs, "");
        boolean isNew =
                !ours.containsKey(theirs)
                        || (!id.isEmpty() && !known.isEmpty() && !id.equals(known));
        if (isNew) {
            ours.put(theirs, calls++);
        }
        if (!id.isEmpty() || isNew) {
            ids.put(theirs, id);
        }
        lastIndex = theirs;
        return ours.getOrDefault(theirs, 0);
    }
}
