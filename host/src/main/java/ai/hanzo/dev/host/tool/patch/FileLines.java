package ai.hanzo.dev.host.tool.patch;

import ai.hanzo.dev.protocol.Bytes;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.function.Predicate;

/**
 * A file as lines, put together again byte for byte.
 *
 * @param bom the byte order mark that it begins with, taken off the first line; or nothing
 * @param eol what ends each line and is not in {@code lines}: LF, or CRLF
 * @param isTerminated whether the last line ends so too; true of an empty file
 */
record FileLines(Bytes bom, Bytes eol, List<Bytes> lines, boolean isTerminated) {

    /** UTF-8's byte order mark. */
    static final Bytes BOM = Bytes.hex("efbbbf");

    private static final Bytes LF = Bytes.hex("0a");
    private static final Bytes CRLF = Bytes.hex("0d0a");

    FileLines {
        lines = List.copyOf(lines);
    }

    /**
     * Splits a file the way that fits the hunks for it: its byte order mark and its carriage
     * returns are part of the lines only if the hunks speak of them. So a patch written in plain
     * lines changes a file with CRLF throughout and leaves it one.
     */
    static FileLines of(Bytes content, List<Hunk> hunks) {
        boolean hasBom = hasBom(content) && !speaksOf(hunks, FileLines::hasBom);
        Bytes rest = hasBom ? content.slice(BOM.length(), content.length()) : content;
        boolean isTerminated = rest.isEmpty() || rest.at(rest.length() - 1) == '\n';
        List<Bytes> lines = PatchText.split(rest);
        List<Bytes> ended = isTerminated ? lines : lines.subList(0, lines.size() - 1);
        boolean isCrlf =
                !ended.isEmpty()
                        && ended.stream().allMatch(PatchText::endsWithCr)
                        && !speaksOf(hunks, PatchText::endsWithCr);
        if (isCrlf) {
            int count = ended.size();
            for (int i = 0; i < count; i++) {
                lines.set(i, PatchText.withoutCr(lines.get(i)));
            }
        }
        return new FileLines(hasBom ? BOM : Bytes.empty(), isCrlf ? CRLF : LF, lines, isTerminated);
    }

    private static boolean speaksOf(List<Hunk> hunks, Predicate<Bytes> peculiarity) {
        return hunks.stream()
                .flatMap(hunk -> hunk.lines().stream())
                .anyMatch(line -> peculiarity.test(line.text()));
    }

    private static boolean hasBom(Bytes content) {
        return content.length() >= BOM.length() && content.slice(0, BOM.length()).equals(BOM);
    }

    /** The same file with other lines. */
    FileLines with(List<Bytes> newLines, boolean newIsTerminated) {
        return new FileLines(bom, eol, newLines, newIsTerminated);
    }

    Bytes join() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(bom.toArray());
        for (int i = 0; i < lines.size(); i++) {
            out.writeBytes(lines.get(i).toArray());
            if (i < lines.size() - 1 || isTerminated) {
                out.writeBytes(eol.toArray());
            }
        }
        return Bytes.wrap(out.toByteArray());
    }
}
