package ai.hanzo.dev.host.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The environment variables of one session that have to do with providers. Held in memory only,
 * never stored, never printed. Immutable.
 */
public final class ProviderSettings {
    /** The variables that matter; all others are dropped. */
    public static final List<String> VARIABLES =
            List.of(
                    "OPENAI_BASE_URL",
                    "OPENAI_API_KEY",
                    "ANTHROPIC_BASE_URL",
                    "ANTHROPIC_API_KEY",
                    "OLLAMA_HOST");

    private final Map<String, String> values;

    private ProviderSettings(Map<String, String> values) {
        this.values = values;
    }

    /** Takes what matters out of an environment; a blank value counts as unset. */
    public static ProviderSettings of(Map<String, String> environment) {
        Map<String, String> values = new TreeMap<>();
        for (String variable : VARIABLES) {
            String value = environment.getOrDefault(variable, "").strip();
            if (!value.isEmpty()) {
                values.put(variable, value);
            }
        }
        return new ProviderSettings(values);
    }

    /** The value of a variable, if it is set. */
    public Optional<String> value(String variable) {
        return Optional.ofNullable(values.get(variable));
    }

    /** Those that nobody may read. */
    public List<String> secrets() {
        return values.entrySet().stream()
                .filter(variable -> variable.getKey().endsWith("_KEY"))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** These settings, and where they are silent those of {@code others}. */
    public ProviderSettings orElse(ProviderSettings others) {
        Map<String, String> merged = new TreeMap<>(others.values);
        merged.putAll(values);
        return new ProviderSettings(merged);
    }

    /** The names of what is set: the values may be secret. */
    @Override
    public String toString() {
        return "ProviderSettings" + values.keySet();
    }
}
