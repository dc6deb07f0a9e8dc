package ai.hanzo.dev.protocol;

import java.util.List;

/**
 * All that the core is told of its surroundings: the session's first journal entry. Immutable.
 *
 * @param prelude the standing instructions
 * @param instructions the workspace's AGENTS.md, word for word; may be empty
 * @param model empty for the host's choice
 */
public record Config(
        String prelude, String instructions, String model, List<Tool> tools, Limits limits) {
    /** The version of this format that is written. */
    public static final int FORMAT_VERSION = 1;

    public Config {
        tools = List.copyOf(tools);
    }

    /** A tool that the model may call; {@code schema} is the JSON Schema of its arguments. */
    public record Tool(ToolKind kind, String name, String description, String schema) {}

    /** The kinds of tools; each has its own record of arguments in {@link Op} or {@link Call}. */
    public enum ToolKind {
        READ,
        WRITE,
        PATCH,
        EXEC,
        GIT,
        BROWSE,
        ASK,
        AGENT,
        PLAN,
        LIST,
        SEARCH,
        STAT,
        SEND,
        INVALID
    }

    /**
     * Limits of a session; 0 in any of them is the core's default, named in {@code wasm/dev.zap}.
     */
    public record Limits(
            int queuedTurns,
            int stepsPerTurn,
            int depth,
            int agentSteps,
            int messageBytes,
            int contextTokens,
            long transcriptBytes,
            long turnTokens,
            int sameFailures,
            int callsPerReply) {
        /** The core's own defaults. */
        public static final Limits DEFAULTS = new Limits(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }
}
