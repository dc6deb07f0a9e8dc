package ai.hanzo.dev.policy;

import ai.hanzo.dev.policy.shell.Command;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * One rule: what it speaks of and what it says. Empty lists and sets stand for "any".
 *
 * @param name with the name of its rules before it: {@code workspace/exec}
 * @param git of the kinds inert, local, outward, unclear
 */
record Rule(
        String name,
        Set<OpKind> ops,
        Conditions conditions,
        List<ArgvPattern> argv,
        List<Glob> paths,
        List<String> methods,
        List<UrlPattern> urls,
        List<Glob> channels,
        Set<String> git,
        Verdict verdict,
        String reason) {

    /**
     * @param isUnclear speaks of commands that are not understood, and of those that an earlier
     *     rule might mean
     * @param isOutside speaks of what is outside the workspace, and of nothing else
     * @param isReadOnly holds only where the workspace is mounted read-only
     */
    record Conditions(boolean isUnclear, boolean isOutside, boolean isReadOnly) {}

    Rule {
        ops = EnumSet.copyOf(ops);
        argv = List.copyOf(argv);
        paths = List.copyOf(paths);
        methods = List.copyOf(methods);
        urls = List.copyOf(urls);
        channels = List.copyOf(channels);
        git = Set.copyOf(git);
    }

    /**
     * Whether the rule speaks of {@code subject}.
     *
     * @param doubt whether an earlier rule might have meant it
     */
    Match matches(Subject subject, Facts facts, boolean doubt) {
        if (!ops.contains(subject.op()) || (conditions.isReadOnly() && !facts.isReadOnly())) {
            return Match.NO;
        }
        return switch (subject) {
            case Subject.OfPath p -> path(p);
            case Subject.OfCommand c -> command(c, doubt);
            case Subject.OfGit g -> git(g);
            case Subject.OfUrl u -> url(u);
            case Subject.OfChannel c ->
                    Match.of(
                            channels.isEmpty()
                                    || channels.stream().anyMatch(g -> g.matches(c.channel())));
            case Subject.Unknown _ ->
                    paths.isEmpty() && !conditions.isOutside() ? Match.YES : Match.MAYBE;
            case Subject.Plain _ -> Match.YES;
        };
    }

    private Match path(Subject.OfPath subject) {
        if (paths.isEmpty()) {
            return Match.of(conditions.isOutside() == subject.isOutside());
        }
        return Match.of(paths.stream().anyMatch(g -> g.matches(subject.path())));
    }

    private Match command(Subject.OfCommand subject, boolean doubt) {
        if (subject.isOutside() != conditions.isOutside()) {
            return Match.NO;
        }
        if (conditions.isUnclear()) {
            return Match.of(doubt || subject.command().sight() == Command.Sight.ANY);
        }
        if (argv.isEmpty()) {
            return Match.YES;
        }
        Match best = Match.NO;
        for (ArgvPattern pattern : argv) {
            best = best.or(pattern.matches(subject.command(), verdict != Verdict.ALLOW));
        }
        return best;
    }

    private Match git(Subject.OfGit subject) {
        String kind =
                switch (subject.use()) {
                    case GitUse.None _ -> "unclear";
                    case GitUse.Inert _ -> "inert";
                    case GitUse.Local _ -> "local";
                    case GitUse.Outward _ -> "outward";
                    case GitUse.Unclear _ -> "unclear";
                };
        return Match.of(git.isEmpty() || git.contains(kind));
    }

    private Match url(Subject.OfUrl subject) {
        if (!methods.isEmpty() && !methods.contains(subject.method())) {
            return Match.NO;
        }
        if (urls.isEmpty()) {
            return Match.YES;
        }
        return subject.address()
                .map(a -> Match.of(urls.stream().anyMatch(u -> u.matches(a))))
                .orElse(Match.MAYBE);
    }
}
