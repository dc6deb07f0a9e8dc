package ai.hanzo.dev.host.tool.patch;

import ai.hanzo.dev.host.tool.patch.HunkLine.Kind;
import ai.hanzo.dev.protocol.Bytes;
import java.util.List;

/**
 * A hunk: where it goes and what it does there.
 *
 * @param label how a message names it
 * @param place what is known of where it goes
 */
record Hunk(String label, Place place, List<HunkLine> lines) {

    /** Where a hunk says that it goes. */
    sealed interface Place {}

    /**
     * At a line, from 1; of an empty old side, behind that line.
     *
     * @param line in the file before any hunk
     */
    record AtLine(int line) implements Place {}

    /**
     * Below lines with these texts, each below the one before; none: anywhere.
     *
     * @param isAtEnd its old lines are the last of the file
     */
    record Below(List<Bytes> headers, boolean isAtEnd) implements Place {
        Below {
            headers = List.copyOf(headers);
        }
    }

    Hunk {
        lines = List.copyOf(lines);
    }

    List<Bytes> old() {
        return lines.stream().filter(HunkLine::isOld).map(HunkLine::text).toList();
    }

    boolean isChange() {
        return lines.stream().anyMatch(line -> line.kind() != Kind.KEPT);
    }

    /** The old side ends, by its own word, with the file's unterminated last line. */
    boolean endsOldUnterminated() {
        return lines.stream().anyMatch(line -> line.isOld() && line.isUnterminated());
    }

    boolean endsNewUnterminated() {
        return lines.stream().anyMatch(line -> line.isNew() && line.isUnterminated());
    }
}
