package ai.hanzo.dev.sandbox;

/**
 * Why a cell refused: nothing happened, and the action id stays free. Also why an effect that had
 * begun did not end as asked ({@link FileOutcome.Failure}). Numbers and meanings are those of
 * {@code CellRefusal} in {@code wasm/dev.zap}.
 */
public enum RefusalCode {
    /** The request did not decode: a fault of ours. */
    MALFORMED,
    UNKNOWN_OP,
    /** Over one of {@link Limits}; the message names the size. */
    TOO_LARGE,
    /** Too many requests at once, or the journal is full until acknowledgements come. */
    BUSY,
    /** The bytes do not have the digest that was said. */
    DIGEST_MISMATCH,
    /** The action id was used for another request. */
    ID_REUSE,
    /** The action id was acknowledged, or is at or below the mark: it never runs again. */
    ID_SPENT,
    /** This very action is running. */
    RUNNING,
    /** An argument is out of its range. */
    INVALID,
    /** The path leads out of the workspace, by whatever spelling or link. */
    OUTSIDE,
    NOT_FOUND,
    /** A directory, FIFO, socket or device where a file is needed. */
    NOT_REGULAR,
    NOT_DIRECTORY,
    EXISTS,
    NOT_EMPTY,
    /** The content is not what {@link Expected} says. */
    CONFLICT,
    PAST_END,
    /** By permissions, a read-only mount, or the confinement. */
    DENIED,
    /** {@code .git/hooks} or {@code .git/config}: never writable from a cell. */
    PROTECTED,
    /** The disk is full, or a quota or file size limit is reached. */
    NO_SPACE,
    NOT_STAGED,
    /** No such output, or no longer. */
    NOT_HELD,
    /** No such program, or no permission to run it. */
    NOT_EXECUTABLE,
    /** No process or descriptor to be had. */
    RESOURCES,
    /** Another error of the kernel, named in the message. */
    IO,
    /** Client and cell speak different versions. */
    VERSION,
    /** Nothing of this id is running. */
    NOT_RUNNING
}
