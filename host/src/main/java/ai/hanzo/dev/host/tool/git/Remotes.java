package ai.hanzo.dev.host.tool.git;

import ai.hanzo.dev.host.tool.git.GitVerdict.Change;
import ai.hanzo.dev.host.tool.git.GitVerdict.Exec;
import ai.hanzo.dev.host.tool.git.GitVerdict.Look;
import ai.hanzo.dev.host.tool.git.GitVerdict.Outward;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Judges the subcommands that speak with other repositories. */
final class Remotes {

    /** {@code transport::address} runs the program {@code git-remote-transport}. */
    private static final Pattern HELPER = Pattern.compile("[A-Za-z0-9+.-]+::.*");

    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://.*");

    private static final Set<String> CLONE_VALUES =
            Set.of(
                    "-b",
                    "--branch",
                    "--depth",
                    "-o",
                    "--origin",
                    "-j",
                    "--jobs",
                    "--filter",
                    "--reference",
                    "--shallow-since",
                    "--shallow-exclude",
                    "--separate-git-dir",
                    "--server-option",
                    "--bundle-uri",
                    "--ref-format");

    private Remotes() {}

    /** A path in the cell is a copy within it; all else is the network. */
    static GitVerdict cloning(List<String> arguments) {
        if (arguments.stream()
                .anyMatch(a -> a.startsWith("--recurse") || a.startsWith("--bundle-uri"))) {
            return new Outward("git clone with submodules fetches from wherever they say.");
        }
        return firstPlain(arguments, CLONE_VALUES)
                .map(Remotes::address)
                .orElse(new Outward("git clone names no repository."));
    }

    static GitVerdict fetching(List<String> arguments) {
        return firstPlain(
                        arguments,
                        Set.of("--depth", "-j", "--jobs", "--filter", "-o", "--server-option"))
                .map(Remotes::address)
                .orElse(new Outward("It fetches from the remote that the configuration names."));
    }

    static GitVerdict asking(List<String> arguments) {
        return firstPlain(arguments, Set.of("-o", "--sort"))
                .map(Remotes::address)
                .map(verdict -> verdict instanceof Change ? new Look() : verdict)
                .orElse(new Outward("It asks the remote that the configuration names."));
    }

    static GitVerdict remote(List<String> arguments) {
        List<String> plain = arguments.stream().filter(a -> !a.startsWith("-")).toList();
        if (plain.isEmpty()) {
            return new Look();
        }
        return switch (plain.getFirst()) {
            case "get-url" -> new Look();
            case "show", "update", "prune", "set-head" ->
                    arguments.contains("-n")
                            ? new Look()
                            : new Outward(
                                    "git remote %s asks the remote.".formatted(plain.getFirst()));
            default -> new Exec("git remote changes where later commands fetch from and push to.");
        };
    }

    static GitVerdict submodule(List<String> arguments) {
        Optional<String> word = arguments.stream().filter(a -> !a.startsWith("-")).findFirst();
        return switch (word.orElse("status")) {
            case "status", "summary" -> new Look();
            case "init", "deinit", "absorbgitdirs" -> new Change();
            case "add", "update", "sync" ->
                    new Outward("git submodule fetches from wherever .gitmodules says.");
            default -> new Exec("git submodule foreach has a program run.");
        };
    }

    private static Optional<String> firstPlain(List<String> arguments, Set<String> withValue) {
        boolean isValue = false;
        boolean isPlain = false;
        for (String argument : arguments) {
            if (isValue) {
                isValue = false;
                continue;
            }
            if (!isPlain && argument.equals("--")) {
                isPlain = true;
                continue;
            }
            if (!isPlain && argument.startsWith("-")) {
                isValue = withValue.contains(argument);
                continue;
            }
            return Optional.of(argument);
        }
        return Optional.empty();
    }

    private static GitVerdict address(String address) {
        if (HELPER.matcher(address).matches()) {
            return new Exec("%s has the program of that transport run.".formatted(address));
        }
        if (address.startsWith("file://")) {
            return new Change();
        }
        boolean isHost =
                SCHEME.matcher(address).matches()
                        // scp's host:path: a colon before the first slash
                        || (address.indexOf(':') >= 0
                                && !GitCommand.before(address, ':').contains("/"));
        boolean isPath =
                address.startsWith("/") || address.startsWith("./") || address.startsWith("../");
        return !isHost && isPath
                ? new Change()
                : new Outward("%s may be another machine's.".formatted(address));
    }
}
