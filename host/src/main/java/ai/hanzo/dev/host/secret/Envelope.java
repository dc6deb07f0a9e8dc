package ai.hanzo.dev.host.secret;

import ai.hanzo.dev.protocol.Bytes;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Optional;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals bytes under one key: AES-256-GCM (NIST SP 800-38D) with a random nonce. At 2^32 seals under
 * one key a nonce may repeat (section 8.3 there); a session stays far below.
 *
 * <pre>
 *   0   u8        version, 1
 *   1   12 bytes  nonce
 *   13  …         ciphertext, as long as the content, and a tag of 16 bytes
 * </pre>
 *
 * <p>Immutable; safe for all threads.
 */
final class Envelope {
    static final int KEY_BYTES = 32;

    private static final byte VERSION = 1;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BYTES = 16;
    private static final int HEAD_BYTES = 1 + NONCE_BYTES;
    private static final String CIPHER = "AES/GCM/NoPadding";

    private final SecretKeySpec key;
    private final SecureRandom random;

    /** Throws {@link IllegalArgumentException} for a key that has not 32 bytes. */
    Envelope(Bytes key, SecureRandom random) {
        if (key.length() != KEY_BYTES) {
            throw new IllegalArgumentException("a key of " + key.length() + " bytes, not 32");
        }
        this.key = new SecretKeySpec(key.toArray(), "AES");
        this.random = random;
    }

    /**
     * Seals {@code content}.
     *
     * @param place where it belongs: it can be opened there only
     */
    Bytes seal(Bytes content, String place) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        byte[] sealed = new byte[HEAD_BYTES + content.length() + TAG_BYTES];
        sealed[0] = VERSION;
        System.arraycopy(nonce, 0, sealed, 1, NONCE_BYTES);
        try {
            Cipher cipher = cipher(Cipher.ENCRYPT_MODE, nonce, place);
            byte[] plain = content.toArray();
            cipher.doFinal(plain, 0, plain.length, sealed, HEAD_BYTES);
            return Bytes.wrap(sealed);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + CIPHER, e);
        }
    }

    /** The content; empty if it was not sealed under this key, for that place, as it is now. */
    Optional<Bytes> open(Bytes sealed, String place) {
        if (sealed.length() < HEAD_BYTES + TAG_BYTES || sealed.at(0) != VERSION) {
            return Optional.empty();
        }
        byte[] all = sealed.toArray();
        byte[] nonce = new byte[NONCE_BYTES];
        System.arraycopy(all, 1, nonce, 0, NONCE_BYTES);
        try {
            Cipher cipher = cipher(Cipher.DECRYPT_MODE, nonce, place);
            return Optional.of(
                    Bytes.wrap(cipher.doFinal(all, HEAD_BYTES, all.length - HEAD_BYTES)));
        } catch (AEADBadTagException e) {
            return Optional.empty();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + CIPHER, e);
        }
    }

    private Cipher cipher(int mode, byte[] nonce, String place) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(CIPHER);
        cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce));
        cipher.updateAAD(place.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }
}
