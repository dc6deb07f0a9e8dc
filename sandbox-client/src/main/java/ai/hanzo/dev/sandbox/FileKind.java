package ai.hanzo.dev.sandbox;

/** What kind of thing is at a path. */
public enum FileKind {
    FILE,
    DIRECTORY,
    SYMLINK,
    /** FIFO, socket or device: never opened. */
    OTHER
}
