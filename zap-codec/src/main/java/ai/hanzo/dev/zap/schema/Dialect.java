package ai.hanzo.dev.zap.schema;

/**
 * How lists and nested structs of a schema are laid out. The bytes of a message do not tell which
 * dialect wrote them, so the schema file must ({@code dialect shape}).
 */
public enum Dialect {
    /**
     * Lists are length-prefixed entries, a struct in a list is a whole message; header version 1.
     */
    HEAD(1),
    /** Packed numbers, inline records, pointer lists, real nested objects; header version 2. */
    SHAPE(2);

    private final int headerVersion;

    Dialect(int headerVersion) {
        this.headerVersion = headerVersion;
    }

    /** The version word in the header of the messages that this dialect builds. */
    public int headerVersion() {
        return headerVersion;
    }
}
