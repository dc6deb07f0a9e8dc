package ai.hanzo.dev.host.core;

import ai.hanzo.dev.protocol.Bytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals snapshots under an organisation's key, so that a state which somebody wrote into the
 * database is not taken for one that a core gave: the core's own checksum only finds accidents.
 * HMAC-SHA-256 (RFC 2104) over the place of the snapshot and its bytes.
 *
 * <pre>
 *   sealed: length u32, session in UTF-8 | sequence u64 | core digest, 64 digits | state
 * </pre>
 *
 * <p>Immutable; safe for all threads.
 */
public final class SnapshotSeal {
    /** Bytes of a seal. */
    public static final int BYTES = 32;

    /** The shortest key: as long as the digest, by RFC 2104, section 3. */
    private static final int MIN_KEY_BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    /** Throws {@link IllegalArgumentException} for a key below 32 bytes. */
    public SnapshotSeal(Bytes key) {
        if (key.length() < MIN_KEY_BYTES) {
            throw new IllegalArgumentException("a key of " + key.length() + " bytes, below 32");
        }
        this.key = new SecretKeySpec(key.toArray(), ALGORITHM);
    }

    /**
     * Where a snapshot belongs; one that is moved is as bad as one that is changed.
     *
     * @param session its id
     * @param through the sequence of the last entry that it has eaten
     * @param core the module that gave it
     */
    public record Place(String session, long through, CoreDigest core) {}

    /** The seal of a state. */
    public Bytes seal(Place place, Bytes state) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            byte[] session = place.session().getBytes(StandardCharsets.UTF_8);
            mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, session.length));
            mac.update(session);
            mac.update(ByteBuffer.allocate(Long.BYTES).putLong(0, place.through()));
            mac.update(place.core().hex().getBytes(StandardCharsets.US_ASCII));
            mac.update(state.toBuffer());
            return Bytes.wrap(mac.doFinal());
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every Java platform has HmacSHA256", e);
        }
    }

    /**
     * Checks a state before it is restored.
     *
     * @throws CoreException {@code FORGED} if the seal is not that of this state in this place
     */
    public void check(Place place, Bytes state, Bytes seal) {
        // Takes the same time wherever the first difference is.
        if (!MessageDigest.isEqual(seal(place, state).toArray(), seal.toArray())) {
            throw CoreException.forged(place.session());
        }
    }
}
