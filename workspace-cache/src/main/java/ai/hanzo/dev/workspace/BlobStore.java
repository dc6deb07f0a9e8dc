package ai.hanzo.dev.workspace;

/**
 * Whole files by their SHA-256. Any thread. What {@link #get} returns was verified; what {@link
 * #put} and {@link Batch#commit} accepted survives a crash of the machine.
 */
public interface BlobStore {

    /**
     * A name that stays with this store and no other has: what was learnt of one holds for it only.
     */
    String id();

    /** Whether the blob is there; its bytes are not looked at. */
    boolean has(Digest digest);

    /**
     * The bytes, verified.
     *
     * @throws WorkspaceException BLOB_MISSING or BLOB_CORRUPT
     */
    byte[] get(Digest digest);

    /**
     * Stores one blob durably; a blob that is there already costs nothing.
     *
     * @throws WorkspaceException STORAGE_FULL, with nothing half written in the store
     */
    Digest put(byte[] data);

    /** Many blobs that become durable together, which is far cheaper than one by one. */
    Batch batch();

    /** Blobs on their way. Any thread may add; one commits. Closing without commit forgets them. */
    interface Batch extends AutoCloseable {

        /** Adds {@code length} bytes of {@code data}; visible in the store after the commit. */
        Digest put(byte[] data, int length);

        /**
         * Adds a file as a store of the same key had it; it is not looked at. One that is there
         * already stays.
         */
        void putFile(Digest digest, byte[] file);

        /** Bytes that were not in the store before. */
        long newBytes();

        /** Makes all of them durable and visible. */
        void commit();

        @Override
        void close();
    }
}
