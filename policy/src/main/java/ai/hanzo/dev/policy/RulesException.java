package ai.hanzo.dev.policy;

/** A rules text that is not accepted. The message is one sentence that names the line. */
public final class RulesException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What is wrong. */
    public enum Code {
        /** Neither of the YAML subset nor JSON. */
        SYNTAX,
        /** A key, operation, verdict or value that does not exist. */
        UNKNOWN,
        /** A key that is needed is missing, or two exclude each other. */
        INVALID,
        /** No preset of that name. */
        NO_SUCH_PRESET
    }

    private final Code code;
    private final int line;

    private RulesException(Code code, int line, String message) {
        super(message);
        this.code = code;
        this.line = line;
    }

    /** What is wrong. */
    public Code code() {
        return code;
    }

    /** The line, from 1; 0 if there is none to name. */
    public int line() {
        return line;
    }

    static RulesException syntax(int line, String what) {
        return at(Code.SYNTAX, line, what);
    }

    static RulesException unknown(int line, String what) {
        return at(Code.UNKNOWN, line, what);
    }

    static RulesException invalid(int line, String what) {
        return at(Code.INVALID, line, what);
    }

    static RulesException noSuchPreset(String name) {
        return new RulesException(
                Code.NO_SUCH_PRESET,
                0,
                "There is no policy '"
                        + name
                        + "': use read-only, workspace, full, or the path of a rules file.");
    }

    private static RulesException at(Code code, int line, String what) {
        return new RulesException(code, line, "Rules, line " + line + ": " + what);
    }
}
