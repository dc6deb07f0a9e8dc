package ai.hanzo.dev.host.secret;

/** Something that is recognised in bytes. Immutable; safe for all threads. */
interface Pattern {
    /** What it is, for what is put in its place. */
    String name();

    /** What it begins with; at least two bytes. */
    byte[] prefix();

    /** Where it ends in {@code text[0, end)} if it begins at {@code at}; -1 if it does not. */
    int end(byte[] text, int at, int end);
}
