package ai.hanzo.dev.host.tool.git;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The environment that git gets in a cell, over the cell's own: no configuration from outside the
 * repository, no hooks, no monitor, no editor, no prompt, no repository above the workspace. It
 * holds for git started by {@code exec}, too, so it belongs into the lease's environment. Pure.
 *
 * <p>Configuration given so overrides the repository's; git(1), GIT_CONFIG_COUNT, git 2.31.
 */
public final class GitEnvironment {

    private GitEnvironment() {}

    /** Who commits. */
    public record Author(String name, String email) {

        /** When the user's configuration names nobody. */
        public static final Author DEFAULT = new Author("hanzo dev", "dev@localhost");

        public Author {
            requireNonNull(name, "name");
            requireNonNull(email, "email");
        }
    }

    /**
     * The variables.
     *
     * @param workspace its real path, as the cell sees it
     */
    public static SortedMap<String, String> of(Author author, Path workspace) {
        SortedMap<String, String> env = new TreeMap<>();
        env.put("GIT_CONFIG_NOSYSTEM", "1");
        env.put("GIT_CONFIG_GLOBAL", "/dev/null");
        env.put("GIT_TERMINAL_PROMPT", "0");
        env.put("GIT_ASKPASS", "true");
        env.put("SSH_ASKPASS", "true");
        env.put("GIT_SSH_COMMAND", "ssh -oBatchMode=yes");
        env.put("GIT_PAGER", "cat");
        env.put("GIT_EDITOR", "true");
        env.put("GIT_SEQUENCE_EDITOR", "true");
        env.put("GIT_MERGE_AUTOEDIT", "no");
        Path above = workspace.getParent();
        if (above != null) {
            env.put("GIT_CEILING_DIRECTORIES", above.toString());
        }
        List<Map.Entry<String, String>> all = new ArrayList<>(configuration(author).entrySet());
        env.put("GIT_CONFIG_COUNT", String.valueOf(all.size()));
        for (int i = 0; i < all.size(); i++) {
            env.put("GIT_CONFIG_KEY_" + i, all.get(i).getKey());
            env.put("GIT_CONFIG_VALUE_" + i, all.get(i).getValue());
        }
        return env;
    }

    private static Map<String, String> configuration(Author author) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("user.name", author.name());
        values.put("user.email", author.email());
        // The tree may belong to another user than the cell's, who is alone in it.
        values.put("safe.directory", "*");
        // A directory that looks like a bare repository brings no configuration with it.
        values.put("safe.bareRepository", "explicit");
        values.put("core.hooksPath", "/dev/null");
        values.put("core.fsmonitor", "false");
        values.put("protocol.ext.allow", "never");
        values.put("gc.autoDetach", "false");
        values.put("maintenance.auto", "false");
        values.put("commit.gpgSign", "false");
        values.put("tag.gpgSign", "false");
        return values;
    }
}
