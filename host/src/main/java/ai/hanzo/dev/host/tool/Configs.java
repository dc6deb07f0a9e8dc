package ai.hanzo.dev.host.tool;

import ai.hanzo.dev.protocol.Config;
import ai.hanzo.dev.protocol.Config.Limits;
import java.util.List;

/** Puts together what a core is told at the start of a session. Pure, safe for all threads. */
public final class Configs {
    private final Tools tools;

    /** Configs with the tools and the prelude of {@code tools}. */
    public Configs(Tools tools) {
        this.tools = tools;
    }

    /**
     * A Config for coding work with every tool.
     *
     * @param instructions the workspace's AGENTS.md, word for word; empty if there is none
     * @param model empty for the host's choice
     */
    public Config coding(String instructions, String model, Limits limits) {
        return new Config(tools.prelude(), instructions, model, tools.all(), limits);
    }

    /** The same, with only the tools of these names; a name that is unknown is refused. */
    public Config coding(String instructions, String model, Limits limits, List<String> names) {
        List<Config.Tool> chosen =
                names.stream()
                        .map(name ->
                                tools.named(name)
                                        .orElseThrow(() ->
                                                new IllegalArgumentException(
                                                        "no tool is called " + name)))
                        .toList();
        return new Config(tools.prelude(), instructions, model, chosen, limits);
    }
}
