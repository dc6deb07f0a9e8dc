package ai.hanzo.dev.host.tool.patch;

import ai.hanzo.dev.host.tool.patch.HunkLine.Kind;
import ai.hanzo.dev.protocol.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a unified diff as diff(1) and git write it. The counts in a hunk's header decide where it
 * ends, so a removed line {@code -- x} is no file header, and a hunk that was cut off is refused.
 */
final class UnifiedParser {

    private static final Pattern HUNK =
            Pattern.compile("@@ -(\\d{1,9})(?:,(\\d{1,9}))? \\+(\\d{1,9})(?:,(\\d{1,9}))? @@.*");

    private final PatchText text;
    private final List<RawSection> sections = new ArrayList<>();

    private UnifiedParser(PatchText text) {
        this.text = text;
    }

    static List<Section> parse(PatchText text) {
        UnifiedParser parser = new UnifiedParser(text);
        text.skipEmptyLines();
        while (!text.isAtEnd()) {
            parser.sections.add(parser.section());
            text.skipEmptyLines();
        }
        return PathAgreement.of(parser.sections).sections();
    }

    private RawSection section() {
        RawSection section = new RawSection(text.number());
        GitHeaders.read(text, section);
        if (text.startsWith("--- ")) {
            fileHeaders(section);
            while (text.startsWith("@@")) {
                section.hunks.add(hunk(section.hunks.size() + 1));
            }
            requireBoundary(section);
            if (section.hunks.isEmpty()) {
                throw PatchRefusal.of(
                        "The file in line %d of the patch has no hunk.", section.line);
            }
        } else if (!section.isWholeWithoutHunks()) {
            throw PatchRefusal.of(
                    "Line %d of the patch is no part of a unified diff: %s.",
                    text.number(), Shown.of(text.peek()));
        }
        return section;
    }

    private void fileHeaders(RawSection section) {
        int line = text.number();
        section.oldName = Optional.of(Paths.ofHeader(text.take().toUtf8().substring(4), line));
        if (!text.startsWith("+++ ")) {
            throw PatchRefusal.of(
                    "Line %d of the patch should begin with \"+++ \".", text.number());
        }
        section.newName = Optional.of(Paths.ofHeader(text.take().toUtf8().substring(4), line + 1));
    }

    private Hunk hunk(int number) {
        int line = text.number();
        String header = text.take().toUtf8();
        Matcher matcher = HUNK.matcher(header);
        if (!matcher.matches()) {
            throw PatchRefusal.of(
                    "Line %d of the patch is no hunk header: it must be like"
                            + " \"@@ -1,3 +1,4 @@\".",
                    line);
        }
        int oldStart = Integer.parseInt(matcher.group(1));
        int oldCount = count(matcher.group(2));
        int newCount = count(matcher.group(4));
        if (oldStart == 0 && oldCount != 0) {
            throw PatchRefusal.of("The hunk in line %d of the patch begins at line 0.", line);
        }
        String label = "hunk %d (line %d of the patch)".formatted(number, line);
        return new Hunk(label, new Hunk.AtLine(oldStart), body(label, oldCount, newCount));
    }

    /** Whether it is one with line numbers, or just {@code @@ @@}. */
    static boolean isHunkHeader(Bytes line) {
        String text = line.toUtf8().strip();
        return text.equals("@@ @@") || text.equals("@@@@") || HUNK.matcher(text).matches();
    }

    private static int count(@Nullable String digits) {
        return digits == null ? 1 : Integer.parseInt(digits);
    }

    private List<HunkLine> body(String label, int oldCount, int newCount) {
        List<HunkLine> lines = new ArrayList<>();
        int oldLeft = oldCount;
        int newLeft = newCount;
        while (oldLeft > 0 || newLeft > 0) {
            if (text.isAtEnd()) {
                throw PatchRefusal.of(
                        "The patch ends inside %s: its header promises %d more old and %d more new"
                                + " lines.",
                        label, oldLeft, newLeft);
            }
            HunkLine line = hunkLine(label, text.take());
            oldLeft -= line.isOld() ? 1 : 0;
            newLeft -= line.isNew() ? 1 : 0;
            if (oldLeft < 0 || newLeft < 0) {
                throw PatchRefusal.of(
                        "In %s the lines do not add up to the counts in its header (-%d +%d).",
                        label, oldCount, newCount);
            }
            lines.add(takeMarker() ? line.unterminated() : line);
        }
        requireMarkersLast(label, lines);
        if (lines.stream().allMatch(line -> line.kind() == Kind.KEPT)) {
            throw PatchRefusal.of("In %s nothing is changed.", label);
        }
        return lines;
    }

    private HunkLine hunkLine(String label, Bytes line) {
        if (line.isEmpty()) {
            // An empty context line whose blank an editor took off.
            return new HunkLine(Kind.KEPT, line, /* isUnterminated= */ false);
        }
        Bytes rest = line.slice(1, line.length());
        return switch (line.at(0)) {
            case ' ' -> new HunkLine(Kind.KEPT, rest, /* isUnterminated= */ false);
            case '-' -> new HunkLine(Kind.REMOVED, rest, /* isUnterminated= */ false);
            case '+' -> new HunkLine(Kind.ADDED, rest, /* isUnterminated= */ false);
            default ->
                    throw PatchRefusal.of(
                            "In %s, line %d of the patch must begin with a blank, - or +: %s. A hunk"
                                    + " ends where the counts in its header say.",
                            label, text.number() - 1, Shown.of(line));
        };
    }

    private boolean takeMarker() {
        if (text.startsWith("\\ ")) {
            text.take();
            return true;
        }
        return false;
    }

    /** Only the last old line and the last new line can be the file's unterminated last one. */
    private static void requireMarkersLast(String label, List<HunkLine> lines) {
        for (int i = 0; i < lines.size(); i++) {
            HunkLine line = lines.get(i);
            List<HunkLine> rest = lines.subList(i + 1, lines.size());
            boolean isWrong =
                    line.isUnterminated()
                            && ((line.isOld() && rest.stream().anyMatch(HunkLine::isOld))
                                    || (line.isNew() && rest.stream().anyMatch(HunkLine::isNew)));
            if (isWrong) {
                throw PatchRefusal.of(
                        "In %s, \"\\ No newline at end of file\" follows a line that is not the last.",
                        label);
            }
        }
    }

    /** Behind a file's last hunk: the end, an empty line, or another file. */
    private void requireBoundary(RawSection section) {
        boolean isFile = text.startsWith("--- ") && PatchText.starts(text.ahead(1), "+++ ");
        if (text.isAtEnd() || text.peek().isEmpty() || isFile || GitHeaders.isOne(text.peek())) {
            return;
        }
        throw PatchRefusal.of(
                "Line %d of the patch follows a hunk that is complete by its header"
                        + " (file in line %d): %s. Check the counts.",
                text.number(), section.line, Shown.of(text.peek()));
    }

    /** A file of the diff before it is known whether its names have prefixes. */
    static final class RawSection {
        final int line;
        final List<Hunk> hunks = new ArrayList<>();
        Optional<String> gitLine = Optional.empty();
        Optional<String> oldName = Optional.empty();
        Optional<String> newName = Optional.empty();
        OptionalInt oldMode = OptionalInt.empty();
        OptionalInt newMode = OptionalInt.empty();
        boolean isNew;
        boolean isDeleted;

        RawSection(int line) {
            this.line = line;
        }

        /** git writes no hunks for an empty file that is made or deleted, or a change of mode. */
        boolean isWholeWithoutHunks() {
            return gitLine.isPresent() && (isNew || isDeleted || newMode.isPresent());
        }
    }
}
