package ai.hanzo.dev.host.secret;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A known value in one way to write it: part by part, each part in one of a few spellings. Read
 * from left to right, the longest spelling first, without ever going back. Immutable; safe for all
 * threads.
 */
final class Spelled implements Pattern {
    private final byte[][][] parts;
    private final List<byte[]> before;

    /** Two parts or more, each of one spelling or more. */
    Spelled(List<List<byte[]>> spellings) {
        this(List.of(), spellings);
    }

    /**
     * The same, of which a bit may stand before: it is not looked for, and masked with the rest.
     *
     * @param before its spellings, each of one byte
     */
    Spelled(List<byte[]> before, List<List<byte[]>> spellings) {
        this.before = before;
        parts = new byte[spellings.size()][][];
        for (int i = 0; i < parts.length; i++) {
            List<byte[]> one = new ArrayList<>(spellings.get(i));
            one.sort(Comparator.comparingInt((byte[] spelling) -> -spelling.length));
            parts[i] = one.toArray(byte[][]::new);
        }
    }

    @Override
    public String name() {
        return "secret";
    }

    @Override
    public Set<Pair> beginnings() {
        Set<Pair> pairs = new LinkedHashSet<>();
        for (byte[] first : parts[0]) {
            if (first.length > 1) {
                pairs.add(Pair.of(first));
                continue;
            }
            for (byte[] second : parts[1]) {
                pairs.add(new Pair(first[0], second[0]));
            }
        }
        return pairs;
    }

    @Override
    public int end(byte[] text, int at, int end) {
        return end(text, at, end, 0);
    }

    @Override
    public int from(byte[] text, int at, int least) {
        boolean isBefore = at > least && before.stream().anyMatch(one -> one[0] == text[at - 1]);
        return isBefore ? at - 1 : at;
    }

    /** Where the parts from {@code first} on end; -1 if they do not stand there. */
    private int end(byte[] text, int at, int end, int first) {
        int next = at;
        for (int part = first; part < parts.length; part++) {
            int length = longest(parts[part], text, next, end);
            if (length < 0) {
                return -1;
            }
            next += length;
        }
        return next;
    }

    private static int longest(byte[][] spellings, byte[] text, int at, int end) {
        for (byte[] spelling : spellings) {
            if (TokenShape.begins(text, at, end, spelling)) {
                return spelling.length;
            }
        }
        return -1;
    }

    /** How many bytes at the end of a text may be its first part, if there are {@code least}. */
    int cutAtEnd(byte[] text, int least) {
        for (int at = Math.max(0, text.length - longestBytes() + 1);
                at <= text.length - least;
                at++) {
            if (runsToTheEnd(text, at)) {
                return text.length - from(text, at, 0);
            }
        }
        return 0;
    }

    private boolean runsToTheEnd(byte[] text, int at) {
        int next = at;
        for (byte[][] part : parts) {
            if (next == text.length || isCut(part, text, next)) {
                return true;
            }
            int length = longest(part, text, next, text.length);
            if (length < 0) {
                return false;
            }
            next += length;
        }
        return false;
    }

    private static boolean isCut(byte[][] spellings, byte[] text, int at) {
        int left = text.length - at;
        for (byte[] spelling : spellings) {
            if (spelling.length > left && Arrays.equals(text, at, text.length, spelling, 0, left)) {
                return true;
            }
        }
        return false;
    }

    /**
     * How many bytes at the beginning of a text may be its last part, if there are {@code least}.
     */
    int cutAtBeginning(byte[] text, int least) {
        for (int first = 0; first < parts.length; first++) {
            int end = first == 0 ? -1 : end(text, 0, text.length, first);
            for (byte[] spelling : parts[first]) {
                for (int left = 1; left < spelling.length && end < least; left++) {
                    end = endOfCut(text, spelling, left, first + 1);
                }
            }
            if (end >= least) {
                return end;
            }
        }
        return 0;
    }

    /** The same where only the last {@code left} bytes of a spelling are left. */
    private int endOfCut(byte[] text, byte[] spelling, int left, int next) {
        boolean isThere =
                text.length >= left
                        && Arrays.equals(
                                text, 0, left, spelling, spelling.length - left, spelling.length);
        return isThere ? end(text, left, text.length, next) : -1;
    }

    private int longestBytes() {
        int bytes = 0;
        for (byte[][] part : parts) {
            bytes += part[0].length;
        }
        return bytes;
    }
}
