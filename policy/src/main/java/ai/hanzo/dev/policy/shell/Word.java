package ai.hanzo.dev.policy.shell;

/**
 * A word of a command after quotes are taken away.
 *
 * @param text its value if that is known, else how it was written
 */
public record Word(String text, Known known) {

    /** How much is known of the value. */
    public enum Known {
        /** {@code text} is the value. */
        LITERAL,
        /** One word, of any value: {@code "$x"}. */
        ONE,
        /** Any number of words, none included: {@code $x}, {@code *.c}. */
        MANY
    }

    /** A word of this value. */
    public static Word literal(String text) {
        return new Word(text, Known.LITERAL);
    }

    static Word one(String written) {
        return new Word(written, Known.ONE);
    }

    static Word many(String written) {
        return new Word(written, Known.MANY);
    }

    /** Whether the value is known. */
    public boolean isLiteral() {
        return known == Known.LITERAL;
    }
}
