package ai.hanzo.dev.host.surface.cli;

/** Terminal colours (ECMA-48), or none. What others wrote is stripped of control characters. */
final class Style {
    private final boolean colours;

    Style(boolean colours) {
        this.colours = colours;
    }

    String dim(String text) {
        return with("2", text);
    }

    String bold(String text) {
        return with("1", text);
    }

    String red(String text) {
        return with("31", text);
    }

    String green(String text) {
        return with("32", text);
    }

    private String with(String code, String text) {
        return colours && !text.isEmpty() ? "\033[" + code + "m" + text + "\033[0m" : text;
    }

    /**
     * Text of a model or a command, made safe for a terminal: without escape sequences, which could
     * hide or forge what a person reads before saying yes.
     */
    static String safe(String text) {
        var safe = new StringBuilder(text.length());
        text.codePoints()
                .forEach(c -> {
                    if (c == '\n' || c == '\t' || !isControl(c)) {
                        safe.appendCodePoint(c);
                    } else if (c != '\r') {
                        safe.append(String.format("\\x%02x", c));
                    }
                });
        return safe.toString();
    }

    /** C0, C1, what ends a line or paragraph, and the marks that turn the direction of writing. */
    private static boolean isControl(int c) {
        return Character.isISOControl(c)
                || c == 0x061C
                || c == 0x200E
                || c == 0x200F
                || c == 0x2028
                || c == 0x2029
                || (c >= 0x202A && c <= 0x202E)
                || (c >= 0x2066 && c <= 0x2069);
    }

    /** One line of at most so many characters. */
    static String line(String text, int max) {
        String one = safe(text).replace('\n', ' ').replace('\t', ' ').strip();
        return one.length() <= max ? one : one.substring(0, max - 1) + "…";
    }
}
