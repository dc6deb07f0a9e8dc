package ai.hanzo.dev.protocol.wire;

import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.Bytes;
import java.util.List;

/**
 * Actions as ZAP messages: one action is the payload of an output entry, a batch of them the output
 * of {@code dev_step}.
 */
@SuppressWarnings("DoNotCallSuggester") // filled in next
public final class ActionWire {
    private ActionWire() {}

    /** The message of one action. */
    public static Bytes encode(Action action) {
        throw new UnsupportedOperationException("not yet: " + action);
    }

    /**
     * The action in {@code message}.
     *
     * @throws ai.hanzo.dev.zap.CodecException if it is not one
     */
    public static Action decode(Bytes message) {
        throw new UnsupportedOperationException("not yet: " + message);
    }

    /** The message of a batch. */
    public static Bytes encodeBatch(List<Action> actions) {
        throw new UnsupportedOperationException("not yet: " + actions);
    }

    /**
     * The actions in {@code message}, in order.
     *
     * @throws ai.hanzo.dev.zap.CodecException if it is not a batch
     */
    public static List<Action> decodeBatch(Bytes message) {
        throw new UnsupportedOperationException("not yet: " + message);
    }
}
