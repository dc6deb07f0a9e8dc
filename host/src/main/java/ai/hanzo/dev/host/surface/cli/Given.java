package ai.hanzo.dev.host.surface.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** What picocli has filled in by the time that a command runs. */
final class Given {
    private Given() {}

    static Cli parent(@Nullable Cli cli) {
        if (cli == null) {
            throw new IllegalStateException("a command ran without its parent");
        }
        return cli;
    }

    static String value(@Nullable String value) {
        if (value == null) {
            throw new IllegalStateException("a command ran without what it requires");
        }
        return value;
    }

    /** A command that only has others below it was given none of {@code them}. */
    static RuntimeException incomplete(@Nullable CommandSpec spec, String them) {
        if (spec == null) {
            return new IllegalStateException("a command ran without its description");
        }
        return new ParameterException(spec.commandLine(), "Say which: " + them + ".");
    }
}
