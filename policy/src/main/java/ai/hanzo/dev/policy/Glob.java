package ai.hanzo.dev.policy;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A pattern over text with a separator: {@code *} is anything but the separator, {@code **}
 * anything, {@code ?} one character, {@code [a-z]} and {@code [!a-z]} one of a class. {@code
 * dir/**} is what is in dir, not dir itself; {@code **}{@code /x} is x at any depth, none included.
 *
 * @param text as it was written
 */
record Glob(String text, Pattern pattern) {

    /**
     * Compiles {@code text}.
     *
     * @throws IllegalArgumentException if a class is not closed or is no class
     */
    static Glob of(String text, char separator) {
        String not = Pattern.quote(String.valueOf(separator));
        StringBuilder regex = new StringBuilder();
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i);
            if (text.startsWith("**" + separator, i)
                    && (i == 0 || text.charAt(i - 1) == separator)) {
                regex.append("(?:.*").append(not).append(")?");
                i += 3;
            } else if (text.startsWith("**", i)) {
                regex.append(".*");
                i += 2;
            } else if (c == '*') {
                regex.append("[^").append(not).append("]*");
                i++;
            } else if (c == '?') {
                regex.append("[^").append(not).append("]");
                i++;
            } else if (c == '[') {
                i = charClass(text, i, regex);
            } else {
                regex.append(Pattern.quote(String.valueOf(c)));
                i++;
            }
        }
        try {
            return new Glob(text, Pattern.compile(regex.toString(), Pattern.DOTALL));
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("'" + text + "' is no pattern", e);
        }
    }

    private static int charClass(String text, int open, StringBuilder regex) {
        int close = text.indexOf(']', open + 2);
        if (close < 0) {
            throw new IllegalArgumentException("'[' is not closed in '" + text + "'");
        }
        String inside = text.substring(open + 1, close);
        boolean negated = inside.startsWith("!") || inside.startsWith("^");
        String set = negated ? inside.substring(1) : inside;
        regex.append(negated ? "[^" : "[")
                .append(set.replaceAll("[\\\\\\[\\]&^~|]", "\\\\$0"))
                .append(']');
        return close + 1;
    }

    boolean matches(String value) {
        return pattern.matcher(value).matches();
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Glob g && g.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }
}
