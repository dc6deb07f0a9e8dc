package ai.hanzo.dev.host.model;

import ai.hanzo.dev.protocol.Config;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Our messages and tools in LangChain4j's words. Pure. Providers refuse empty texts: an assistant
 * message that says and calls nothing is left out, any other empty text becomes {@code (empty)}.
 */
final class ChatMessages {
    private ChatMessages() {}

    static List<ChatMessage> of(List<ModelMessage> messages) {
        List<ChatMessage> out = new ArrayList<>(messages.size());
        for (ModelMessage message : messages) {
            switch (message) {
                case ModelMessage.Standing standing ->
                        out.add(SystemMessage.from(some(standing.text())));
                case ModelMessage.User user -> out.add(UserMessage.from(some(user.text())));
                case ModelMessage.Assistant assistant -> assistant(assistant, out);
                case ModelMessage.ToolResult result ->
                        out.add(
                                ToolExecutionResultMessage.from(
                                        result.id(), result.tool(), some(result.text())));
            }
        }
        return out;
    }

    static List<ToolSpecification> tools(ObjectMapper json, List<Config.Tool> tools) {
        return tools.stream()
                .map(tool ->
                        ToolSpecification.builder()
                                .name(tool.name())
                                .description(tool.description())
                                .parameters(parameters(json, tool))
                                .build())
                .toList();
    }

    private static void assistant(ModelMessage.Assistant assistant, List<ChatMessage> out) {
        String text = assistant.text().filter(said -> !said.isBlank()).orElse("");
        if (text.isEmpty() && assistant.calls().isEmpty()) {
            return;
        }
        AiMessage.Builder message = AiMessage.builder();
        if (!text.isEmpty()) {
            message.text(text);
        }
        message.toolExecutionRequests(
                assistant.calls().stream()
                        .map(call ->
                                ToolExecutionRequest.builder()
                                        .id(call.id())
                                        .name(call.tool())
                                        .arguments(call.arguments())
                                        .build())
                        .toList());
        out.add(message.build());
    }

    private static String some(String text) {
        return text.isBlank() ? "(empty)" : text;
    }

    /** Properties go through as they are; LangChain4j would drop half of their keywords. */
    private static JsonObjectSchema parameters(ObjectMapper json, Config.Tool tool) {
        JsonNode schema;
        try {
            schema = json.readTree(tool.schema());
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("the schema of " + tool.name() + " is not JSON", e);
        }
        JsonObjectSchema.Builder out = JsonObjectSchema.builder();
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            out.addProperty(property.getKey(), JsonRawSchema.from(property.getValue().toString()));
        }
        List<String> required = new ArrayList<>();
        schema.path("required").forEach(name -> required.add(name.asText()));
        return out.required(required).additionalProperties(false).build();
    }
}
