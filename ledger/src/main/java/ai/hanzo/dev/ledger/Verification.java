package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.Seq;

/** What a check of a session's journal found. */
public sealed interface Verification {

    /**
     * All is as it was written.
     *
     * @param entries how many there are
     * @param head digest of the last one
     */
    record Sound(long entries, Sha256 head) implements Verification {}

    /** The first entry that is not as it was written, and a sentence that says why. */
    record Broken(Seq seq, String reason) implements Verification {}

    /** There is no such session in this org. */
    record NoSession() implements Verification {}
}
