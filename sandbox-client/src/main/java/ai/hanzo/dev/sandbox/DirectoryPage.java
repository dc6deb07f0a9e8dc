package ai.hanzo.dev.sandbox;

import java.util.List;

/**
 * Part of a directory, sorted by name.
 *
 * @param total entries of the whole directory
 */
public record DirectoryPage(List<DirectoryEntry> entries, long total) {
    public DirectoryPage {
        entries = List.copyOf(entries);
    }

    /** One name in a directory. */
    public record DirectoryEntry(String name, FileKind kind, long sizeBytes, int mode) {}
}
