package ai.hanzo.dev.sandbox;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * What is at a path.
 *
 * @param mode permission bits
 */
public record FileStat(FileKind kind, long sizeBytes, int mode, Instant modified) {
    public FileStat {
        requireNonNull(kind, "kind");
        requireNonNull(modified, "modified");
    }
}
