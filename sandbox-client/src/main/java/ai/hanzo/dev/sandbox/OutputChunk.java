package ai.hanzo.dev.sandbox;

import static java.util.Objects.requireNonNull;

import ai.hanzo.dev.protocol.Bytes;

/**
 * Part of what a command printed.
 *
 * @param offset of the first byte, in the stream
 * @param totalBytes printed so far
 * @param isEnded nothing will follow {@code totalBytes}
 */
public record OutputChunk(Bytes content, long offset, long totalBytes, boolean isEnded) {
    public OutputChunk {
        requireNonNull(content, "content");
    }
}
