package ai.hanzo.dev.host.surface.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Name and address that the person commits under: from the environment, else from the person's own
 * git configuration ({@code ~/.gitconfig}, {@code $XDG_CONFIG_HOME/git/config}), which is read and
 * not run; the workspace's configuration is never looked at.
 */
record GitIdentity(Optional<String> name, Optional<String> email) {
    private static final int MAX_BYTES = 1 << 20;

    static GitIdentity of(Map<String, String> environment) {
        Optional<String> name = value(environment, "GIT_AUTHOR_NAME");
        Optional<String> email = value(environment, "GIT_AUTHOR_EMAIL");
        Path home = Path.of(environment.getOrDefault("HOME", "/"));
        Path config =
                value(environment, "XDG_CONFIG_HOME").map(Path::of).orElse(home.resolve(".config"));
        for (Path file : List.of(home.resolve(".gitconfig"), config.resolve("git/config"))) {
            String text = read(file);
            name = name.or(() -> user(text, "name"));
            email = email.or(() -> user(text, "email"));
        }
        return new GitIdentity(name, email);
    }

    private static Optional<String> value(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
    }

    private static String read(Path file) {
        try {
            return Files.isRegularFile(file) && Files.size(file) <= MAX_BYTES
                    ? Files.readString(file, StandardCharsets.UTF_8)
                    : "";
        } catch (IOException e) {
            return "";
        }
    }

    /** The last value of a key in section {@code [user]}. */
    private static Optional<String> user(String text, String key) {
        Optional<String> found = Optional.empty();
        boolean inUser = false;
        for (String raw : text.lines().toList()) {
            String line = raw.strip();
            if (line.startsWith("[")) {
                inUser = line.toLowerCase(Locale.ROOT).matches("\\[\\s*user\\s*].*");
                continue;
            }
            int equals = line.indexOf('=');
            if (inUser && equals > 0 && line.substring(0, equals).strip().equalsIgnoreCase(key)) {
                found = Optional.of(unquoted(line.substring(equals + 1).strip()));
            }
        }
        return found.filter(value -> !value.isEmpty());
    }

    private static String unquoted(String value) {
        if (value.startsWith("\"")) {
            int end = value.indexOf('"', 1);
            return end > 0 ? value.substring(1, end) : value.substring(1);
        }
        return value.replaceFirst("\\s[#;].*$", "").strip();
    }
}
