package ai.hanzo.dev.policy.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Brings {@code git -C dir --no-pager push} to {@code git push}, so that rules see the subcommand.
 */
final class Gits {

    private static final Set<String> VALUED =
            Set.of(
                    "-C",
                    "--git-dir",
                    "--work-tree",
                    "--namespace",
                    "--super-prefix",
                    "--attr-source");

    // git 2.39's own commands: any other word may be an alias for any command line
    private static final Set<String> OWN =
            Set.of(
                    "add",
                    "am",
                    "apply",
                    "archive",
                    "bisect",
                    "blame",
                    "branch",
                    "bundle",
                    "cat-file",
                    "check-attr",
                    "check-ignore",
                    "checkout",
                    "checkout-index",
                    "cherry",
                    "cherry-pick",
                    "clean",
                    "clone",
                    "commit",
                    "commit-tree",
                    "config",
                    "count-objects",
                    "describe",
                    "diff",
                    "diff-files",
                    "diff-index",
                    "diff-tree",
                    "fetch",
                    "for-each-ref",
                    "format-patch",
                    "fsck",
                    "gc",
                    "grep",
                    "hash-object",
                    "help",
                    "init",
                    "log",
                    "ls-files",
                    "ls-remote",
                    "ls-tree",
                    "maintenance",
                    "merge",
                    "merge-base",
                    "merge-tree",
                    "mktree",
                    "mv",
                    "name-rev",
                    "notes",
                    "pack-refs",
                    "prune",
                    "pull",
                    "push",
                    "range-diff",
                    "read-tree",
                    "rebase",
                    "reflog",
                    "remote",
                    "repack",
                    "replace",
                    "reset",
                    "restore",
                    "rev-list",
                    "rev-parse",
                    "revert",
                    "rm",
                    "send-pack",
                    "shortlog",
                    "show",
                    "show-ref",
                    "sparse-checkout",
                    "stash",
                    "status",
                    "submodule",
                    "switch",
                    "symbolic-ref",
                    "tag",
                    "update-index",
                    "update-ref",
                    "verify-commit",
                    "verify-tag",
                    "version",
                    "worktree",
                    "write-tree");

    private Gits() {}

    static Command plain(Command git, List<Word> args) {
        int k = 0;
        boolean hidden = false;
        while (k < args.size() && args.get(k).isLiteral() && args.get(k).text().startsWith("-")) {
            String t = args.get(k).text();
            hidden |=
                    t.equals("-c") || t.startsWith("--config-env") || t.startsWith("--exec-path=");
            k += VALUED.contains(t) || t.equals("-c") || t.equals("--config-env") ? 2 : 1;
        }
        if (k >= args.size()) {
            return hidden ? git.runsUnseen("its options can name a program") : git;
        }
        Word sub = args.get(k);
        if (!sub.isLiteral()) {
            return Command.any(git.text(), "git's subcommand is not known before it runs");
        }
        List<Word> words = new ArrayList<>();
        words.add(git.words().getFirst());
        words.addAll(args.subList(k, args.size()));
        Command plain = Command.of(words);
        if (hidden) {
            return plain.runsUnseen("its options can name a program");
        }
        return OWN.contains(sub.text()) ? plain : plain.runsUnseen("it may be an alias of git");
    }
}
