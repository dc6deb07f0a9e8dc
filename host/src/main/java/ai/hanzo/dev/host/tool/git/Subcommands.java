package ai.hanzo.dev.host.tool.git;

import ai.hanzo.dev.host.tool.git.GitVerdict.Change;
import ai.hanzo.dev.host.tool.git.GitVerdict.Exec;
import ai.hanzo.dev.host.tool.git.GitVerdict.Look;
import ai.hanzo.dev.host.tool.git.GitVerdict.Outward;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/** Judges git's subcommands by name and arguments. */
final class Subcommands {

    private static final Set<String> LOOKS =
            Set.of(
                    "annotate",
                    "blame",
                    "cat-file",
                    "check-attr",
                    "check-ignore",
                    "check-mailmap",
                    "check-ref-format",
                    "cherry",
                    "count-objects",
                    "describe",
                    "diff",
                    "diff-files",
                    "diff-index",
                    "diff-tree",
                    "for-each-ref",
                    "fsck",
                    "get-tar-commit-id",
                    "grep",
                    "log",
                    "ls-files",
                    "ls-tree",
                    "merge-base",
                    "name-rev",
                    "patch-id",
                    "range-diff",
                    "rev-list",
                    "rev-parse",
                    "shortlog",
                    "show",
                    "show-branch",
                    "show-index",
                    "show-ref",
                    "status",
                    "stripspace",
                    "verify-pack",
                    "version",
                    "whatchanged");

    private static final Set<String> CHANGES =
            Set.of(
                    "add",
                    "am",
                    "apply",
                    "archive",
                    "bisect",
                    "branch",
                    "bundle",
                    "checkout",
                    "checkout-index",
                    "cherry-pick",
                    "clean",
                    "commit",
                    "commit-graph",
                    "commit-tree",
                    "fast-export",
                    "fast-import",
                    "format-patch",
                    "gc",
                    "hash-object",
                    "index-pack",
                    "init",
                    "merge",
                    "merge-file",
                    "merge-tree",
                    "mktag",
                    "mktree",
                    "multi-pack-index",
                    "mv",
                    "notes",
                    "pack-objects",
                    "pack-refs",
                    "prune",
                    "prune-packed",
                    "read-tree",
                    "rebase",
                    "reflog",
                    "repack",
                    "replace",
                    "rerere",
                    "reset",
                    "restore",
                    "revert",
                    "rm",
                    "sparse-checkout",
                    "stage",
                    "stash",
                    "switch",
                    "symbolic-ref",
                    "tag",
                    "unpack-objects",
                    "update-index",
                    "update-ref",
                    "update-server-info",
                    "worktree",
                    "write-tree");

    private static final Set<String> OUTWARD =
            Set.of(
                    "fetch-pack",
                    "http-fetch",
                    "http-push",
                    "imap-send",
                    "push",
                    "request-pull",
                    "send-email",
                    "send-pack");

    /** Those that look when they are asked in one way and change something when in another. */
    private static final Map<String, Predicate<List<String>>> LOOKS_WHEN = looksWhen();

    /** Those whose verdict lies in their arguments. */
    private static final Map<String, Function<List<String>, GitVerdict>> BY_ARGUMENTS =
            Map.of(
                    "clone", Remotes::cloning,
                    "fetch", Remotes::fetching,
                    "pull", Remotes::fetching,
                    "ls-remote", Remotes::asking,
                    "remote", Remotes::remote,
                    "submodule", Remotes::submodule,
                    "config", Subcommands::config);

    private Subcommands() {}

    static GitVerdict judge(String name, List<String> arguments) {
        GitVerdict byName = byName(name, arguments);
        GitVerdict byOptions = ProgramOptions.judge(name, arguments);
        return GitVerdict.stronger(byName, byOptions);
    }

    private static GitVerdict byName(String name, List<String> arguments) {
        Function<List<String>, GitVerdict> own = BY_ARGUMENTS.get(name);
        if (own != null) {
            return own.apply(arguments);
        }
        if (LOOKS.contains(name)) {
            return arguments.stream().anyMatch(Subcommands::writesAFile)
                    ? new Change()
                    : new Look();
        }
        if (CHANGES.contains(name)) {
            Predicate<List<String>> looks = LOOKS_WHEN.get(name);
            return looks != null && looks.test(arguments) ? new Look() : new Change();
        }
        if (OUTWARD.contains(name)) {
            return new Outward("git " + name + " sends to another repository.");
        }
        return new Exec("git " + name + " is not known here and may be an alias or a program.");
    }

    /** {@code --output=FILE} of the diff family, {@code --lost-found} of fsck. */
    private static boolean writesAFile(String argument) {
        return argument.startsWith("--output")
                || argument.equals("--lost-found")
                || argument.equals("-w");
    }

    private static Map<String, Predicate<List<String>>> looksWhen() {
        Map<String, Predicate<List<String>>> looks = new HashMap<>();
        looks.put("branch", arguments -> onlyOptionsOf(arguments, BRANCH_LISTS));
        looks.put(
                "tag",
                arguments -> arguments.isEmpty() || startsWithOne(arguments, "-l", "--list"));
        looks.put("stash", arguments -> startsWithOne(arguments, "list", "show"));
        looks.put(
                "reflog",
                arguments -> arguments.isEmpty() || startsWithOne(arguments, "show", "exists"));
        looks.put("worktree", arguments -> startsWithOne(arguments, "list"));
        looks.put(
                "notes",
                arguments -> arguments.isEmpty() || startsWithOne(arguments, "list", "show"));
        looks.put("bisect", arguments -> startsWithOne(arguments, "log", "terms"));
        looks.put(
                "symbolic-ref",
                arguments ->
                        arguments.stream().filter(a -> !a.startsWith("-")).count() == 1
                                && !arguments.contains("-d")
                                && !arguments.contains("--delete"));
        looks.put(
                "apply",
                arguments -> arguments.contains("--check") && !arguments.contains("--apply"));
        looks.put("bundle", arguments -> startsWithOne(arguments, "verify", "list-heads"));
        looks.put("hash-object", arguments -> !arguments.contains("-w"));
        looks.put(
                "clean", arguments -> arguments.contains("-n") || arguments.contains("--dry-run"));
        return looks;
    }

    private static final Set<String> BRANCH_LISTS =
            Set.of(
                    "-a",
                    "--all",
                    "-r",
                    "--remotes",
                    "-v",
                    "-vv",
                    "--verbose",
                    "-l",
                    "--list",
                    "--show-current",
                    "--no-color",
                    "--column",
                    "--no-column");

    private static boolean onlyOptionsOf(List<String> arguments, Set<String> options) {
        return options.containsAll(arguments);
    }

    private static boolean startsWithOne(List<String> arguments, String... words) {
        return !arguments.isEmpty() && List.of(words).contains(arguments.getFirst());
    }

    /** Reading is a look; writing decides what later commands run. */
    private static GitVerdict config(List<String> arguments) {
        Set<String> reads =
                Set.of(
                        "get",
                        "list",
                        "--get",
                        "--get-all",
                        "--get-regexp",
                        "--get-urlmatch",
                        "--list",
                        "-l");
        boolean isRead = !arguments.isEmpty() && reads.contains(arguments.getFirst());
        boolean isPlain =
                isRead
                        && arguments.stream()
                                .noneMatch(a -> a.startsWith("--file") || a.equals("-f"));
        return isPlain
                ? new Look()
                : new Exec("git config may name programs that later commands run.");
    }
}
