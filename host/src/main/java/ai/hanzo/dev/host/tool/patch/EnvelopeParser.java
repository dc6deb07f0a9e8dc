package ai.hanzo.dev.host.tool.patch;

import ai.hanzo.dev.host.tool.patch.HunkLine.Kind;
import ai.hanzo.dev.protocol.Bytes;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Reads the {@code *** Begin Patch} form:
 *
 * <p>A hunk header of a unified diff in the place of {@code @@} is taken for a plain one: its line
 * numbers are not used.
 *
 * <pre>
 * *** Begin Patch
 * *** Add File: PATH            then +lines
 * *** Delete File: PATH
 * *** Update File: PATH         perhaps *** Move to: PATH, then hunks:
 * @@ [a line above the change]  perhaps several, each below the one before
 *  kept / -removed / +added
 * *** End of File               the hunk ends the file
 * *** End Patch
 * </pre>
 */
final class EnvelopeParser {

    static final String BEGIN = "*** Begin Patch";
    private static final String END = "*** End Patch";
    private static final String ADD = "*** Add File: ";
    private static final String DELETE = "*** Delete File: ";
    private static final String UPDATE = "*** Update File: ";
    private static final String MOVE = "*** Move to: ";
    private static final String END_OF_FILE = "*** End of File";

    private final PatchText text;

    private EnvelopeParser(PatchText text) {
        this.text = text;
    }

    static List<Section> parse(PatchText text) {
        return new EnvelopeParser(text).sections();
    }

    private List<Section> sections() {
        if (!text.take().toUtf8().strip().equals(BEGIN)) {
            throw PatchRefusal.of("The patch must begin with the line \"%s\".", BEGIN);
        }
        List<Section> sections = new ArrayList<>();
        while (!isEnd()) {
            if (text.isAtEnd()) {
                throw PatchRefusal.of("The patch was cut off: \"%s\" is missing.", END);
            }
            sections.add(section());
        }
        text.take();
        text.skipEmptyLines();
        if (!text.isAtEnd()) {
            throw PatchRefusal.of(
                    "Line %d of the patch comes after \"%s\": %s.",
                    text.number(), END, Shown.of(text.peek()));
        }
        return sections;
    }

    private boolean isEnd() {
        return text.peekText().strip().equals(END);
    }

    private Section section() {
        int line = text.number();
        if (text.startsWith(ADD)) {
            String path = path(ADD, line);
            return new Section.Create(path, added(path), OptionalInt.empty());
        }
        if (text.startsWith(DELETE)) {
            return new Section.Delete(path(DELETE, line), Optional.empty());
        }
        if (text.startsWith(UPDATE)) {
            return update(path(UPDATE, line));
        }
        throw PatchRefusal.of(
                "Line %d of the patch must be \"%sPATH\", \"%sPATH\", \"%sPATH\" or \"%s\", not %s.",
                line, ADD, DELETE, UPDATE, END, Shown.of(text.peek()));
    }

    /** ASCII blanks around a path do not count; the core sees it so, too. */
    private String path(String prefix, int line) {
        return Paths.require(text.take().toUtf8().substring(prefix.length()).trim(), line);
    }

    private Bytes added(String path) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        while (!text.isAtEnd() && !text.startsWith("*** ")) {
            Bytes line = text.take();
            if (line.isEmpty() || line.at(0) != '+') {
                throw PatchRefusal.of(
                        "Line %d of the patch, in the new file %s, must begin with +: %s.",
                        text.number() - 1, path, Shown.of(line));
            }
            out.writeBytes(line.slice(1, line.length()).toArray());
            out.write('\n');
        }
        return Bytes.wrap(out.toByteArray());
    }

    private Section update(String path) {
        Optional<String> target = Optional.empty();
        if (text.startsWith(MOVE)) {
            target = Optional.of(path(MOVE, text.number()));
        }
        List<Hunk> hunks = new ArrayList<>();
        while (!text.isAtEnd() && (text.startsWith(END_OF_FILE) || !text.startsWith("*** "))) {
            if (text.peek().isEmpty() && isOnlyEmptyUntilSection()) {
                text.skipEmptyLines();
                break;
            }
            hunks.add(hunk(hunks.size() + 1));
        }
        if (hunks.isEmpty() && target.isEmpty()) {
            throw PatchRefusal.of("The patch updates %s but changes nothing in it.", path);
        }
        return new Section.Update(path, target, hunks, OptionalInt.empty(), OptionalInt.empty());
    }

    private boolean isOnlyEmptyUntilSection() {
        int count = 0;
        while (text.ahead(count).isEmpty() && text.number() + count < text.count()) {
            count++;
        }
        return text.ahead(count).isEmpty()
                || (PatchText.starts(text.ahead(count), "*** ")
                        && !PatchText.starts(text.ahead(count), END_OF_FILE));
    }

    private Hunk hunk(int number) {
        String label = "hunk %d (line %d of the patch)".formatted(number, text.number());
        List<Bytes> headers = new ArrayList<>();
        while (text.startsWith("@@")) {
            Bytes line = text.take();
            Bytes header = strip(line.slice(2, line.length()));
            if (!header.isEmpty() && !UnifiedParser.isHunkHeader(line)) {
                headers.add(header);
            }
        }
        List<HunkLine> lines = new ArrayList<>();
        while (!isHunkEnd()) {
            lines.add(hunkLine(label, text.take()));
        }
        boolean isAtEnd = text.startsWith(END_OF_FILE);
        if (isAtEnd) {
            text.take();
        }
        Hunk hunk = new Hunk(label, new Hunk.Below(headers, isAtEnd), lines);
        if (!hunk.isChange()) {
            throw PatchRefusal.of("In %s nothing is changed.", label);
        }
        return hunk;
    }

    private boolean isHunkEnd() {
        return text.isAtEnd()
                || text.startsWith("@@")
                || text.startsWith("*** ")
                || (text.peek().isEmpty() && isOnlyEmptyUntilSection());
    }

    private HunkLine hunkLine(String label, Bytes line) {
        if (line.isEmpty()) {
            return new HunkLine(Kind.KEPT, line, /* isUnterminated= */ false);
        }
        Bytes rest = line.slice(1, line.length());
        return switch (line.at(0)) {
            case ' ' -> new HunkLine(Kind.KEPT, rest, /* isUnterminated= */ false);
            case '-' -> new HunkLine(Kind.REMOVED, rest, /* isUnterminated= */ false);
            case '+' -> new HunkLine(Kind.ADDED, rest, /* isUnterminated= */ false);
            default ->
                    throw PatchRefusal.of(
                            "In %s, line %d of the patch must begin with a blank, - or +: %s.",
                            label, text.number() - 1, Shown.of(line));
        };
    }

    /** Without the blanks and tabs at both ends. */
    static Bytes strip(Bytes line) {
        int from = 0;
        int to = line.length();
        while (from < to && isBlank(line.at(from))) {
            from++;
        }
        while (to > from && isBlank(line.at(to - 1))) {
            to--;
        }
        return line.slice(from, to);
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t' || b == '\r';
    }
}
