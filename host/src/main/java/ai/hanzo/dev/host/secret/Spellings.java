package ai.hanzo.dev.host.secret;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The ways to write a known value that are looked for: as it is, in base64, in hexadecimal digits,
 * percent-encoded, and escaped in JSON. Pure functions.
 */
final class Spellings {
    /** RFC 4648, sections 4 and 5: the two alphabets differ in the last two digits. */
    private static final String BASE64 =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

    private static final String[] LAST_TWO = {"+-", "/_"};
    private static final int DIGIT_BITS = 6;
    private static final int DIGITS = 1 << DIGIT_BITS;

    /** Nobody writes these otherwise in an address (RFC 3986, section 2.3). */
    private static final String UNRESERVED = "-._~";

    /** What JSON escapes by a letter, and the letters (RFC 8259, section 7). */
    private static final String SHORT = "\"\\/\b\f\n\r\t";

    private static final String LETTERS = "\"\\/bfnrt";

    private static final HexFormat UPPER = HexFormat.of().withUpperCase();
    private static final HexFormat LOWER = HexFormat.of();

    private Spellings() {}

    /** All of them for a value of two bytes or more. */
    static List<Spelled> of(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        List<Spelled> all = new ArrayList<>();
        all.add(plain(bytes));
        all.add(hex(bytes));
        for (int before = 0; before < 3; before++) {
            all.add(base64(bytes, before));
        }
        if (value.codePoints().anyMatch(c -> !isUnreserved(c))) {
            all.add(percent(bytes));
        }
        if (value.codePoints().anyMatch(Spellings::isEscaped)) {
            all.add(json(value));
        }
        return all;
    }

    private static Spelled plain(byte[] bytes) {
        List<List<byte[]>> parts = new ArrayList<>();
        for (byte b : bytes) {
            parts.add(List.of(new byte[] {b}));
        }
        return new Spelled(parts);
    }

    private static Spelled hex(byte[] bytes) {
        List<List<byte[]>> parts = new ArrayList<>();
        for (byte b : bytes) {
            parts.add(ascii(List.of(LOWER.toHexDigits(b), UPPER.toHexDigits(b))));
        }
        return new Spelled(parts);
    }

    /**
     * In base64, as a part of something longer: with {@code before} bytes in the group of three
     * that it begins in. A digit that tells of its neighbours, too, has as many spellings as there
     * are neighbours; the first of them is not looked for, because it could be too many. A line may
     * end before each digit.
     */
    private static Spelled base64(byte[] bytes, int before) {
        int from = before * Byte.SIZE;
        int to = from + bytes.length * Byte.SIZE;
        List<List<byte[]>> parts = new ArrayList<>();
        for (int at = from / DIGIT_BITS; at * DIGIT_BITS < to; at++) {
            Set<String> spellings = new LinkedHashSet<>();
            for (int digit = 0; digit < DIGITS; digit++) {
                if (fits(digit, at * DIGIT_BITS, bytes, from, to)) {
                    spellings.addAll(digit(digit));
                }
            }
            Set<String> wrapped = new LinkedHashSet<>(spellings);
            if (!parts.isEmpty()) {
                spellings.forEach(one -> wrapped.addAll(List.of("\n" + one, "\r\n" + one)));
            }
            parts.add(ascii(wrapped));
        }
        return new Spelled(parts.getFirst(), parts.subList(1, parts.size()));
    }

    /** Whether the bits of {@code digit}, from the bit {@code at} on, are those of the value. */
    private static boolean fits(int digit, int at, byte[] bytes, int from, int to) {
        for (int i = 0; i < DIGIT_BITS; i++) {
            int bit = at + i;
            if (bit >= from && bit < to) {
                int place = bit - from;
                int mine = bytes[place / Byte.SIZE] >> (Byte.SIZE - 1 - place % Byte.SIZE) & 1;
                if (mine != (digit >> (DIGIT_BITS - 1 - i) & 1)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static List<String> digit(int digit) {
        if (digit < BASE64.length()) {
            return List.of(BASE64.substring(digit, digit + 1));
        }
        return LAST_TWO[digit - BASE64.length()].chars().mapToObj(Character::toString).toList();
    }

    /** Each byte as it is or after a percent sign: encoders differ in what they leave. */
    private static Spelled percent(byte[] bytes) {
        List<List<byte[]>> parts = new ArrayList<>();
        for (byte b : bytes) {
            List<byte[]> spellings = new ArrayList<>();
            spellings.add(new byte[] {b});
            if (b == ' ') {
                spellings.add(new byte[] {'+'});
            }
            spellings.addAll(
                    ascii(List.of("%" + LOWER.toHexDigits(b), "%" + UPPER.toHexDigits(b))));
            parts.add(spellings);
        }
        return new Spelled(parts);
    }

    private static boolean isUnreserved(int c) {
        return c < 0x80 && (Character.isLetterOrDigit(c) || UNRESERVED.indexOf(c) >= 0);
    }

    /** Each character as it is or escaped: what has to be (RFC 8259), and what writers escape. */
    private static Spelled json(String value) {
        List<List<byte[]>> parts = new ArrayList<>();
        value.codePoints()
                .forEach(c -> {
                    List<byte[]> spellings = new ArrayList<>();
                    spellings.add(Character.toString(c).getBytes(StandardCharsets.UTF_8));
                    if (isEscaped(c)) {
                        spellings.addAll(ascii(List.of(units(c, LOWER), units(c, UPPER))));
                        int known = SHORT.indexOf(c);
                        if (known >= 0) {
                            spellings.add(new byte[] {'\\', (byte) LETTERS.charAt(known)});
                        }
                    }
                    parts.add(spellings);
                });
        return new Spelled(parts);
    }

    /** The text as most write it in JSON. */
    static String escaped(String value) {
        var text = new StringBuilder();
        value.codePoints()
                .forEach(c -> {
                    int known = SHORT.indexOf(c);
                    boolean isShort = known >= 0 && c != '/';
                    if (isShort) {
                        text.append('\\').append(LETTERS.charAt(known));
                    } else {
                        text.append(c < ' ' ? units(c, LOWER) : Character.toString(c));
                    }
                });
        return text.toString();
    }

    private static boolean isEscaped(int c) {
        return c < ' ' || c > '~' || "\"\\/<>&'".indexOf(c) >= 0;
    }

    private static String units(int c, HexFormat digits) {
        StringBuilder escaped = new StringBuilder();
        for (char unit : Character.toChars(c)) {
            escaped.append("\\u").append(digits.toHexDigits(unit));
        }
        return escaped.toString();
    }

    private static List<byte[]> ascii(Collection<String> spellings) {
        return spellings.stream()
                .distinct()
                .map(one -> one.getBytes(StandardCharsets.US_ASCII))
                .toList();
    }
}
