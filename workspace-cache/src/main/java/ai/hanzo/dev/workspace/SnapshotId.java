package ai.hanzo.dev.workspace;

/**
 * Names the state of a workspace at one moment. A value; its text form is what the ledger stores.
 *
 * @param root the Merkle root over name, type, mode, size and hash of all that is covered: equal
 *     roots mean equal content
 * @param record the blob from which the snapshot is read: the root directory with its side record
 *     (modification times). Two snapshots of equal content taken at different times may differ here
 */
public record SnapshotId(Digest root, Digest record) {

    /**
     * Reads {@link #text()}.
     *
     * @throws IllegalArgumentException if it is not of that form
     */
    public static SnapshotId parse(String text) {
        if (text.length() != 129 || text.charAt(64) != '-') {
            throw new IllegalArgumentException("not a snapshot id: " + text);
        }
        return new SnapshotId(
                Digest.parse(text.substring(0, 64)), Digest.parse(text.substring(65)));
    }

    /** {@code root-record}, both in hexadecimal: 129 characters. */
    public String text() {
        return root.hex() + "-" + record.hex();
    }

    /** Whether both hold the same content, whatever the modification times. */
    public boolean isSameContent(SnapshotId other) {
        return root.equals(other.root);
    }

    @Override
    public String toString() {
        return text();
    }
}
