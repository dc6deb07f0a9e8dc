package ai.hanzo.dev.sandbox;

import static java.util.Objects.requireNonNull;

import ai.hanzo.dev.protocol.Bytes;
import java.util.OptionalInt;

/**
 * A whole file to write; directories above it that are missing are made. Content that does not fit
 * in one request is staged by the client.
 *
 * @param mode permission bits; empty keeps those of the file, or 0644 for a new one
 * @param expected what must be there now
 */
public record WriteRequest(String path, Bytes content, OptionalInt mode, Expected expected) {
    public WriteRequest {
        requireNonNull(path, "path");
        requireNonNull(content, "content");
        requireNonNull(mode, "mode");
        requireNonNull(expected, "expected");
    }

    /** Over whatever is there, keeping its mode. */
    public static WriteRequest of(String path, Bytes content) {
        return new WriteRequest(path, content, OptionalInt.empty(), Expected.anything());
    }
}
