package ai.hanzo.dev.protocol.id;

import java.util.UUID;

/**
 * UUIDs as 26 characters of Crockford's base 32 (https://www.crockford.com/base32.html), lower
 * case, so that ids sort by time and can be read aloud. Pure functions.
 */
final class Crockford {
    private static final String ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
    static final int LENGTH = 26;

    private Crockford() {}

    /** The 26 characters of the 128 bits of {@code uuid}. */
    static String encode(UUID uuid) {
        char[] out = new char[LENGTH];
        long high = uuid.getMostSignificantBits();
        long low = uuid.getLeastSignificantBits();
        for (int i = LENGTH - 1; i >= 0; i--) {
            out[i] = ALPHABET.charAt((int) (low & 31));
            low = (low >>> 5) | (high << 59);
            high >>>= 5;
        }
        return new String(out);
    }

    /** Whether {@code text} is 26 characters of the alphabet and holds no more than 128 bits. */
    static boolean isValid(String text) {
        return text.length() == LENGTH
                && text.charAt(0) <= '7'
                && text.chars().allMatch(c -> ALPHABET.indexOf(c) >= 0);
    }

    /** {@code prefix} followed by the id, or the sentence that says what is wrong with it. */
    static String require(String prefix, String value) {
        if (!value.startsWith(prefix) || !isValid(value.substring(prefix.length()))) {
            throw new IllegalArgumentException(
                    "'" + value + "' is not an id of the form " + prefix + " and 26 characters");
        }
        return value;
    }
}
