package ai.hanzo.dev.workspace;

import java.nio.file.Path;

/**
 * Blobs as files below one directory: {@code objects/ab/cdef…}, written as {@code tmp/…} and
 * renamed. Any thread, and several processes at once. Directories are 0700, files 0400.
 */
public final class DiskBlobStore implements BlobStore {

    private final Path directory;

    /** Opens or makes the store; temporary files that a crash left are swept. */
    public DiskBlobStore(Path directory) {
        this.directory = directory;
    }

    @Override
    public boolean has(Digest digest) {
        return Pending.body(directory.toString());
    }

    @Override
    public byte[] get(Digest digest) {
        return Pending.body("blob");
    }

    @Override
    public Digest put(byte[] data) {
        return Pending.body("blob");
    }

    @Override
    public Batch batch() {
        return Pending.body("blob");
    }
}
