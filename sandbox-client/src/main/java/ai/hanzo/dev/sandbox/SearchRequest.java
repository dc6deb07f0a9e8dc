package ai.hanzo.dev.sandbox;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * What to look for, and where.
 *
 * @param path a file, or a directory with all beneath it; empty for the workspace
 * @param glob of a file's name or, with a '/', of its path below {@code path}; empty for all. * and
 *     ? stop at a '/', ** does not; [...]; {a,b}
 * @param limit of matches, 0 to {@value #MOST_MATCHES}; 0 is {@value #DEFAULT_MATCHES}
 * @param timeout after it what was found until then is told; zero is 30 s, at most 2 minutes
 */
public record SearchRequest(String path, Wanted wanted, String glob, int limit, Duration timeout) {

    /** {@code wasm/dev.zap}, CellSearch. */
    public static final int MOST_MATCHES = 2000;

    public static final int DEFAULT_MATCHES = 200;

    /** {@code wasm/dev.zap}, CellSearch.timeoutMillis. */
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

    private static final Duration MOST_TIMEOUT = Duration.ofMinutes(2);

    /** What counts as a match. */
    public sealed interface Wanted {
        /** A line that matches a POSIX extended regular expression. */
        record Expression(String expression, Letters letters) implements Wanted {
            public Expression {
                requireSomething(expression);
                requireNonNull(letters, "letters");
            }
        }

        /** A line that holds this text. */
        record Text(String text, Letters letters) implements Wanted {
            public Text {
                requireSomething(text);
                requireNonNull(letters, "letters");
            }
        }

        /** A file, whatever is in it. */
        record Files() implements Wanted {}

        private static void requireSomething(String pattern) {
            if (pattern.isEmpty()) {
                throw new IllegalArgumentException("an empty pattern is in every line");
            }
        }
    }

    /** Whether capital letters differ from small ones. */
    public enum Letters {
        AS_THEY_ARE,
        CAPITAL_OR_SMALL
    }

    public SearchRequest {
        requireNonNull(path, "path");
        requireNonNull(wanted, "wanted");
        requireNonNull(glob, "glob");
        if (limit < 0 || limit > MOST_MATCHES) {
            throw new IllegalArgumentException("limit is not in 0..2000: " + limit);
        }
        if (timeout.isNegative() || timeout.compareTo(MOST_TIMEOUT) > 0) {
            throw new IllegalArgumentException("timeout is not within 0 and 2 min: " + timeout);
        }
    }

    /** Lines of all files of the workspace. */
    public static SearchRequest expression(String expression) {
        return of(new Wanted.Expression(expression, Letters.AS_THEY_ARE), "");
    }

    /** Files of the workspace by their names. */
    public static SearchRequest files(String glob) {
        return of(new Wanted.Files(), glob);
    }

    private static SearchRequest of(Wanted wanted, String glob) {
        return new SearchRequest("", wanted, glob, 0, Duration.ZERO);
    }

    public SearchRequest in(String place) {
        return new SearchRequest(place, wanted, glob, limit, timeout);
    }

    public SearchRequest withGlob(String pattern) {
        return new SearchRequest(path, wanted, pattern, limit, timeout);
    }

    public SearchRequest withLimit(int matches) {
        return new SearchRequest(path, wanted, glob, matches, timeout);
    }

    public SearchRequest withTimeout(Duration atMost) {
        return new SearchRequest(path, wanted, glob, limit, atMost);
    }

    Duration effectiveTimeout() {
        return timeout.isZero() ? DEFAULT_TIMEOUT : timeout;
    }
}
