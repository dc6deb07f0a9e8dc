package ai.hanzo.dev.zap;

import ai.hanzo.dev.zap.VectorRunner.VectorFailure;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/** How the vectors write bytes, numbers and texts. */
final class VectorText {
    private VectorText() {}

    /** {@code "0a0b"} or {@code "repeat:0a0b*100"}; null is none. */
    static byte[] bytes(Object value) {
        if (Json.isNull(value)) {
            return new byte[0];
        }
        String text = (String) value;
        if (!text.startsWith("repeat:")) {
            return HexFormat.of().parseHex(text);
        }
        int star = text.lastIndexOf('*');
        byte[] unit = HexFormat.of().parseHex(text.substring("repeat:".length(), star));
        int times = Integer.parseInt(text.substring(star + 1));
        byte[] all = new byte[unit.length * times];
        for (int i = 0; i < all.length; i += unit.length) {
            System.arraycopy(unit, 0, all, i, unit.length);
        }
        return all;
    }

    /** A text as UTF-8, which may be a repetition too. */
    static byte[] text(Object value) {
        if (value instanceof String text && text.matches("repeat:.*\\*\\d+")) {
            int star = text.lastIndexOf('*');
            String unit = text.substring("repeat:".length(), star);
            int times = Integer.parseInt(text.substring(star + 1));
            boolean isHex = unit.matches("([0-9a-f]{2})+");
            return isHex ? bytes(text) : unit.repeat(times).getBytes(StandardCharsets.UTF_8);
        }
        return Json.isNull(value) ? new byte[0] : ((String) value).getBytes(StandardCharsets.UTF_8);
    }

    static BigInteger number(Object value) {
        if (value instanceof String text && text.startsWith("0x")) {
            return new BigInteger(text.substring(2), 16);
        }
        return value instanceof BigDecimal n
                ? n.toBigIntegerExact()
                : new BigInteger((String) value);
    }

    static String sha256(byte[] bytes) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    /** The bytes of a Go string literal, as strconv.Quote writes it. */
    static byte[] unquote(String quoted) {
        VectorFailure.unless(
                quoted.length() >= 2 && quoted.startsWith("\"") && quoted.endsWith("\""),
                "no quoted string: " + quoted);
        var out = new ByteArrayOutputStream();
        int end = quoted.length() - 1;
        for (int at = 1; at < end; ) {
            int c = quoted.codePointAt(at);
            if (c == '\\') {
                at = escape(quoted, at + 1, out);
            } else {
                out.writeBytes(Character.toString(c).getBytes(StandardCharsets.UTF_8));
                at += Character.charCount(c);
            }
        }
        return out.toByteArray();
    }

    private static int escape(String quoted, int at, ByteArrayOutputStream out) {
        char c = quoted.charAt(at);
        int digits =
                switch (c) {
                    case 'x' -> 2;
                    case 'u' -> 4;
                    case 'U' -> 8;
                    default -> 0;
                };
        if (digits == 0) {
            int index = "abfnrtv".indexOf(c);
            out.write(index < 0 ? c : "\007\b\f\n\r\t\013".charAt(index));
            return at + 1;
        }
        int code = Integer.parseUnsignedInt(quoted.substring(at + 1, at + 1 + digits), 16);
        if (c == 'x') {
            out.write(code);
        } else {
            out.writeBytes(Character.toString(code).getBytes(StandardCharsets.UTF_8));
        }
        return at + 1 + digits;
    }

    static boolean sameBytes(byte[] a, byte[] b) {
        return Arrays.equals(a, b);
    }
}
