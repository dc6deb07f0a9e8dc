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

/** Anthropic's messages, streamed. */
final class MockAnthropic implements MockProtocol {
    private final ObjectMapper json;
    private final int pieceChars;

    MockAnthropic(ObjectMapper json, int pieceChars) {
        this.json = json;
        this.pieceChars = pieceChars;
    }

    @Override
    public String keyHeader() {
        return "x-api-key";
    }

    @Override
    public Optional<String> fault(JsonNode request) {
        if (!request.path("stream").asBoolean()) {
            return Optional.of("only streams are served");
        }
        Set<String> ever = new HashSet<>();
        Set<String> open = new HashSet<>();
        for (JsonNode message : request.path("messages")) {
            for (JsonNode block : message.path("content")) {
                String id = block.path("tool_use_id").asText();
                if (block.path("type").asText().equals("tool_result") && !open.remove(id)) {
                    return Optional.of("unexpected `tool_use_id` found in `tool_result`: " + id);
                }
            }
            if (!open.isEmpty()) {
                break;
            }
            for (JsonNode block : message.path("content")) {
                String id = block.path("id").asText();
                if (block.path("type").asText().equals("tool_use")) {
                    if (!ever.add(id)) {
                        return Optional.of("`tool_use` ids must be unique: " + id);
                    }
                    open.add(id);
                }
            }
        }
        return open.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "`tool_use` ids were found without `tool_result` blocks immediately after: "
                                + String.join(", ", open));
    }

    @Override
    public String error(int status, String code, String message) {
        String type =
                switch (status) {
                    case 401 -> "authentication_error";
                    case 404 -> "not_found_error";
                    case 413 -> "request_too_large";
                    case 429 -> "rate_limit_error";
                    case 529 -> "overloaded_error";
                    default -> status >= 500 ? "api_error" : "invalid_request_error";
                };
        ObjectNode body = json.createObjectNode().put("type", "error");
        body.putObject("error").put("type", code.isEmpty() ? type : code).put("message", message);
        return body.toString();
    }

    @Override
    public List<String> events(String model, Script.Entry entry) {
        List<String> events = new ArrayList<>();
        Usage usage = entry.usage().orElse(new Usage(10, 5));
        ObjectNode start = data("message_start");
        ObjectNode message = start.putObject("message");
        message.put("id", "mock").put("type", "message").put("role", "assistant");
        message.put("model", model);
        message.putObject("usage").put("input_tokens", usage.inputTokens()).put("output_tokens", 0);
        events.add(event(start));
        events.add(event(data("ping")));
        int index = 0;
        if (!entry.text().isEmpty()) {
            text(index++, entry.text(), events);
        }
        if (entry.error().isPresent()) {
            Script.ScriptError error = entry.error().get();
            if (error.status() != 0) {
                String body = error(error.status(), error.code(), error.message());
                events.add("event: error\ndata: " + body + "\n\n");
            }
            return events;
        }
        for (Script.ScriptCall call : entry.calls()) {
            call(index++, call, events);
        }
        ObjectNode end = data("message_delta");
        end.putObject("delta")
                .put("stop_reason", entry.calls().isEmpty() ? "end_turn" : "tool_use");
        end.putObject("usage").put("output_tokens", usage.outputTokens());
        events.add(event(end));
        events.add(event(data("message_stop")));
        return events;
    }

    private void text(int index, String text, List<String> events) {
        ObjectNode start = data("content_block_start").put("index", index);
        start.putObject("content_block").put("type", "text").put("text", "");
        events.add(event(start));
        for (String piece : MockModelServer.pieces(text, pieceChars)) {
            ObjectNode delta = data("content_block_delta").put("index", index);
            delta.putObject("delta").put("type", "text_delta").put("text", piece);
            events.add(event(delta));
        }
        events.add(event(data("content_block_stop").put("index", index)));
    }

    private void call(int index, Script.ScriptCall call, List<String> events) {
        ObjectNode start = data("content_block_start").put("index", index);
        ObjectNode block = start.putObject("content_block").put("type", "tool_use");
        block.put("id", "mock_" + index).put("name", call.tool()).putObject("input");
        events.add(event(start));
        for (String piece : MockModelServer.pieces(call.arguments(), pieceChars)) {
            ObjectNode delta = data("content_block_delta").put("index", index);
            delta.putObject("delta").put("type", "input_json_delta").put("partial_json", piece);
            events.add(event(delta));
        }
        events.add(event(data("content_block_stop").put("index", index)));
    }

    private ObjectNode data(String type) {
        return json.createObjectNode().put("type", type);
    }

    private static String event(ObjectNode data) {
        return "event: " + data.path("type").asText() + "\ndata: " + data + "\n\n";
    }
}
