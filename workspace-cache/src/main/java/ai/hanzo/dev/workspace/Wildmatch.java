package ai.hanzo.dev.workspace;

/**
 * git's pattern language (wildmatch.c with WM_PATHNAME): {@code *} and {@code ?} stop at a slash,
 * {@code **} as a whole part does not. Bounded: a pattern that would take too long matches nothing.
 */
final class Wildmatch {

    /** Steps after which a match is given up; ordinary patterns need fewer than 200. */
    private static final int MAX_STEPS = 20_000;

    private final String pattern;
    private final String text;
    private int steps;

    private Wildmatch(String pattern, String text) {
        this.pattern = pattern;
        this.text = text;
    }

    static boolean matches(String pattern, String text) {
        return new Wildmatch(pattern, text).from(0, 0);
    }

    private boolean from(int p0, int t0) {
        int p = p0;
        int t = t0;
        while (p < pattern.length()) {
            if (++steps > MAX_STEPS) {
                return false;
            }
            char c = pattern.charAt(p);
            if (c == '*') {
                return star(p, t);
            }
            if (t >= text.length()) {
                return false;
            }
            char x = text.charAt(t);
            if (c == '?') {
                if (x == '/') {
                    return false;
                }
                p++;
            } else if (c == '[') {
                int next = charClass(p, x);
                if (next < 0 || x == '/') {
                    return false;
                }
                p = next;
            } else {
                if (c == '\\' && p + 1 < pattern.length()) {
                    c = pattern.charAt(++p);
                }
                if (c != x) {
                    return false;
                }
                p++;
            }
            t++;
        }
        return t == text.length();
    }

    private boolean star(int p, int t) {
        boolean two = pattern.startsWith("**", p);
        boolean opens = p == 0 || pattern.charAt(p - 1) == '/';
        boolean closes = p + 2 == pattern.length() || pattern.startsWith("**/", p);
        if (two && opens && closes) {
            if (p + 2 == pattern.length()) {
                return true;
            }
            for (int k = t; k >= 0 && k <= text.length(); k = nextPart(k)) {
                if (from(p + 3, k)) {
                    return true;
                }
            }
            return false;
        }
        int rest = p;
        while (rest < pattern.length() && pattern.charAt(rest) == '*') {
            rest++;
        }
        for (int k = t; k <= text.length(); k++) {
            if (from(rest, k)) {
                return true;
            }
            if (k < text.length() && text.charAt(k) == '/') {
                return false;
            }
            if (steps > MAX_STEPS) {
                return false;
            }
        }
        return false;
    }

    private int nextPart(int k) {
        int slash = text.indexOf('/', k);
        return slash < 0 || steps > MAX_STEPS ? -1 : slash + 1;
    }

    /** The offset after the class at {@code open} if {@code x} is in it, else -1. */
    private int charClass(int open, char x) {
        int p = open + 1;
        boolean negated =
                p < pattern.length() && (pattern.charAt(p) == '!' || pattern.charAt(p) == '^');
        if (negated) {
            p++;
        }
        boolean in = false;
        boolean first = true;
        while (p < pattern.length() && (first || pattern.charAt(p) != ']')) {
            first = false;
            char low = pattern.charAt(p);
            if (low == '\\' && p + 1 < pattern.length()) {
                low = pattern.charAt(++p);
            }
            char high = low;
            if (p + 2 < pattern.length()
                    && pattern.charAt(p + 1) == '-'
                    && pattern.charAt(p + 2) != ']') {
                p += 2;
                high = pattern.charAt(p);
            }
            in |= low <= x && x <= high;
            p++;
        }
        return p < pattern.length() && in != negated ? p + 1 : -1;
    }
}
