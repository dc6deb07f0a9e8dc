package ai.hanzo.dev.sandbox;

/** Why a cell refused. Nothing happened, and the action id stays free. */
public enum RefusalCode {
    /** The request itself makes no sense: empty argv, timeout too long, id 0. */
    INVALID,
    /** The path leaves the workspace, by whatever spelling. */
    OUTSIDE,
    NOT_FOUND,
    /** Something is where nothing was expected. */
    EXISTS,
    /** Neither a regular file nor, where that is asked, a directory. */
    WRONG_KIND,
    /** The kernel said no: permissions, or the confinement. */
    DENIED,
    /** The file is not what the change expected. */
    CHANGED,
    /** Over one of {@link Limits}, or past the end of a file. */
    TOO_LARGE,
    /** Too many requests at once. */
    BUSY,
    /** The id was used for another request. */
    ID_REUSED,
    /** The id runs now. */
    ID_RUNNING,
    /** The id was settled earlier, and never runs again. */
    ID_FORGOTTEN,
    /** The cell has not seen the id. */
    ID_UNKNOWN,
    /** Bytes named by hash were never staged, or died with an earlier incarnation. */
    NOT_STAGED,
    /** The disk is full. */
    NO_SPACE,
    /** The cell does not know such a request. */
    UNSUPPORTED,
    /** Anything else that the kernel said; the message names it. */
    FAILED
}
