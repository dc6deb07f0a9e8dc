package ai.hanzo.dev.policy;

import ai.hanzo.dev.policy.shell.Command;
import ai.hanzo.dev.policy.shell.Names;
import ai.hanzo.dev.policy.shell.Word;
import java.util.ArrayList;
import java.util.List;

/**
 * A command as rules write it: words with globs, a last word {@code **} for any further words.
 *
 * @param text as it was written
 */
record ArgvPattern(String text, List<Glob> words, boolean isOpen) {

    ArgvPattern {
        words = List.copyOf(words);
    }

    /**
     * Compiles {@code text}: words between blanks.
     *
     * @throws IllegalArgumentException if it is empty or has {@code **} before its end
     */
    static ArgvPattern of(String text) {
        List<Glob> words = new ArrayList<>();
        String[] parts = text.strip().split("\\s+", -1);
        boolean open = parts[parts.length - 1].equals("**");
        for (int k = 0; k < parts.length - (open ? 1 : 0); k++) {
            if (parts[k].isEmpty() || parts[k].equals("**")) {
                throw new IllegalArgumentException(
                        "a command needs a first word, and '**' can only be its last");
            }
            words.add(Glob.of(parts[k], '\0'));
        }
        if (words.isEmpty()) {
            throw new IllegalArgumentException("'**' alone: leave the key argv out instead");
        }
        return new ArgvPattern(text, words, open);
    }

    /**
     * Whether {@code command} is meant.
     *
     * @param isStrict whether the rule forbids or asks: then a look-alike path counts as the
     *     command
     */
    Match matches(Command command, boolean isStrict) {
        if (command.sight() == Command.Sight.ANY) {
            return Match.MAYBE;
        }
        Match match =
                name(command.words().getFirst(), isStrict)
                        .and(arguments(command.words().subList(1, command.words().size())));
        boolean hidden = command.sight() == Command.Sight.RUNS_UNSEEN && isStrict;
        return hidden ? match.or(Match.MAYBE) : match;
    }

    private Match name(Word word, boolean isStrict) {
        Glob name = words.getFirst();
        if (!word.isLiteral()) {
            return Match.MAYBE;
        }
        if (name.matches(word.text())) {
            return Match.YES;
        }
        if (name.text().contains("/") || !word.text().contains("/")) {
            return Names.isOwnPath(word.text()) && isStrict ? Match.MAYBE : Match.NO;
        }
        boolean same = name.matches(Names.base(word.text()));
        if (!Names.isOwnPath(word.text())) {
            return Match.of(same);
        }
        // A program of the workspace's own may be a copy of any other, or a link to it.
        return same && isStrict ? Match.YES : Match.MAYBE;
    }

    private Match arguments(List<Word> arguments) {
        return from(1, arguments, 0);
    }

    private Match from(int p, List<Word> arguments, int a) {
        Match match = Match.YES;
        int k = a;
        for (int q = p; q < words.size(); q++, k++) {
            if (k >= arguments.size()) {
                return Match.NO;
            }
            Word word = arguments.get(k);
            if (word.known() == Word.Known.MANY) {
                return Match.MAYBE;
            }
            match =
                    match.and(
                            word.isLiteral()
                                    ? Match.of(words.get(q).matches(word.text()))
                                    : anything(words.get(q)));
            if (match == Match.NO) {
                return Match.NO;
            }
        }
        if (isOpen || k == arguments.size()) {
            return match;
        }
        boolean onlyMany =
                arguments.subList(k, arguments.size()).stream()
                        .allMatch(w -> w.known() == Word.Known.MANY);
        return onlyMany ? Match.MAYBE : Match.NO;
    }

    private static Match anything(Glob word) {
        return word.text().equals("*") ? Match.YES : Match.MAYBE;
    }
}
