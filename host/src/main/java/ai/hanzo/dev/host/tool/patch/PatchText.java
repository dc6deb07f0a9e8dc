package ai.hanzo.dev.host.tool.patch;

import ai.hanzo.dev.protocol.Bytes;
import java.util.ArrayList;
import java.util.List;

/**
 * The lines of a patch, read from first to last by one thread.
 *
 * <p>When the very first header line ends with a carriage return, the whole patch was written with
 * CRLF and each line's carriage return belongs to the patch, not to the files.
 */
final class PatchText {

    private static final Bytes NONE = Bytes.empty();

    private final List<Bytes> lines;
    private int at;

    private PatchText(List<Bytes> lines) {
        this.lines = lines;
    }

    static PatchText of(Bytes patch) {
        List<Bytes> lines = split(patch);
        boolean isCrlf =
                lines.stream()
                        .filter(line -> !line.isEmpty())
                        .findFirst()
                        .map(PatchText::endsWithCr)
                        .orElse(false);
        return new PatchText(isCrlf ? lines.stream().map(PatchText::withoutCr).toList() : lines);
    }

    /** The lines without their line feeds; a missing last line feed makes no difference. */
    static List<Bytes> split(Bytes text) {
        List<Bytes> lines = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            if (text.at(i) == '\n') {
                lines.add(text.slice(start, i));
                start = i + 1;
            }
        }
        if (start < text.length()) {
            lines.add(text.slice(start, text.length()));
        }
        return lines;
    }

    static boolean endsWithCr(Bytes line) {
        return !line.isEmpty() && line.at(line.length() - 1) == '\r';
    }

    static Bytes withoutCr(Bytes line) {
        return endsWithCr(line) ? line.slice(0, line.length() - 1) : line;
    }

    /** How many lines there are. */
    int count() {
        return lines.size();
    }

    boolean isAtEnd() {
        return at >= lines.size();
    }

    /** The number of the current line, from 1. */
    int number() {
        return at + 1;
    }

    /** The current line; empty at the end. */
    Bytes peek() {
        return ahead(0);
    }

    /** The line so many behind the current one; empty beyond the end. */
    Bytes ahead(int count) {
        return at + count < lines.size() ? lines.get(at + count) : NONE;
    }

    Bytes take() {
        Bytes line = peek();
        at++;
        return line;
    }

    /** The current line as text, for headers. */
    String peekText() {
        return peek().toUtf8();
    }

    boolean startsWith(String prefix) {
        return starts(peek(), prefix);
    }

    /** Whether {@code line} begins with these ASCII characters. */
    static boolean starts(Bytes line, String prefix) {
        if (line.length() < prefix.length()) {
            return false;
        }
        for (int i = 0; i < prefix.length(); i++) {
            if (line.at(i) != prefix.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    void skipEmptyLines() {
        while (!isAtEnd() && peek().isEmpty()) {
            at++;
        }
    }
}
