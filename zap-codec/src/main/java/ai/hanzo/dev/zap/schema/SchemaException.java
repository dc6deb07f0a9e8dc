package ai.hanzo.dev.zap.schema;

/** A schema file that is refused. The message begins with {@code file:line: }. */
public final class SchemaException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int line;

    SchemaException(String file, int line, String what) {
        super(file + ":" + line + ": " + what);
        this.line = line;
    }

    /** The line of the fault, from 1. */
    public int line() {
        return line;
    }
}
