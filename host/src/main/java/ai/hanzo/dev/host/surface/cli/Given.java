package ai.hanzo.dev.host.surface.cli;

import org.jspecify.annotations.Nullable;

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
}
