package ai.hanzo.dev.host.surface.cli;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** Options that every command takes, before or after its name. Filled by picocli. */
final class Options {
    @Option(
            names = "-C",
            paramLabel = "DIR",
            scope = ScopeType.INHERIT,
            description = "Work in this directory instead of the current one.")
    @Nullable String directory;

    @Option(
            names = "--host",
            paramLabel = "URL",
            scope = ScopeType.INHERIT,
            description = "Talk to this host; its token is in HANZO_TOKEN.")
    @Nullable String host;

    @Option(
            names = "--profile",
            paramLabel = "P",
            scope = ScopeType.INHERIT,
            description = "The profile to work under.")
    @Nullable String profile;

    @Option(
            names = "--model",
            paramLabel = "M",
            scope = ScopeType.INHERIT,
            description = "openai:NAME, anthropic:NAME, ollama:NAME or script:FILE.")
    @Nullable String model;

    @Option(
            names = "--policy",
            paramLabel = "NAME|FILE",
            scope = ScopeType.INHERIT,
            description = "read-only, workspace (the default), full, or a file of rules.")
    @Nullable String policy;

    @Option(
            names = "--json",
            scope = ScopeType.INHERIT,
            description = "JSON on standard output: docs/events.md.")
    boolean json;

    @Option(
            names = {"--continue", "-c"},
            scope = ScopeType.INHERIT,
            description = "Go on with the last session of this directory.")
    boolean goOn;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this text.")
    boolean help;

    Optional<String> host() {
        return Optional.ofNullable(host);
    }

    Optional<String> model() {
        return Optional.ofNullable(model);
    }

    Optional<String> policy() {
        return Optional.ofNullable(policy);
    }

    Optional<String> profile() {
        return Optional.ofNullable(profile);
    }

    Optional<String> directory() {
        return Optional.ofNullable(directory);
    }
}
