package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.ActionId;

/**
 * An output of an action that is kept whole, as a stored file. Immutable.
 *
 * @param name what it is to its action: {@code stdout}, {@code stderr}; up to 200 characters
 * @param digest of its content, and the name of the stored file
 */
public record Artifact(
        ActionId action, String name, Sha256 digest, long sizeBytes, String mediaType) {}
