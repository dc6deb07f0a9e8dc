package ai.hanzo.dev.protocol.wire;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Config;

/** The Config as a ZAP message: the first entry of a session and the input of {@code dev_new}. */
@SuppressWarnings("DoNotCallSuggester") // filled in next
public final class ConfigWire {
    private ConfigWire() {}

    /** The message of {@code config}. */
    public static Bytes encode(Config config) {
        throw new UnsupportedOperationException("not yet: " + config);
    }

    /**
     * The Config in {@code message}.
     *
     * @throws ai.hanzo.dev.zap.CodecException if it is not one, or is of a newer format
     */
    public static Config decode(Bytes message) {
        throw new UnsupportedOperationException("not yet: " + message);
    }
}
