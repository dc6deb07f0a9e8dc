package ai.hanzo.dev.host.secret;

import ai.hanzo.dev.ledger.Bodies;
import ai.hanzo.dev.protocol.Blob;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.SessionId;
import java.security.SecureRandom;
import java.util.function.Function;

/** Opens the vaults of sessions. Safe for all threads. */
public final class Vaults {
    private final Bodies bodies;
    private final Secrets secrets;
    private final Function<OrgId, Bytes> wrapping;
    private final Function<Blob, Bytes> stored;
    private final SecureRandom random;

    /**
     * Over the bodies of a ledger.
     *
     * @param secrets what is masked
     * @param wrapping the key of an organisation that wraps those of its sessions, 32 bytes
     * @param stored the content of a stored file: where a body was before there were vaults
     */
    public Vaults(
            Bodies bodies,
            Secrets secrets,
            Function<OrgId, Bytes> wrapping,
            Function<Blob, Bytes> stored,
            SecureRandom random) {
        this.bodies = bodies;
        this.secrets = secrets;
        this.wrapping = wrapping;
        this.stored = stored;
        this.random = random;
    }

    /** The vault of a session; nothing is read yet. */
    public Vault of(OrgId org, SessionId session) {
        return new Vault(
                new Vault.Place(org, session),
                bodies,
                new Envelope(wrapping.apply(org), random),
                secrets,
                stored,
                random);
    }

    /**
     * The vault of a session that is about to be made: it has a key of its own already, which is
     * kept with the first bodies that are committed.
     */
    public Vault fresh(OrgId org, SessionId session) {
        return of(org, session).withFreshKey();
    }

    /** What is masked. */
    public Secrets secrets() {
        return secrets;
    }
}
