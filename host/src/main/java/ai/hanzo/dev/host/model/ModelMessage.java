package ai.hanzo.dev.host.model;

import java.util.List;
import java.util.Optional;

/**
 * One message of a conversation as a model sees it: text only, every reference resolved. Immutable.
 */
public sealed interface ModelMessage {

    /** Standing instructions. */
    record Standing(String text) implements ModelMessage {}

    /** What a person, a parent agent or the runtime says. */
    record User(String text) implements ModelMessage {}

    /** What the model said before, with its calls in call order. */
    record Assistant(Optional<String> text, List<Called> calls) implements ModelMessage {
        public Assistant {
            calls = List.copyOf(calls);
        }
    }

    /** The result of one call; {@code id} is that of the {@link Called}. */
    record ToolResult(String id, String tool, String text) implements ModelMessage {}

    /**
     * A call as it is shown again to the model.
     *
     * @param id ours, unique in the session; never the provider's, for some providers repeat theirs
     * @param arguments a JSON object
     */
    record Called(String id, String tool, String arguments) {}
}
