package ai.hanzo.dev.host.model;

/**
 * What the model side of the host throws. What a provider does wrong is a {@link ModelOutcome}
 * instead.
 */
public final class ModelException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Code code;

    private ModelException(Code code, String message) {
        super(message);
        this.code = code;
    }

    /** What went wrong. */
    public enum Code {
        /** A script file that cannot be played. */
        BAD_SCRIPT,
        /** An edit that does not fit the transcript, or names an entry that has no text. */
        BAD_EDIT
    }

    /** What went wrong. */
    public Code code() {
        return code;
    }

    /** A script that cannot be played; {@code where} says line, column or key. */
    static ModelException badScript(String where, String what) {
        return new ModelException(
                Code.BAD_SCRIPT, "The model script is broken " + where + ": " + what);
    }

    /** An edit of the core that cannot be applied. */
    static ModelException badEdit(int context, String what) {
        return new ModelException(
                Code.BAD_EDIT,
                "An edit does not fit the transcript of context " + context + ": " + what);
    }
}
