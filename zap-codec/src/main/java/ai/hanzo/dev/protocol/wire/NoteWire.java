package ai.hanzo.dev.protocol.wire;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Note;
import ai.hanzo.dev.zap.dev.EnvVarBuilder;
import ai.hanzo.dev.zap.dev.NoteBuilder;
import ai.hanzo.dev.zap.dev.NoteView;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Notes as ZAP messages. */
public final class NoteWire {
    private NoteWire() {}

    /** The message of {@code note}. */
    public static Bytes encode(Note note) {
        List<EnvVarBuilder> facts =
                note.facts().entrySet().stream()
                        .map(fact -> new EnvVarBuilder().name(fact.getKey()).value(fact.getValue()))
                        .toList();
        return Bytes.wrap(
                new NoteBuilder().topic(note.topic()).text(note.text()).facts(facts).toMessage());
    }

    /**
     * The note in {@code message}.
     *
     * @throws ai.hanzo.dev.zap.CodecException if it is not one
     */
    public static Note decode(Bytes message) {
        NoteView view = NoteView.open(message.toArray());
        Map<String, String> facts = new LinkedHashMap<>();
        for (int i = 0; i < view.factsCount(); i++) {
            var fact = view.facts(i);
            facts.put(fact.name(), fact.value());
        }
        return new Note(view.topic(), view.text(), facts);
    }
}
