package ai.hanzo.dev.zap;

/** UTF-8 (RFC 3629) without allocation: no surrogates, nothing overlong, nothing above U+10FFFF. */
final class Utf8 {
    private static final long HIGH_BITS = 0x8080808080808080L;

    private Utf8() {}

    static boolean isValid(byte[] array, int from, int length) {
        int at = from;
        int end = from + length;
        while (at < end) {
            at = skipAscii(array, at, end);
            if (at == end) {
                return true;
            }
            int lead = array[at] & 0xFF;
            int more = followers(lead);
            if (more < 0 || at + more >= end || !isSequence(array, at, lead, more)) {
                return false;
            }
            at += more + 1;
        }
        return true;
    }

    private static int skipAscii(byte[] array, int from, int end) {
        int at = from;
        while (at + 8 <= end && ((long) Words.LONG.get(array, at) & HIGH_BITS) == 0) {
            at += 8;
        }
        while (at < end && array[at] >= 0) {
            at++;
        }
        return at;
    }

    private static int followers(int lead) {
        if (lead < 0xC2) {
            return -1;
        }
        if (lead < 0xE0) {
            return 1;
        }
        if (lead < 0xF0) {
            return 2;
        }
        return lead < 0xF5 ? 3 : -1;
    }

    private static boolean isSequence(byte[] array, int at, int lead, int more) {
        for (int i = 1; i <= more; i++) {
            if ((array[at + i] & 0xC0) != 0x80) {
                return false;
            }
        }
        int second = array[at + 1] & 0xFF;
        return switch (lead) {
            case 0xE0 -> second >= 0xA0;
            case 0xED -> second < 0xA0;
            case 0xF0 -> second >= 0x90;
            case 0xF4 -> second < 0x90;
            default -> true;
        };
    }

    /** Bytes that {@code text} takes in UTF-8; an unpaired surrogate takes one, as '?'. */
    static int lengthOf(String text) {
        int length = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                continue;
            }
            if (c < 0x800) {
                length++;
            } else if (!Character.isSurrogate(c)) {
                length += 2;
            } else if (isPair(text, i)) {
                length += 2;
                i++;
            }
        }
        return length;
    }

    /** Writes {@code text} at {@code at} and answers where it ends; the room is there. */
    static int write(String text, byte[] array, int at) {
        int p = at;
        int length = text.length();
        int i = 0;
        for (; i < length; i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                break;
            }
            array[p++] = (byte) c;
        }
        for (; i < length; i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                array[p++] = (byte) c;
            } else if (c < 0x800) {
                array[p++] = (byte) (0xC0 | (c >> 6));
                array[p++] = (byte) (0x80 | (c & 0x3F));
            } else if (!Character.isSurrogate(c)) {
                array[p++] = (byte) (0xE0 | (c >> 12));
                array[p++] = (byte) (0x80 | ((c >> 6) & 0x3F));
                array[p++] = (byte) (0x80 | (c & 0x3F));
            } else if (isPair(text, i)) {
                int point = text.codePointAt(i++);
                array[p++] = (byte) (0xF0 | (point >> 18));
                array[p++] = (byte) (0x80 | ((point >> 12) & 0x3F));
                array[p++] = (byte) (0x80 | ((point >> 6) & 0x3F));
                array[p++] = (byte) (0x80 | (point & 0x3F));
            } else {
                array[p++] = '?';
            }
        }
        return p;
    }

    private static boolean isPair(String text, int i) {
        return Character.isHighSurrogate(text.charAt(i))
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
    }
}
