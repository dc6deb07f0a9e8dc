package ai.hanzo.dev.sandbox;

import ai.hanzo.dev.protocol.Bytes;
import java.util.List;

/**
 * What a search found, in path order.
 *
 * @param isCut more would have matched, or a bound was reached
 */
public record SearchResult(List<Match> matches, boolean isCut) {
    public SearchResult {
        matches = List.copyOf(matches);
    }

    /**
     * One line, or one file when no pattern was given.
     *
     * @param line from 1; 0 for a file
     * @param text the line without its end, perhaps cut; empty for a file
     */
    public record Match(String path, long line, Bytes text) {}
}
