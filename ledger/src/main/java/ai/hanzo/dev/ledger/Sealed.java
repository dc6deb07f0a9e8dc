package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import java.util.List;
import java.util.Optional;

/**
 * Bodies that an entry names, committed with it. The ledger cannot read them. Immutable.
 *
 * @param key the session's, wrapped, for one that has none yet; a key that is there stays
 */
public record Sealed(Optional<Bytes> key, List<Body> bodies) {
    /** No bodies. */
    public static final Sealed NONE = new Sealed(Optional.empty(), List.of());

    public Sealed {
        bodies = List.copyOf(bodies);
    }

    /**
     * One of them; of two with the same name in a session the first is kept.
     *
     * @param name its SHA-256, or another name of 32 bytes that stands for its content
     */
    public record Body(Sha256 name, Bytes bytes) {}
}
