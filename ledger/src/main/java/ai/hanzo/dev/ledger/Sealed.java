package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import java.util.List;
import java.util.Optional;

/**
 * What an entry names that does not stand in it, committed with it. The ledger cannot read it.
 * Immutable.
 *
 * @param key the session's, wrapped, for one that has none yet; a key that is there stays
 * @param artifacts outputs in stored files, which are there already
 */
public record Sealed(Optional<Bytes> key, List<Body> bodies, List<Artifact> artifacts) {
    /** Nothing. */
    public static final Sealed NONE = new Sealed(Optional.empty(), List.of());

    public Sealed {
        bodies = List.copyOf(bodies);
        artifacts = List.copyOf(artifacts);
    }

    /** Bodies alone. */
    public Sealed(Optional<Bytes> key, List<Body> bodies) {
        this(key, bodies, List.of());
    }

    /** The same with these artifacts. */
    public Sealed with(List<Artifact> stored) {
        return new Sealed(key, bodies, stored);
    }

    /**
     * One of them; of two with the same name in a session the first is kept.
     *
     * @param name its SHA-256, or another name of 32 bytes that stands for its content
     */
    public record Body(Sha256 name, Bytes bytes) {}
}
