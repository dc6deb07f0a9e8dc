package ai.hanzo.dev.protocol;

import java.util.List;

/**
 * A tool call of the model, its arguments already read by the host. Immutable.
 *
 * @param callId the provider's own id
 * @param tool the name as the model wrote it
 * @param sizeBytes of the arguments as the model wrote them
 */
public record Call(String callId, String tool, int sizeBytes, Request request) {

    /** What is called for. */
    public sealed interface Request {}

    /**
     * One of the operations: Read, Write, Patch, Exec, Git, Browse, Ask, ListFiles, Search, Stat,
     * Send.
     */
    public record Operation(Op op) implements Request {}

    /** A nested agent; no {@code tools} means all that its parent has. */
    public record Agent(String task, List<String> tools) implements Request {
        public Agent {
            tools = List.copyOf(tools);
        }
    }

    /** The list of steps that the model means to take. */
    public record Plan(List<Op.PlanItem> items) implements Request {
        public Plan {
            items = List.copyOf(items);
        }
    }

    /** A call that could not be read; the message is for the model. */
    public record Invalid(String message) implements Request {}
}
