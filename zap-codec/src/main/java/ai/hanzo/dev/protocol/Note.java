package ai.hanzo.dev.protocol;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A fact of the host: the payload of a {@code note} entry.
 *
 * @param topic what it is about, such as {@code checkpoint}
 * @param text a sentence for people
 * @param facts for programs, by name, in order
 */
public record Note(String topic, String text, Map<String, String> facts) {
    public Note {
        facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
    }

    /** The fact of that name. */
    public Optional<String> fact(String name) {
        return Optional.ofNullable(facts.get(name));
    }
}
