package ai.hanzo.dev.policy.shell;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;

/** Command names, and variables that change what a name means. */
public final class Names {

    private static final Set<String> STANDARD =
            Set.of("/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin");

    private static final Set<String> LOOKUP =
            Set.of(
                    "PATH",
                    "IFS",
                    "ENV",
                    "BASH_ENV",
                    "BASHOPTS",
                    "SHELLOPTS",
                    "PS4",
                    "PROMPT_COMMAND",
                    "GIT_EXEC_PATH",
                    "GIT_SSH",
                    "GIT_SSH_COMMAND",
                    "GIT_EXTERNAL_DIFF",
                    "GIT_CONFIG_COUNT",
                    "GIT_CONFIG_PARAMETERS");

    private Names() {}

    /** Whether setting this variable makes a command's name mean another program. */
    public static boolean changesLookup(String variable) {
        return LOOKUP.contains(variable)
                || variable.startsWith("LD_")
                || variable.startsWith("BASH_FUNC_")
                || variable.startsWith("BASH_ALIASES")
                || variable.startsWith("GIT_CONFIG_");
    }

    /** Whether the word names a file by its path, outside the directories of the system. */
    public static boolean isOwnPath(String word) {
        if (!word.contains("/")) {
            return false;
        }
        String clean = clean(word);
        int slash = clean.lastIndexOf('/');
        return slash < 0 || !STANDARD.contains(clean.substring(0, slash));
    }

    /** {@code /usr/bin/../bin/sudo} is {@code sudo}; other paths keep their last part too. */
    public static String base(String word) {
        String clean = word.contains("/") ? clean(word) : word;
        return clean.substring(clean.lastIndexOf('/') + 1);
    }

    private static String clean(String path) {
        Deque<String> parts = new ArrayDeque<>();
        for (String part : path.split("/", -1)) {
            if (part.equals("..") && !parts.isEmpty() && !parts.peekLast().equals("..")) {
                parts.removeLast();
            } else if (!part.isEmpty() && !part.equals(".")) {
                parts.addLast(part);
            }
        }
        return (path.startsWith("/") ? "/" : "") + String.join("/", parts);
    }
}
