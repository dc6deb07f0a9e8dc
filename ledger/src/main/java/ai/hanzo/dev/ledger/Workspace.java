package ai.hanzo.dev.ledger;

/**
 * Where a session works.
 *
 * @param path absolute, for people
 * @param machine the machine's id
 * @param device of the directory, as stat tells it
 * @param inode of the directory
 * @param access two sessions never write in one directory at a time
 */
public record Workspace(String path, String machine, long device, long inode, Access access) {

    /** What the session may do there. */
    public enum Access {
        READ,
        WRITE
    }
}
