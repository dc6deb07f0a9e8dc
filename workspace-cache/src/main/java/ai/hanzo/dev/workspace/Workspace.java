package ai.hanzo.dev.workspace;

import java.nio.file.Path;

/**
 * A directory that was admitted as a workspace. A value; (device, inode) is its identity on this
 * machine, checked again whenever the directory is opened.
 *
 * @param path its real path
 * @param device {@code st_dev}
 * @param inode {@code st_ino}
 * @param uid its owner
 * @param gid its group
 */
public record Workspace(Path path, long device, long inode, int uid, int gid) {

    public Workspace {
        if (!path.isAbsolute()) {
            throw new IllegalArgumentException("a workspace has an absolute path: " + path);
        }
    }
}
