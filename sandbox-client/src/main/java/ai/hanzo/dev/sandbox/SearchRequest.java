package ai.hanzo.dev.sandbox;

import static java.util.Objects.requireNonNull;

/**
 * A search beneath a directory.
 *
 * @param pattern POSIX extended regular expression; empty to find files by glob only
 * @param path where to begin, relative to the workspace; empty for the workspace
 * @param glob which files, by their path; empty for all
 * @param limit at most so many matches, at least 1
 */
public record SearchRequest(String pattern, String path, String glob, int limit) {
    public SearchRequest {
        requireNonNull(pattern, "pattern");
        requireNonNull(path, "path");
        requireNonNull(glob, "glob");
        if (limit < 1) {
            throw new IllegalArgumentException("limit is not positive: " + limit);
        }
    }
}
