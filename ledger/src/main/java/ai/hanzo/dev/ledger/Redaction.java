package ai.hanzo.dev.ledger;

/** How an entry was kept clear of secrets. */
public enum Redaction {
    /** What looked like a secret was masked before it was written. */
    MASKED,
    /** The same, and bodies are named, not held. */
    ARTIFACT_REF,
    /** It holds digests only. */
    SECRET_FREE_HASH
}
