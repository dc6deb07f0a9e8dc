package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.Seq;

/**
 * The core's state after it ate the entry at {@code through}.
 *
 * @param core digest of the core that made it
 * @param state as the core gave it
 * @param mac HMAC-SHA-256 of {@code state} under the org's key; empty where there is none yet
 */
public record Snapshot(Seq through, Sha256 core, Bytes state, Bytes mac) {}
