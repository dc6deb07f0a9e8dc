package ai.hanzo.dev.host.tool.git;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A git command line, judged by its arguments alone. What is not known to be harmless is taken for
 * the worst that it can be: an unknown subcommand may be an alias or a program, an unknown
 * configuration key may name one.
 *
 * <p>Immutable and pure. Sources: git(1) and gitcli(7) of git 2.39 to 2.51, and E24 and E25 of what
 * the reference daemon gets wrong.
 */
public final class GitCommand {

    /** Switches before the subcommand that change nothing that matters here. */
    private static final Set<String> INERT =
            Set.of(
                    "-P",
                    "--no-pager",
                    "-p",
                    "--paginate",
                    "--no-replace-objects",
                    "--no-lazy-fetch",
                    "--no-optional-locks",
                    "--no-advice",
                    "--literal-pathspecs",
                    "--glob-pathspecs",
                    "--noglob-pathspecs",
                    "--icase-pathspecs");

    /**
     * Keys that git(1)'s {@code -c} may set: none of them names a program, a file or an address.
     */
    private static final Set<String> HARMLESS_KEYS =
            Set.of(
                    "user.name",
                    "user.email",
                    "author.name",
                    "author.email",
                    "committer.name",
                    "committer.email",
                    "init.defaultbranch",
                    "core.abbrev",
                    "core.autocrlf",
                    "core.eol",
                    "core.filemode",
                    "core.ignorecase",
                    "core.precomposeunicode",
                    "core.quotepath",
                    "core.safecrlf",
                    "core.whitespace",
                    "diff.algorithm",
                    "diff.context",
                    "diff.mnemonicprefix",
                    "diff.noprefix",
                    "diff.renamelimit",
                    "diff.renames",
                    "log.date",
                    "merge.conflictstyle",
                    "merge.ff",
                    "merge.renames",
                    "pull.ff",
                    "pull.rebase",
                    "rebase.autosquash",
                    "rebase.autostash",
                    "column.ui");

    private static final List<String> HARMLESS_PREFIXES = List.of("color.", "advice.");

    private final List<String> argv;
    private final String directory;

    /** How far the options before the subcommand have been read. */
    private int at;

    private GitVerdict verdict = new GitVerdict.Look();

    private GitCommand(List<String> argv, String directory) {
        this.argv = argv;
        this.directory = directory;
    }

    /**
     * Judges a command.
     *
     * @param argv without the word git
     * @param directory where it runs, relative to the workspace; empty for the workspace
     */
    public static GitVerdict judge(List<String> argv, String directory) {
        if (Beneath.leadsOut(directory)) {
            return new GitVerdict.Refused(
                    "git runs inside the workspace only, and " + directory + " is outside.");
        }
        return new GitCommand(argv, directory).judge();
    }

    private GitVerdict judge() {
        while (at < argv.size() && argv.get(at).startsWith("-")) {
            globalOption(argv.get(at++));
            if (verdict instanceof GitVerdict.Refused) {
                return verdict;
            }
        }
        if (at >= argv.size()) {
            boolean asksForVersion = argv.contains("--version") || argv.contains("-v");
            return asksForVersion
                    ? verdict
                    : new GitVerdict.Refused("git needs a subcommand, such as status.");
        }
        List<String> arguments = argv.subList(at + 1, argv.size());
        return GitVerdict.stronger(verdict, Subcommands.judge(argv.get(at), arguments));
    }

    private void globalOption(String option) {
        String name = option.startsWith("--") ? before(option, '=') : option;
        switch (name) {
            case "--version", "-v" -> {}
            case "-c" -> configuration(value(option));
            case "--config-env" -> {
                value(option);
                exec("--config-env sets configuration out of the environment");
            }
            case "-C" -> {
                String path = value(option);
                if (Beneath.leadsOut(directory + "/" + path) || path.startsWith("/")) {
                    refuse("-C %s leads out of the workspace: name a path inside it.", path);
                }
            }
            case "--git-dir", "--work-tree" -> {
                String path = value(option);
                if (Beneath.leadsOut(directory + "/" + path) || path.startsWith("/")) {
                    refuse("%s %s leads out of the workspace.", name, path);
                }
                exec(name + " chooses the configuration that git obeys");
            }
            case "--bare" -> exec("--bare takes any directory for a repository with configuration");
            case "--exec-path" -> exec("--exec-path chooses the programs that git runs");
            case "--namespace", "--super-prefix", "--attr-source" -> value(option);
            default -> {
                if (!INERT.contains(option)) {
                    refuse("git option %s is not known here: leave it out.", option);
                }
            }
        }
    }

    /** The value of an option: behind {@code =}, or the next argument. */
    private String value(String option) {
        int equals = option.startsWith("--") ? option.indexOf('=') : -1;
        if (equals >= 0) {
            return option.substring(equals + 1);
        }
        if (at >= argv.size()) {
            refuse("git option %s lacks its value.", option);
            return "";
        }
        return argv.get(at++);
    }

    private void configuration(String assignment) {
        String key = before(assignment, '=').toLowerCase(Locale.ROOT);
        boolean isHarmless =
                HARMLESS_KEYS.contains(key) || HARMLESS_PREFIXES.stream().anyMatch(key::startsWith);
        if (!isHarmless) {
            exec("-c " + key + " may name a program that git then runs");
        }
    }

    private void exec(String why) {
        verdict = GitVerdict.stronger(verdict, new GitVerdict.Exec(why + "."));
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation is in a library that we do not use
    private void refuse(String format, Object... values) {
        verdict = new GitVerdict.Refused(String.format(Locale.ROOT, format, values));
    }

    static String before(String text, char end) {
        int index = text.indexOf(end);
        return index < 0 ? text : text.substring(0, index);
    }
}
