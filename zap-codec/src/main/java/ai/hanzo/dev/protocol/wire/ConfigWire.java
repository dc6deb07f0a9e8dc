package ai.hanzo.dev.protocol.wire;

import static ai.hanzo.dev.protocol.wire.Checks.int31;
import static ai.hanzo.dev.protocol.wire.Checks.list;
import static ai.hanzo.dev.protocol.wire.Checks.long63;
import static ai.hanzo.dev.protocol.wire.Checks.same;
import static ai.hanzo.dev.protocol.wire.Checks.unsigned;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Config;
import ai.hanzo.dev.zap.CodecException;
import ai.hanzo.dev.zap.dev.ConfigBuilder;
import ai.hanzo.dev.zap.dev.ConfigView;
import ai.hanzo.dev.zap.dev.LimitsBuilder;
import ai.hanzo.dev.zap.dev.LimitsView;
import ai.hanzo.dev.zap.dev.ToolBuilder;
import ai.hanzo.dev.zap.dev.ToolKind;
import ai.hanzo.dev.zap.dev.ToolView;

/** The Config as a ZAP message: the first entry of a session and the input of {@code dev_new}. */
public final class ConfigWire {
    private ConfigWire() {}

    /**
     * The message of {@code config}.
     *
     * @throws IllegalArgumentException if a limit is negative
     */
    public static Bytes encode(Config config) {
        return Bytes.wrap(builder(config).toMessage());
    }

    /**
     * The Config in {@code message}.
     *
     * @throws CodecException if it is not one, or is of a newer format
     */
    public static Config decode(Bytes message) {
        return config(ConfigView.open(message.toArray()));
    }

    static ConfigBuilder builder(Config config) {
        return new ConfigBuilder()
                .formatVersion(Config.FORMAT_VERSION)
                .prelude(config.prelude())
                .instructions(config.instructions())
                .model(config.model())
                .tools(config.tools().stream().map(ConfigWire::tool).toList())
                .limits(limits(config.limits()));
    }

    private static ToolBuilder tool(Config.Tool tool) {
        return new ToolBuilder()
                .kind(same(ToolKind.class, tool.kind()))
                .name(tool.name())
                .description(tool.description())
                .schema(tool.schema());
    }

    private static LimitsBuilder limits(Config.Limits limits) {
        return new LimitsBuilder()
                .queuedTurns(unsigned(limits.queuedTurns(), "queuedTurns"))
                .stepsPerTurn(unsigned(limits.stepsPerTurn(), "stepsPerTurn"))
                .depth(unsigned(limits.depth(), "depth"))
                .agentSteps(unsigned(limits.agentSteps(), "agentSteps"))
                .messageBytes(unsigned(limits.messageBytes(), "messageBytes"))
                .contextTokens(unsigned(limits.contextTokens(), "contextTokens"))
                .transcriptBytes(unsigned(limits.transcriptBytes(), "transcriptBytes"))
                .turnTokens(unsigned(limits.turnTokens(), "turnTokens"))
                .sameFailures(unsigned(limits.sameFailures(), "sameFailures"))
                .callsPerReply(unsigned(limits.callsPerReply(), "callsPerReply"));
    }

    static Config config(ConfigView view) {
        if (view.formatVersion() != Config.FORMAT_VERSION) {
            throw CodecException.badValue(
                    "a Config of format %d; this program reads format %d"
                            .formatted(view.formatVersion(), Config.FORMAT_VERSION));
        }
        return new Config(
                view.prelude(),
                view.instructions(),
                view.model(),
                list(view.toolsCount(), i -> tool(view.tools(i))),
                limits(view.limits()));
    }

    private static Config.Tool tool(ToolView view) {
        return new Config.Tool(
                same(Config.ToolKind.class, view.kind()),
                view.name(),
                view.description(),
                view.schema());
    }

    /** Absent limits are all zero: the defaults. */
    private static Config.Limits limits(LimitsView view) {
        return new Config.Limits(
                int31(view.queuedTurns(), "queuedTurns"),
                int31(view.stepsPerTurn(), "stepsPerTurn"),
                int31(view.depth(), "depth"),
                int31(view.agentSteps(), "agentSteps"),
                int31(view.messageBytes(), "messageBytes"),
                int31(view.contextTokens(), "contextTokens"),
                long63(view.transcriptBytes(), "transcriptBytes"),
                long63(view.turnTokens(), "turnTokens"),
                int31(view.sameFailures(), "sameFailures"),
                int31(view.callsPerReply(), "callsPerReply"));
    }
}
