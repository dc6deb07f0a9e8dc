package ai.hanzo.dev.host.model;

import ai.hanzo.dev.protocol.Config;
import ai.hanzo.dev.protocol.id.ActionId;
import java.util.List;

/**
 * One question to a model. Immutable.
 *
 * @param id of the ask, copied into the answer
 * @param messages the whole conversation, the system message first
 * @param tools that the model may call; none for a summary
 * @param ordinal how many asks of this session have a lower action id: 0 for the first. Only the
 *     script model looks at it, so that a restarted host plays on where it was
 * @param parked how often this ask has come back as {@link ModelOutcome.Parked} before
 */
public record ModelRequest(
        ActionId id,
        List<ModelMessage> messages,
        List<Config.Tool> tools,
        int ordinal,
        int parked) {
    /** Throws {@link IllegalArgumentException} for a negative count or an empty conversation. */
    public ModelRequest {
        messages = List.copyOf(messages);
        tools = List.copyOf(tools);
        if (ordinal < 0 || parked < 0) {
            throw new IllegalArgumentException("ordinal " + ordinal + ", parked " + parked);
        }
        if (messages.isEmpty()) {
            throw new IllegalArgumentException("a model cannot be asked nothing");
        }
    }
}
