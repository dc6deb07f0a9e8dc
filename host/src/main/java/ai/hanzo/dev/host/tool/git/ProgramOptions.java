package ai.hanzo.dev.host.tool.git;

import ai.hanzo.dev.host.tool.git.GitVerdict.Exec;
import ai.hanzo.dev.host.tool.git.GitVerdict.Look;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Options of subcommands that name a program or have one run. git takes any unambiguous beginning
 * of a long option for the whole, and so does this.
 */
final class ProgramOptions {

    /** Long options that are dangerous with every subcommand that knows them. */
    private static final List<String> ANYWHERE =
            List.of(
                    "--upload-pack",
                    "--receive-pack",
                    "--open-files-in-pager",
                    "--ext-diff",
                    "--textconv");

    /** Long options by subcommand. */
    private static final Map<String, List<String>> LONG =
            Map.ofEntries(
                    Map.entry("rebase", List.of("--exec", "--gpg-sign", "--strategy")),
                    Map.entry("push", List.of("--exec", "--signed")),
                    Map.entry("ls-remote", List.of("--exec")),
                    Map.entry("archive", List.of("--exec", "--remote")),
                    Map.entry("fetch-pack", List.of("--exec")),
                    Map.entry("send-pack", List.of("--exec")),
                    Map.entry("clone", List.of("--config", "--template")),
                    Map.entry("init", List.of("--template")),
                    Map.entry("commit", List.of("--gpg-sign")),
                    Map.entry("merge", List.of("--gpg-sign", "--strategy", "--verify-signatures")),
                    Map.entry("cherry-pick", List.of("--gpg-sign", "--strategy")),
                    Map.entry("revert", List.of("--gpg-sign", "--strategy")),
                    Map.entry("pull", List.of("--gpg-sign", "--strategy", "--verify-signatures")),
                    Map.entry("am", List.of("--gpg-sign")),
                    Map.entry("tag", List.of("--sign", "--local-user", "--verify")),
                    Map.entry("commit-tree", List.of("--gpg-sign")));

    /** Short options by subcommand; their value may follow at once. */
    private static final Map<String, Set<String>> SHORT =
            Map.ofEntries(
                    Map.entry("rebase", Set.of("-x", "-S", "-s")),
                    Map.entry("clone", Set.of("-u", "-c")),
                    Map.entry("grep", Set.of("-O")),
                    Map.entry("commit", Set.of("-S")),
                    Map.entry("merge", Set.of("-S", "-s")),
                    Map.entry("cherry-pick", Set.of("-S")),
                    Map.entry("revert", Set.of("-S")),
                    Map.entry("pull", Set.of("-S", "-s")),
                    Map.entry("am", Set.of("-S")),
                    Map.entry("tag", Set.of("-s", "-u", "-v")),
                    Map.entry("commit-tree", Set.of("-S")));

    /** First words that have a program run. */
    private static final Map<String, Set<String>> WORDS =
            Map.of("bisect", Set.of("run", "visualize", "view"));

    private ProgramOptions() {}

    static GitVerdict judge(String name, List<String> arguments) {
        if (!arguments.isEmpty()
                && WORDS.getOrDefault(name, Set.of()).contains(arguments.getFirst())) {
            return exec(name, arguments.getFirst());
        }
        List<String> longOptions = LONG.getOrDefault(name, List.of());
        Set<String> shortOptions = SHORT.getOrDefault(name, Set.of());
        for (String argument : arguments) {
            if (argument.equals("--")) {
                break;
            }
            boolean isDangerous =
                    argument.startsWith("--")
                            ? isOneOf(argument, ANYWHERE) || isOneOf(argument, longOptions)
                            : shortOptions.stream().anyMatch(argument::startsWith)
                                    || isBundled(argument, shortOptions);
            if (isDangerous) {
                return exec(name, argument);
            }
        }
        return new Look();
    }

    /** The option itself, or a beginning of it of four letters at least, as git completes it. */
    private static boolean isOneOf(String argument, List<String> options) {
        String option = GitCommand.before(argument, '=');
        return options.stream()
                .anyMatch(dangerous ->
                        dangerous.equals(option)
                                || (option.length() >= 4 && dangerous.startsWith(option)));
    }

    /** {@code -ax} is {@code -a -x}. */
    private static boolean isBundled(String argument, Set<String> options) {
        if (!argument.startsWith("-") || argument.length() < 3) {
            return false;
        }
        return options.stream().anyMatch(option -> argument.indexOf(option.charAt(1)) > 0)
                && argument.chars().skip(1).allMatch(Character::isLetter);
    }

    private static GitVerdict exec(String name, String argument) {
        return new Exec("git %s %s has a program run.".formatted(name, argument));
    }
}
