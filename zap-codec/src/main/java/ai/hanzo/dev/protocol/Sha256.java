package ai.hanzo.dev.protocol;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** A SHA-256 digest (FIPS 180-4): 32 bytes. */
public record Sha256(Bytes bytes) {
    /** The length of every digest, in bytes. */
    public static final int LENGTH_BYTES = 32;

    /** Throws {@link IllegalArgumentException} when there are not exactly 32 bytes. */
    public Sha256 {
        if (bytes.length() != LENGTH_BYTES) {
            throw new IllegalArgumentException(bytes.length() + " bytes are no SHA-256 digest");
        }
    }

    /** The digest of {@code content}. */
    public static Sha256 of(Bytes content) {
        MessageDigest digest = newDigest();
        digest.update(content.toBuffer());
        return new Sha256(Bytes.wrap(digest.digest()));
    }

    /** The digest written as 64 hexadecimal digits. */
    public static Sha256 parse(String hex) {
        return new Sha256(Bytes.hex(hex));
    }

    /** A fresh digest to feed piece by piece. */
    public static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** 64 lower-case hexadecimal digits. */
    public String toHex() {
        return bytes.toHex();
    }

    @Override
    public String toString() {
        return toHex();
    }
}
