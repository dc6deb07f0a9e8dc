package ai.hanzo.dev.workspace;

/** The answer to "may this directory be a workspace?". */
public sealed interface Admission {

    /** It may. */
    record Admitted(Workspace workspace) implements Admission {}

    /**
     * It may not.
     *
     * @param sentence for the user: what is wrong and what to do
     */
    record Refused(Reason reason, String sentence) implements Admission {}

    /** Why a directory is no workspace. */
    enum Reason {
        MISSING,
        NOT_A_DIRECTORY,
        NOT_READABLE,
        FILESYSTEM_ROOT,
        HOME_DIRECTORY,
        STATE_DIRECTORY,
        SYSTEM_DIRECTORY
    }
}
