package ai.hanzo.dev.protocol;

/**
 * Bytes that are kept in the content-addressed store, named here by digest.
 *
 * @param sizeBytes 0 or more
 * @param mediaType such as {@code text/plain}; may be empty
 * @param name what a person would call it; may be empty
 */
public record Blob(Sha256 digest, long sizeBytes, String mediaType, String name) {
    /** Throws {@link IllegalArgumentException} when the size is negative. */
    public Blob {
        if (sizeBytes < 0) {
            throw new IllegalArgumentException("a blob of " + sizeBytes + " bytes");
        }
    }
}
