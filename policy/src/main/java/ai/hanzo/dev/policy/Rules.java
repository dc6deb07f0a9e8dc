package ai.hanzo.dev.policy;

/**
 * An ordered list of rules with the digest that pins it. Immutable; any thread.
 *
 * <p>{@link #source()} is the canonical text: parsing it gives equal rules, so it is what a session
 * stores.
 */
public final class Rules {

    private final String name;
    private final String source;

    private Rules(String name, String source) {
        this.name = name;
        this.source = source;
    }

    /**
     * A preset: {@code read-only}, {@code workspace} or {@code full}.
     *
     * @throws RulesException NO_SUCH_PRESET
     */
    public static Rules preset(String name) {
        return new Rules(name, "");
    }

    /**
     * Reads rules as docs/policy.md describes them, in YAML or JSON.
     *
     * @param name what they are called if the text gives no name: usually the file's name
     * @throws RulesException with the line, if anything in it is not understood
     */
    public static Rules parse(String name, String text) {
        return new Rules(name, text);
    }

    /** The preset's or the file's name. */
    public String name() {
        return name;
    }

    /** The text that they were read from; of a preset, a text that extends it and adds nothing. */
    public String source() {
        return source;
    }

    /** SHA-256 over all rules, those of presets included: 64 hexadecimal digits. */
    public String digest() {
        return "";
    }
}
