package ai.hanzo.dev.host.model;

import ai.hanzo.dev.protocol.Event.Usage;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** OpenAI's chat completions, streamed. */
final class MockOpenAi implements MockProtocol {
    private final ObjectMapper json;
    private final int pieceChars;

    MockOpenAi(ObjectMapper json, int pieceChars) {
        this.json = json;
        this.pieceChars = pieceChars;
    }

    @Override
    public String keyHeader() {
        return "Authorization";
    }

    @Override
    public Optional<String> fault(JsonNode request) {
        if (!request.path("stream").asBoolean()) {
            return Optional.of("only streams are served");
        }
        Set<String> ever = new HashSet<>();
        Set<String> open = new HashSet<>();
        for (JsonNode message : request.path("messages")) {
            if (message.path("role").asText().equals("tool")) {
                String id = message.path("tool_call_id").asText();
                if (!open.remove(id)) {
                    return Optional.of(
                            "messages with role 'tool' must be a response to a preceding message"
                                    + " with 'tool_calls' ("
                                    + id
                                    + ")");
                }
                continue;
            }
            if (!open.isEmpty()) {
                break;
            }
            for (JsonNode call : message.path("tool_calls")) {
                String id = call.path("id").asText();
                if (!ever.add(id)) {
                    return Optional.of("duplicate tool_call_id " + id);
                }
                open.add(id);
            }
        }
        return open.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "an assistant message with 'tool_calls' must be followed by tool messages"
                                + " responding to each 'tool_call_id': "
                                + String.join(", ", open));
    }

    @Override
    public String error(int status, String code, String message) {
        ObjectNode body = json.createObjectNode();
        body.putObject("error")
                .put("message", message)
                .put(
                        "type",
                        status == 429
                                ? "rate_limit_error"
                                : status >= 500 ? "server_error" : "invalid_request_error")
                .put("code", code.isEmpty() ? null : code);
        return body.toString();
    }

    @Override
    public List<String> events(String model, Script.Entry entry) {
        List<String> events = new ArrayList<>();
        for (String piece : MockModelServer.pieces(entry.text(), pieceChars)) {
            ObjectNode chunk = chunk(model);
            delta(chunk).put("content", piece);
            events.add(event(chunk.toString()));
        }
        if (entry.error().isPresent()) {
            Script.ScriptError error = entry.error().get();
            if (error.status() != 0) {
                events.add(event(error(error.status(), error.code(), error.message())));
            }
            return events;
        }
        for (int i = 0; i < entry.calls().size(); i++) {
            call(model, i, entry.calls().get(i), events);
        }
        ObjectNode last = chunk(model);
        delta(last);
        ((ObjectNode) last.path("choices").path(0))
                .put("finish_reason", entry.calls().isEmpty() ? "stop" : "tool_calls");
        events.add(event(last.toString()));
        events.add(event(usage(model, entry.usage().orElse(new Usage(10, 5)))));
        events.add(event("[DONE]"));
        return events;
    }

    private void call(String model, int index, Script.ScriptCall call, List<String> events) {
        ObjectNode first = chunk(model);
        ObjectNode head = delta(first).putArray("tool_calls").addObject();
        head.put("index", index).put("id", "mock_" + index).put("type", "function");
        head.putObject("function").put("name", call.tool()).put("arguments", "");
        events.add(event(first.toString()));
        for (String piece : MockModelServer.pieces(call.arguments(), pieceChars)) {
            ObjectNode chunk = chunk(model);
            ObjectNode part = delta(chunk).putArray("tool_calls").addObject().put("index", index);
            part.putObject("function").put("arguments", piece);
            events.add(event(chunk.toString()));
        }
    }

    private String usage(String model, Usage usage) {
        ObjectNode chunk = chunk(model);
        chunk.putArray("choices");
        chunk.putObject("usage")
                .put("prompt_tokens", usage.inputTokens())
                .put("completion_tokens", usage.outputTokens())
                .put("total_tokens", usage.inputTokens() + usage.outputTokens());
        return chunk.toString();
    }

    private ObjectNode chunk(String model) {
        ObjectNode chunk = json.createObjectNode();
        chunk.put("id", "mock").put("object", "chat.completion.chunk").put("created", 0);
        chunk.put("model", model);
        chunk.putArray("choices").addObject().put("index", 0).putNull("finish_reason");
        return chunk;
    }

    private static ObjectNode delta(ObjectNode chunk) {
        return ((ObjectNode) chunk.path("choices").path(0)).putObject("delta");
    }

    private static String event(String data) {
        return "data: " + data + "\n\n";
    }
}
