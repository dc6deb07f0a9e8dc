package ai.hanzo.dev.workspace;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A .gitignore file, read as data: gitignore(5) of git 2.39. Names are handled as bytes, one
 * character each. Immutable.
 *
 * <p>The file is the work of whoever may write in the tree, so it is bounded in size, number and
 * cost, and it never takes away cover that an earlier checkpoint gave (see {@code Scan}).
 */
final class IgnoreFile {

    /** A longer file is not read: git's own limit is far above any that people write. */
    static final int MAX_BYTES = 512 * 1024;

    private static final int MAX_RULES = 10_000;

    static final IgnoreFile EMPTY = new IgnoreFile(List.of(), 0);

    /** What the file says of a path. */
    enum Answer {
        NOTHING,
        IGNORED,
        KEPT
    }

    /**
     * @param isAnchored whether the pattern is for the path from this file's directory, not for a
     *     name
     */
    private record Rule(String pattern, boolean isKept, boolean isDirectory, boolean isAnchored) {}

    private final List<Rule> rules;

    /** Tells the version of the file that was read. */
    final long token;

    private IgnoreFile(List<Rule> rules, long token) {
        this.rules = rules;
        this.token = token;
    }

    static IgnoreFile parse(byte[] data, int length, long token) {
        String text = new String(data, 0, length, StandardCharsets.ISO_8859_1);
        List<Rule> rules = new ArrayList<>();
        for (String raw : text.split("\n", -1)) {
            String line = raw.endsWith("\r") ? raw.substring(0, raw.length() - 1) : raw;
            line = withoutTrailingBlanks(line);
            if (line.isEmpty() || line.startsWith("#") || rules.size() >= MAX_RULES) {
                continue;
            }
            boolean kept = line.startsWith("!");
            String pattern = kept ? line.substring(1) : line;
            boolean directory = pattern.endsWith("/");
            if (directory) {
                pattern = pattern.substring(0, pattern.length() - 1);
            }
            boolean anchored = pattern.indexOf('/') >= 0;
            if (pattern.startsWith("/")) {
                pattern = pattern.substring(1);
            }
            if (!pattern.isEmpty()) {
                rules.add(new Rule(pattern, kept, directory, anchored));
            }
        }
        return rules.isEmpty() ? new IgnoreFile(List.of(), token) : new IgnoreFile(rules, token);
    }

    private static String withoutTrailingBlanks(String line) {
        int end = line.length();
        while (end > 0 && line.charAt(end - 1) == ' ') {
            if (end > 1 && line.charAt(end - 2) == '\\') {
                break;
            }
            end--;
        }
        return line.substring(0, end);
    }

    /**
     * @param path from this file's directory on
     * @param name its last part
     */
    Answer ask(String path, String name, boolean isDirectory) {
        for (int i = rules.size() - 1; i >= 0; i--) {
            Rule rule = rules.get(i);
            if (rule.isDirectory() && !isDirectory) {
                continue;
            }
            boolean matches =
                    rule.isAnchored()
                            ? Wildmatch.matches(rule.pattern(), path)
                            : Wildmatch.matches(rule.pattern(), name);
            if (matches) {
                return rule.isKept() ? Answer.KEPT : Answer.IGNORED;
            }
        }
        return Answer.NOTHING;
    }

    boolean isEmpty() {
        return rules.isEmpty();
    }
}
