package ai.hanzo.dev.sandbox;

import static java.util.Objects.requireNonNull;

import ai.hanzo.dev.protocol.Bytes;
import java.time.Instant;
import java.util.List;

/**
 * Part of a directory, sorted by the bytes of the names.
 *
 * @param total entries of the whole directory
 */
public record DirectoryPage(List<DirectoryEntry> entries, long total) {
    public DirectoryPage {
        entries = List.copyOf(entries);
    }

    /**
     * One name in a directory; links are not followed.
     *
     * @param name as it is on disk, perhaps no UTF-8
     */
    public record DirectoryEntry(
            Bytes name, FileKind kind, long sizeBytes, int mode, Instant modified) {
        public DirectoryEntry {
            requireNonNull(name, "name");
            requireNonNull(kind, "kind");
            requireNonNull(modified, "modified");
        }
    }
}
