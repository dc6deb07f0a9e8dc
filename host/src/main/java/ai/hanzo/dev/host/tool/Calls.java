package ai.hanzo.dev.host.tool;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Call;
import ai.hanzo.dev.protocol.Config;
import ai.hanzo.dev.protocol.Content;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reads the calls that a model wrote: checks the arguments against the tool's JSON Schema and types
 * them. What cannot be read becomes a {@link Call.Invalid} whose message tells the model which
 * field is wrong and what is expected. Safe for all threads if the store is.
 */
public final class Calls {
    /** Strict: a repeated key, or anything after the value, is an error. */
    private static final ObjectMapper JSON =
            JsonMapper.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    private final Function<Bytes, Content> store;

    /**
     * @param store puts away bytes that are longer than {@link Content#MAX_INLINE_BYTES}; called on
     *     the reading thread, may throw, which fails the ask
     */
    public Calls(Function<Bytes, Content> store) {
        this.store = store;
    }

    /**
     * One call.
     *
     * @param callId the provider's id; may be empty
     * @param arguments JSON as the model wrote it; blank counts as {@code {}}
     * @param allowed the tools that the model was given
     */
    public Call read(String callId, String tool, String arguments, List<Config.Tool> allowed) {
        int sizeBytes = arguments.getBytes(StandardCharsets.UTF_8).length;
        return new Call(callId, tool, sizeBytes, request(tool, arguments, allowed));
    }

    /** The arguments of a call as a JSON object, to be shown again to the model. Deterministic. */
    public static String arguments(Call call) {
        return ArgumentsWriter.json(call.request());
    }

    private Call.Request request(String name, String arguments, List<Config.Tool> allowed) {
        Optional<Config.Tool> tool =
                allowed.stream().filter(each -> each.name().equals(name)).findFirst();
        if (tool.isEmpty()) {
            String names =
                    allowed.stream().map(Config.Tool::name).collect(Collectors.joining(", "));
            return new Call.Invalid(
                    "There is no tool '" + name + "' here; the tools are: " + names + ".");
        }
        JsonNode value;
        try {
            value = JSON.readTree(arguments.isBlank() ? "{}" : arguments);
        } catch (JsonProcessingException e) {
            return new Call.Invalid(
                    "The arguments of "
                            + name
                            + " are not JSON: "
                            + place(e)
                            + ". Write one JSON object.");
        }
        Optional<String> fault = Schema.fault(schema(tool.get()), value);
        if (fault.isPresent()) {
            return invalid(name, fault.get());
        }
        Arguments read = new Arguments(value, this::content);
        try {
            return ArgumentsReader.read(tool.get().kind(), read, allowed);
        } catch (Arguments.Unfit e) {
            return invalid(name, e.getMessage());
        }
    }

    private static Call.Request invalid(String tool, String fault) {
        return new Call.Invalid("The arguments of " + tool + " cannot be used: " + fault + ".");
    }

    private Content content(Bytes bytes) {
        return bytes.length() > Content.MAX_INLINE_BYTES ? store.apply(bytes) : Content.of(bytes);
    }

    private static JsonNode schema(Config.Tool tool) {
        try {
            return JSON.readTree(tool.schema());
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("the schema of " + tool.name() + " is not JSON", e);
        }
    }

    private static String place(JsonProcessingException e) {
        String what = e.getOriginalMessage().lines().findFirst().orElse("");
        return e.getLocation() == null
                ? what
                : what
                        + " (line "
                        + e.getLocation().getLineNr()
                        + ", column "
                        + e.getLocation().getColumnNr()
                        + ")";
    }
}
