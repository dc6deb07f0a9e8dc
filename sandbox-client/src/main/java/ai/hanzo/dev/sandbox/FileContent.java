package ai.hanzo.dev.sandbox;

import static java.util.Objects.requireNonNull;

import ai.hanzo.dev.protocol.Bytes;
import java.time.Instant;

/**
 * A range of a file.
 *
 * @param content the bytes of the range; shorter than asked when the file ends
 * @param sizeBytes of the whole file
 * @param mode permission bits
 * @param modified to the nanosecond
 */
public record FileContent(Bytes content, long sizeBytes, int mode, Instant modified) {
    public FileContent {
        requireNonNull(content, "content");
        requireNonNull(modified, "modified");
    }
}
