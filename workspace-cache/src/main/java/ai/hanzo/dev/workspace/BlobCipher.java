package ai.hanzo.dev.workspace;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals stored files under one key: AES-256-GCM (NIST SP 800-38D) with a random nonce, and the
 * digest of the content as associated data.
 *
 * <pre>
 *   0   4 bytes  "HZB1"
 *   4   8 bytes  which key: the beginning of HMAC-SHA-256 of a fixed word under it
 *   12  12 bytes nonce
 *   24  …        ciphertext, as long as the content, and a tag of 16 bytes
 * </pre>
 *
 * <p>A file without this beginning is from before there was a key, and is its content. Immutable;
 * safe for all threads.
 */
public final class BlobCipher {
    static final int HEAD_BYTES = 12;

    private static final byte[] MAGIC = "HZB1".getBytes(StandardCharsets.US_ASCII);
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BYTES = 16;
    private static final int START = HEAD_BYTES + NONCE_BYTES;
    private static final int KEY_BYTES = 32;
    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final String HMAC = "HmacSHA256";

    private final SecretKeySpec key;
    private final SecureRandom random;
    private final byte[] head;

    /** Throws {@link IllegalArgumentException} for a key that has not 32 bytes. */
    public BlobCipher(byte[] key, SecureRandom random) {
        if (key.length != KEY_BYTES) {
            throw new IllegalArgumentException("a key of " + key.length + " bytes, not 32");
        }
        this.key = new SecretKeySpec(key, "AES");
        this.random = random;
        this.head = Arrays.copyOf(MAGIC, HEAD_BYTES);
        System.arraycopy(nameOf(key), 0, head, MAGIC.length, HEAD_BYTES - MAGIC.length);
    }

    private static byte[] nameOf(byte[] key) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            return mac.doFinal("hanzo dev/which key".getBytes(StandardCharsets.US_ASCII));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + HMAC, e);
        }
    }

    /** Which key it is, as text; tells nothing of it. */
    String keyName() {
        return HexFormat.of().formatHex(head, MAGIC.length, HEAD_BYTES);
    }

    /** The file for so many bytes of {@code data}. */
    byte[] seal(Digest digest, byte[] data, int length) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        byte[] file = Arrays.copyOf(head, START + length + TAG_BYTES);
        System.arraycopy(nonce, 0, file, HEAD_BYTES, NONCE_BYTES);
        try {
            cipher(Cipher.ENCRYPT_MODE, nonce, digest).doFinal(data, 0, length, file, START);
            return file;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + CIPHER, e);
        }
    }

    /** The content of a file of {@link #isOurs}; empty if it is not as it was written. */
    Optional<byte[]> open(Digest digest, byte[] file) {
        if (file.length < START + TAG_BYTES) {
            return Optional.empty();
        }
        byte[] nonce = Arrays.copyOfRange(file, HEAD_BYTES, START);
        try {
            return Optional.of(
                    cipher(Cipher.DECRYPT_MODE, nonce, digest)
                            .doFinal(file, START, file.length - START));
        } catch (AEADBadTagException e) {
            return Optional.empty();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + CIPHER, e);
        }
    }

    private Cipher cipher(int mode, byte[] nonce, Digest digest) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(CIPHER);
        cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce));
        cipher.updateAAD(digest.toBytes());
        return cipher;
    }

    /** Whether a file that begins so was sealed under this key. */
    boolean isOurs(byte[] beginning) {
        return begins(beginning, head);
    }

    /** Whether a file that begins so was sealed, under whatever key. */
    public static boolean isSealed(byte[] beginning) {
        return begins(beginning, MAGIC);
    }

    private static boolean begins(byte[] file, byte[] with) {
        return file.length >= with.length
                && Arrays.equals(file, 0, with.length, with, 0, with.length);
    }
}
