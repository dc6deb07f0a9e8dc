package ai.hanzo.dev.policy.shell;

import java.util.List;
import java.util.stream.Collectors;

/**
 * One command that a line could run.
 *
 * @param words the command's name and its arguments; a redirection that writes is the command
 *     {@code >} with the file as its argument
 * @param sight whether all that it runs is in sight
 * @param note why, if not; else empty
 */
public record Command(List<Word> words, Sight sight, String note) {

    /** What a line shows of what is run. */
    public enum Sight {
        /** The command and nothing else, as far as its words tell. */
        CLEAR,
        /** The command, and with it something that the line does not show: {@code sh build.sh}. */
        RUNS_UNSEEN,
        /** Not known at all: {@code $x}, {@code eval "$y"}. */
        ANY
    }

    public Command {
        words = List.copyOf(words);
        if (words.isEmpty()) {
            throw new IllegalArgumentException("a command has a first word");
        }
    }

    static Command of(List<Word> words) {
        return new Command(words, Sight.CLEAR, "");
    }

    static Command any(String written, String why) {
        return new Command(List.of(Word.many(written)), Sight.ANY, why);
    }

    /** The command that does nothing: what an empty script runs. */
    public static Command nothing() {
        return of(List.of(Word.literal(":")));
    }

    Command runsUnseen(String why) {
        return new Command(words, Sight.RUNS_UNSEEN, why);
    }

    /** The words as people read them. */
    public String text() {
        String joined = words.stream().map(Word::text).collect(Collectors.joining(" "));
        String line = joined.replaceAll("\\p{Cntrl}+", " ");
        return line.length() <= 200 ? line : line.substring(0, 200) + "…";
    }
}
