package ai.hanzo.dev.protocol.wire;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.id.Seq;

/** Events as ZAP messages: the payload of an input entry and the input of {@code dev_step}. */
@SuppressWarnings("DoNotCallSuggester") // filled in next
public final class EventWire {
    private EventWire() {}

    /** The message of {@code event} before it has an entry: its entry is 0. */
    public static Bytes encode(Event event) {
        return encode(event, new Seq(0));
    }

    /** The message of {@code event} as the journal entry {@code entry} brings it to the core. */
    public static Bytes encode(Event event, Seq entry) {
        throw new UnsupportedOperationException("not yet: " + event + entry);
    }

    /**
     * A copy of an encoded event with another entry. Only the header and the size are looked at.
     *
     * @throws ai.hanzo.dev.zap.CodecException if {@code message} cannot be an event
     */
    public static Bytes withEntry(Bytes message, Seq entry) {
        throw new UnsupportedOperationException("not yet: " + message + entry);
    }

    /**
     * The event in {@code message}; its entry is not looked at.
     *
     * @throws ai.hanzo.dev.zap.CodecException if it is not one
     */
    public static Event decode(Bytes message) {
        throw new UnsupportedOperationException("not yet: " + message);
    }

    /**
     * The entry of the event in {@code message}.
     *
     * @throws ai.hanzo.dev.zap.CodecException if it is not an event
     */
    public static Seq entryOf(Bytes message) {
        throw new UnsupportedOperationException("not yet: " + message);
    }
}
