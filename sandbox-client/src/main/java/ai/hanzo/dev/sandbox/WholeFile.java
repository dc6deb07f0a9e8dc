package ai.hanzo.dev.sandbox;

import static java.util.Objects.requireNonNull;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;

/**
 * A whole file, read in as many pieces as it takes and proved to be one version of it.
 *
 * @param sha256 of the content, as the cell computed it and the client found it
 * @param mode permission bits
 */
public record WholeFile(Bytes content, Sha256 sha256, int mode) {
    public WholeFile {
        requireNonNull(content, "content");
        requireNonNull(sha256, "sha256");
    }
}
