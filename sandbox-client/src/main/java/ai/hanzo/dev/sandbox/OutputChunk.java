package ai.hanzo.dev.sandbox;

import static java.util.Objects.requireNonNull;

import ai.hanzo.dev.protocol.Bytes;

/**
 * Part of what a command printed.
 *
 * @param content empty: nothing (more) at that offset yet
 * @param totalBytes printed so far
 * @param keptBytes of them, those that can be pulled: offsets 0 to keptBytes - 1
 * @param isEnded nothing more will come
 */
public record OutputChunk(Bytes content, long totalBytes, long keptBytes, boolean isEnded) {
    public OutputChunk {
        requireNonNull(content, "content");
    }
}
