package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.id.TurnId;
import java.util.Optional;

/**
 * An entry that is to be appended. Whoever makes it has masked what is secret in its payload.
 *
 * @param turn the run it belongs to; empty for a new turn, which the ledger numbers
 * @param source who brings it, 1 to 200 characters
 * @param sealed what its payload names and does not hold
 */
public record NewEntry(
        EntryKind kind,
        Optional<TurnId> turn,
        String source,
        Optional<IdempotencyKey> key,
        Payload payload,
        Sealed sealed) {
    private static final int MAX_CHARS = 200;

    /** What the core says. */
    public static final String CORE = "core";

    /** What the host itself knows. */
    public static final String HOST = "host";

    /** Throws {@link IllegalArgumentException} when {@code source} is empty or too long. */
    public NewEntry {
        if (source.isEmpty() || source.length() > MAX_CHARS) {
            throw new IllegalArgumentException("a source has 1 to " + MAX_CHARS + " characters");
        }
    }

    /** An entry that holds all that it names. */
    public NewEntry(
            EntryKind kind,
            Optional<TurnId> turn,
            String source,
            Optional<IdempotencyKey> key,
            Payload payload) {
        this(kind, turn, source, key, payload, Sealed.NONE);
    }

    /** The same entry with what it names. */
    public NewEntry with(Sealed named) {
        return new NewEntry(kind, turn, source, key, payload, named);
    }

    /** How it is kept clear of secrets. */
    public Redaction redaction() {
        return sealed.bodies().isEmpty() ? Redaction.MASKED : Redaction.ARTIFACT_REF;
    }

    /** An entry of the host without a key: an outcome, a note, a timer. */
    public static NewEntry ofHost(EntryKind kind, Optional<TurnId> turn, Bytes payload) {
        return new NewEntry(kind, turn, HOST, Optional.empty(), Payload.of(payload));
    }
}
