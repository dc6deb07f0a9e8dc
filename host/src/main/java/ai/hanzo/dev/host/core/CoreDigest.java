package ai.hanzo.dev.host.core;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * SHA-256 of a core's module file, as 64 lowercase hexadecimal digits.
 *
 * @param hex the digits
 */
public record CoreDigest(String hex) {
    /** Of SHA-256 in hexadecimal. */
    static final int DIGITS = 64;

    private static final Pattern FORM = Pattern.compile("[0-9a-f]{" + DIGITS + "}");

    public CoreDigest {
        if (!FORM.matcher(hex).matches()) {
            throw new IllegalArgumentException("not a SHA-256 in lowercase hex: " + hex);
        }
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

    @Override
    public String toString() {
        return hex;
    }
}
