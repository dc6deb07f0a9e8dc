package ai.hanzo.dev.sandbox;

import ai.hanzo.dev.protocol.Sha256;

/** Bytes that the cell holds for a later request under the same action id. */
public record StagedBytes(Sha256 sha256, long sizeBytes) {}
