package ai.hanzo.dev.host.tool.patch;

import ai.hanzo.dev.protocol.Bytes;

/**
 * One line of a hunk, without its sign and line feed.
 *
 * @param isUnterminated a {@code \ No newline at end of file} follows it
 */
record HunkLine(Kind kind, Bytes text, boolean isUnterminated) {

    /** What becomes of the line. */
    enum Kind {
        KEPT,
        REMOVED,
        ADDED
    }

    boolean isOld() {
        return kind != Kind.ADDED;
    }

    boolean isNew() {
        return kind != Kind.REMOVED;
    }

    HunkLine unterminated() {
        return new HunkLine(kind, text, /* isUnterminated= */ true);
    }

    HunkLine withText(Bytes newText) {
        return new HunkLine(kind, newText, isUnterminated);
    }
}
