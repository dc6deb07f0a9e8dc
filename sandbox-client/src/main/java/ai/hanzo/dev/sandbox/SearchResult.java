package ai.hanzo.dev.sandbox;

import static java.util.Objects.requireNonNull;

import ai.hanzo.dev.protocol.Bytes;
import java.util.List;

/**
 * What a search found, in the order of the files' names.
 *
 * @param files looked through
 * @param binaryFiles passed over, for a NUL in their first 32 KiB
 * @param unreadFiles passed over: above 64 MiB, over 128 directories deep, or not to be opened
 */
public record SearchResult(
        List<Match> matches, End end, int files, int binaryFiles, int unreadFiles) {

    /**
     * One line, or one file.
     *
     * @param path as asked, and below it as it is on disk, perhaps no UTF-8
     * @param line from 1; 0 for a file itself
     * @param text of the line without its end, at most 512 bytes
     * @param isCut the line is longer
     */
    public record Match(Bytes path, int line, Bytes text, boolean isCut) {
        public Match {
            requireNonNull(path, "path");
            requireNonNull(text, "text");
            if (line < 0) {
                throw new IllegalArgumentException("line is negative: " + line);
            }
        }
    }

    /** Why there are no more matches. */
    public enum End {
        /** All was looked at. */
        WHOLE,
        /** There are more than were asked for. */
        LIMIT,
        /** There are more than fit into an answer. */
        BYTES,
        TIMED_OUT
    }

    public SearchResult {
        matches = List.copyOf(matches);
        requireNonNull(end, "end");
    }
}
