package ai.hanzo.dev.host.model;

import ai.hanzo.dev.protocol.Event.Usage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A script that plays a model: what it answers, in order. Immutable. Past the end it answers an
 * empty text.
 */
public record Script(List<Entry> entries) {
    /** What is played past the end. */
    private static final Entry PAST_THE_END =
            new Entry("", List.of(), Duration.ZERO, Optional.empty(), Optional.empty());

    public Script {
        entries = List.copyOf(entries);
    }

    /**
     * One reply, or one try that fails.
     *
     * @param delay before it begins
     * @param usage if left out, a quarter of a token for each character
     * @param error if present: comes after {@code text}, instead of calls
     */
    public record Entry(
            String text,
            List<ScriptCall> calls,
            Duration delay,
            Optional<Usage> usage,
            Optional<ScriptError> error) {
        public Entry {
            calls = List.copyOf(calls);
        }
    }

    /** A call; {@code arguments} is the JSON of {@code args}, or the text of {@code raw}. */
    public record ScriptCall(String tool, String arguments) {}

    /**
     * A failure.
     *
     * @param status of HTTP, 400 to 599; 0 breaks the connection
     * @param code the provider's own word for it; may be empty
     * @param message what the provider says; may be empty
     */
    public record ScriptError(
            int status, Optional<Duration> retryAfter, String code, String message) {}

    /**
     * Reads a script.
     *
     * @throws ModelException {@code BAD_SCRIPT} with one sentence that names line, column and key
     */
    public static Script parse(String json) {
        return ScriptReader.read(json);
    }

    /** The entry at {@code index}, from 0. */
    Entry at(int index) {
        return index < entries.size() ? entries.get(index) : PAST_THE_END;
    }
}
