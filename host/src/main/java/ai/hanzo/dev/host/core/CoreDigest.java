package ai.hanzo.dev.host.core;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * SHA-256 of a core's module file, as 64 lowercase hexadecimal digits.
 *
 * @param hex the digits
 */
public record CoreDigest(String hex) {
    /** Of SHA-256 in hexadecimal. */
    static final int DIGITS = 64;

    public CoreDigest {
        if (hex.length() != DIGITS || !isHex(hex)) {
            throw new IllegalArgumentException("not a SHA-256 in lowercase hex: " + hex);
        }
    }

    private static boolean isHex(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
                return false;
            }
        }
        return true;
    }

    /** The digest of a module's bytes. */
    public static CoreDigest of(byte[] module) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(module);
            return new CoreDigest(HexFormat.of().formatHex(digest));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Written out: a record's own is spun at its first call, 30 ms of a cold start. */
    @Override
    public boolean equals(Object other) {
        return other instanceof CoreDigest(String otherHex) && hex.equals(otherHex);
    }

    @Override
    public int hashCode() {
        return hex.hashCode();
    }

    @Override
    public String toString() {
        return hex;
    }
}
