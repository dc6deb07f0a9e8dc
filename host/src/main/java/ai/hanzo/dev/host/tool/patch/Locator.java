package ai.hanzo.dev.host.tool.patch;

import ai.hanzo.dev.protocol.Bytes;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Finds the one place where a hunk goes. Old lines must be equal byte for byte; where more than one
 * place would do, the hunk is refused and the places are named. Positions count from 0, messages
 * from 1.
 */
final class Locator {

    private static final String CLOSERS = "{})]";

    private final List<Bytes> lines;
    private final boolean isTerminated;

    Locator(FileLines file) {
        this.lines = file.lines();
        this.isTerminated = file.isTerminated();
    }

    /**
     * The position of the hunk's first old line.
     *
     * @param from the first position behind the hunk before
     * @param shift how far the hunk before was from where it said
     */
    int locate(Hunk hunk, int from, int shift) {
        return switch (hunk.place()) {
            case Hunk.AtLine(int line) -> atLine(hunk, line, from, shift);
            case Hunk.Below below -> below(hunk, below, from);
        };
    }

    private int atLine(Hunk hunk, int line, int from, int shift) {
        if (hunk.old().isEmpty()) {
            if (lines.isEmpty()) {
                return 0;
            }
            throw PatchRefusal.of(
                    "%s only adds lines and has none of context: give at least one line of it.",
                    capital(hunk.label()));
        }
        int stated = line - 1 + shift;
        if (stated >= from && matches(hunk, hunk.old(), stated)) {
            return stated;
        }
        return onlyOne(hunk, matchesFrom(hunk, from), Math.max(stated, from));
    }

    private int below(Hunk hunk, Hunk.Below below, int from) {
        SortedSet<Integer> heads = heads(hunk, below.headers(), from);
        if (hunk.old().isEmpty()) {
            return pureAddition(hunk, below, heads);
        }
        if (below.headers().isEmpty()) {
            return onlyOne(hunk, matchesFrom(hunk, from), /* near= */ -1);
        }
        SortedSet<Integer> all = matchesFrom(hunk, heads.first());
        SortedSet<Integer> inBlock = new TreeSet<>();
        for (int head : heads) {
            inBlock.addAll(all.subSet(head, blockEnd(head)));
        }
        return onlyOne(hunk, inBlock.isEmpty() ? all : inBlock, /* near= */ -1);
    }

    private int pureAddition(Hunk hunk, Hunk.Below below, SortedSet<Integer> heads) {
        if (below.isAtEnd() || lines.isEmpty()) {
            return lines.size();
        }
        if (below.headers().isEmpty()) {
            throw PatchRefusal.of(
                    "%s only adds lines and does not say where: give an @@ line or a line of context.",
                    capital(hunk.label()));
        }
        if (heads.size() > 1) {
            throw ambiguous(hunk, heads);
        }
        return heads.first() + 1;
    }

    /** Where the last of the headers can be, each below the one before. */
    private SortedSet<Integer> heads(Hunk hunk, List<Bytes> headers, int from) {
        SortedSet<Integer> heads = new TreeSet<>(List.of(from - 1));
        for (Bytes header : headers) {
            int first = heads.first() + 1;
            heads = headsFrom(first, header, /* isWhole= */ true);
            if (heads.isEmpty()) {
                heads = headsFrom(first, header, /* isWhole= */ false);
            }
            if (heads.isEmpty()) {
                throw PatchRefusal.of(
                        "%s goes below the line %s, and no such line is there%s.",
                        capital(hunk.label()),
                        Shown.of(header),
                        first == 0 ? "" : " from line " + (first + 1) + " on");
            }
        }
        return heads;
    }

    private SortedSet<Integer> headsFrom(int first, Bytes header, boolean isWhole) {
        SortedSet<Integer> found = new TreeSet<>();
        for (int i = first; i < lines.size(); i++) {
            Bytes line = EnvelopeParser.strip(lines.get(i));
            if (isWhole ? line.equals(header) : beginsWithWord(line, header)) {
                found.add(i);
            }
        }
        return found;
    }

    /** {@code class A(B):} begins with {@code class A}, {@code class AB:} does not. */
    private static boolean beginsWithWord(Bytes line, Bytes header) {
        int length = header.length();
        return line.length() > length
                && line.slice(0, length).equals(header)
                && !Character.isLetterOrDigit(line.at(length) & 0xff)
                && line.at(length) != '_';
    }

    /** The first position behind the lines that are further in than the head. */
    private int blockEnd(int head) {
        int depth = indent(lines.get(head));
        for (int i = head + 1; i < lines.size(); i++) {
            Bytes line = EnvelopeParser.strip(lines.get(i));
            if (!line.isEmpty()
                    && indent(lines.get(i)) <= depth
                    && CLOSERS.indexOf(line.at(0)) < 0) {
                return i;
            }
        }
        return lines.size();
    }

    private static int indent(Bytes line) {
        int columns = 0;
        for (int i = 0; i < line.length(); i++) {
            switch (line.at(i)) {
                case ' ' -> columns++;
                case '\t' -> columns += 8;
                default -> {
                    return columns;
                }
            }
        }
        return columns;
    }

    private SortedSet<Integer> matchesFrom(Hunk hunk, int from) {
        SortedSet<Integer> found = new TreeSet<>();
        List<Bytes> old = hunk.old();
        for (int i = Math.max(from, 0); i + old.size() <= lines.size(); i++) {
            if (matches(hunk, old, i)) {
                found.add(i);
            }
        }
        return found;
    }

    private boolean matches(Hunk hunk, List<Bytes> old, int at) {
        int end = at + old.size();
        if (at < 0 || end > lines.size() || !lines.subList(at, end).equals(old)) {
            return false;
        }
        boolean mustEnd =
                hunk.endsOldUnterminated()
                        || hunk.endsNewUnterminated()
                        || (hunk.place() instanceof Hunk.Below below && below.isAtEnd());
        if (mustEnd && end != lines.size()) {
            return false;
        }
        return !hunk.endsOldUnterminated() || !isTerminated;
    }

    private int onlyOne(Hunk hunk, SortedSet<Integer> places, int near) {
        if (places.size() == 1) {
            return places.first();
        }
        throw places.isEmpty() ? misfit(hunk, near) : ambiguous(hunk, places);
    }

    private static PatchRefusal ambiguous(Hunk hunk, SortedSet<Integer> places) {
        List<String> numbers =
                places.stream().limit(5).map(place -> String.valueOf(place + 1)).toList();
        String all =
                numbers.size() == 2
                        ? numbers.get(0) + " and " + numbers.get(1)
                        : String.join(", ", numbers) + (places.size() > 5 ? " and more" : "");
        return PatchRefusal.of(
                "%s is ambiguous, lines %s: give more lines of context.",
                capital(hunk.label()), all);
    }

    /** Says what was expected and what is there, at the stated or the most similar place. */
    private PatchRefusal misfit(Hunk hunk, int near) {
        List<Bytes> old = hunk.old();
        int best = near < 0 ? mostSimilar(old) : Math.min(near, lines.size());
        int same = commonLines(old, best);
        String start = capital(hunk.label()) + " does not fit: ";
        if (same == old.size()) {
            return PatchRefusal.of(
                    "%sits lines are at line %d, but not where and how the file ends.",
                    start, best + 1);
        }
        String expected = Shown.of(old.get(same));
        if (best + same >= lines.size()) {
            return PatchRefusal.of(
                    "%sline %d should be %s, but the file has %d lines.",
                    start, best + same + 1, expected, lines.size());
        }
        if (near < 0 && same == 0) {
            return PatchRefusal.of("%sno line of the file is %s.", start, expected);
        }
        return PatchRefusal.of(
                "%sline %d should be %s, but is %s.",
                start, best + same + 1, expected, Shown.of(lines.get(best + same)));
    }

    private int mostSimilar(List<Bytes> old) {
        int best = 0;
        int most = 0;
        for (int i = 0; i < lines.size() && most < old.size(); i++) {
            int same = commonLines(old, i);
            if (same > most) {
                most = same;
                best = i;
            }
        }
        return best;
    }

    private int commonLines(List<Bytes> old, int at) {
        int same = 0;
        while (same < old.size()
                && at + same < lines.size()
                && lines.get(at + same).equals(old.get(same))) {
            same++;
        }
        return same;
    }

    private static String capital(String label) {
        return label.substring(0, 1).toUpperCase(Locale.ROOT) + label.substring(1);
    }
}
