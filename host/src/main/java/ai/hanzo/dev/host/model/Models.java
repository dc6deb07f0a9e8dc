package ai.hanzo.dev.host.model;

import java.util.Optional;

/** Turns the name of a model into a provider. Safe for all threads. */
public interface Models {

    /**
     * The provider for {@code spec}: {@code script:NAME} with the script's content, {@code
     * openai:NAME}, {@code anthropic:NAME}, {@code ollama:NAME}; empty for the default: the first
     * of Anthropic, OpenAI and a local Ollama that is at hand.
     *
     * @param script the content of the script file that the CLI has read
     * @param settings the provider variables of the session
     */
    Selection select(String spec, Optional<String> script, ProviderSettings settings);

    /** What came of a name. */
    sealed interface Selection {
        /**
         * Can be asked.
         *
         * @param model the whole name, such as {@code openai:gpt-5}, also where the spec was empty
         */
        record Ready(String model, ModelProvider provider) implements Selection {}

        /**
         * The provider is known but its key is not: the session waits as {@code waiting_input},
         * code {@code key_missing}.
         *
         * @param variable that is to be set
         * @param message one sentence for a person, with what to set
         */
        record KeyMissing(String variable, String message) implements Selection {}

        /**
         * There is no such model, or nothing to choose by default; the request is refused.
         *
         * @param code {@code unknown_model}, {@code no_model} or {@code bad_script}
         * @param message one sentence for a person, with the next step
         */
        record Refused(String code, String message) implements Selection {}
    }
}
