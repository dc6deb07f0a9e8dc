package ai.hanzo.dev.host.model;

import ai.hanzo.dev.host.model.SseReader.SseEvent;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Optional;

/**
 * The stream of Anthropic's messages. Put right here: errors in the stream keep their type, and a
 * stream without {@code message_stop} is no reply.
 */
final class AnthropicDialect implements Dialect {
    private final ObjectMapper json;
    private final Faults faults;
    private Optional<Fault> fault = Optional.empty();
    private String stopReason = "";
    private boolean complete;

    AnthropicDialect(ObjectMapper json, Faults faults) {
        this.json = json;
        this.faults = faults;
    }

    @Override
    public List<SseEvent> normalised(SseEvent event) {
        JsonNode data;
        try {
            data = json.readTree(event.data());
        } catch (JsonProcessingException e) {
            fault = Optional.of(faults.garbled("a piece of it is not JSON"));
            return List.of();
        }
        switch (data.path("type").asText(event.name())) {
            case "error" -> {
                fault = Optional.of(faults.inStream(data));
                return List.of();
            }
            case "ping" -> {
                return List.of();
            }
            case "message_delta" ->
                    stopReason = data.path("delta").path("stop_reason").asText(stopReason);
            case "message_stop" -> complete = true;
            default -> {}
        }
        return List.of(event);
    }

    @Override
    public Optional<Fault> fault() {
        if (fault.isPresent()) {
            return fault;
        }
        return switch (stopReason) {
            case "refusal" -> Optional.of(faults.filtered(""));
            case "model_context_window_exceeded" -> Optional.of(faults.overflow());
            default -> Optional.empty();
        };
    }

    @Override
    public boolean isComplete() {
        return complete;
    }

    @Override
    public Endpoint.Ending ending() {
        return stopReason.equals("max_tokens") ? Endpoint.Ending.CUT : Endpoint.Ending.WHOLE;
    }
}
