package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.Seq;

/**
 * The core's state after it ate the entry at {@code through}.
 *
 * @param core digest of the core that made it
 * @param state as the core gave it
 * @param mac HMAC-SHA-256 of the state and of its place, under the org's key; a state without a
 *     right one is not used
 */
public record Snapshot(Seq through, Sha256 core, Bytes state, Bytes mac) {
    /**
     * How many inputs a core may have eaten since the stored snapshot, while its session works. So
     * many are eaten again when a host has died, within microseconds each; to store the state with
     * each of them was the dearest write of a step (docs/adr/0013). Of a session that rests it is
     * never behind.
     */
    public static final int MOST_BEHIND = 15;
}
