package ai.hanzo.dev.host.secret;

import java.util.Set;

/** Something that is recognised in bytes. Immutable; safe for all threads. */
interface Pattern {
    /** What it is, for what is put in its place. */
    String name();

    /** What it may begin with. */
    Set<Pair> beginnings();

    /** Where it ends in {@code text[0, end)} if it begins at {@code at}; -1 if it does not. */
    int end(byte[] text, int at, int end);

    /**
     * Where it begins if it was found at {@code at}: there, or a little before, but not before
     * {@code least}.
     */
    default int from(byte[] text, int at, int least) {
        return at;
    }

    /** Two bytes. */
    record Pair(byte first, byte second) {
        /** The first two of several. */
        static Pair of(byte[] bytes) {
            return new Pair(bytes[0], bytes[1]);
        }
    }
}
