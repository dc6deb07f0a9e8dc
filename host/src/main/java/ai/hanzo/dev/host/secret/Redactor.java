package ai.hanzo.dev.host.secret;

import ai.hanzo.dev.protocol.Bytes;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Masks secrets: the values that it was given, as they are and encoded ({@link Spellings}), and
 * what has the shape of a token. Works on bytes, because what commands print need not be text. One
 * pass that looks at each pair of bytes once; what nothing is found in comes back as it is.
 * Immutable; safe for all threads.
 */
public final class Redactor {
    /** What begins each mask. */
    public static final String MASK = "[hidden by hanzo: ";

    /** A shorter value is no secret worth the harm that masking it does. */
    static final int LEAST_BYTES = 8;

    /** Of a known value that was cut: fewer of its bytes give nothing away. */
    private static final int LEAST_PART = 6;

    private static final String KEY_BEGINS = "-----BEGIN ";
    private static final String KEY_ENDS = "-----END ";
    private static final String DASHES = "-----";

    private static final int PAIRS = 1 << 16;

    /** By the first two bytes: 0 or the place in {@link #candidates}, plus one. */
    private final char[] byPair = new char[PAIRS];

    private final List<List<Pattern>> candidates = new ArrayList<>();
    private final List<Spelled> known = new ArrayList<>();
    private final List<String> severalWords = new ArrayList<>();

    /** One that knows these values; those that are too short are left out. */
    Redactor(Collection<String> values) {
        for (String value : values) {
            if (value.getBytes(StandardCharsets.UTF_8).length >= LEAST_BYTES) {
                known.addAll(Spellings.of(value));
                if (value.chars().anyMatch(Redactor::isSpace)) {
                    severalWords.add(value);
                    severalWords.add(Spellings.escaped(value));
                }
            }
        }
        known.forEach(this::add);
        TokenShape.all().forEach(this::add);
    }

    private void add(Pattern pattern) {
        for (Pattern.Pair beginning : pattern.beginnings()) {
            int pair = pair(beginning.first(), beginning.second());
            if (byPair[pair] == 0) {
                candidates.add(new ArrayList<>());
                byPair[pair] = (char) candidates.size();
            }
            candidates.get(byPair[pair] - 1).add(pattern);
        }
    }

    private static int pair(byte first, byte second) {
        return (first & 0xff) << 8 | (second & 0xff);
    }

    /** A secret in a text. */
    private record Found(int from, int to, String name) {}

    /** Whether there is a secret in it. */
    public boolean finds(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return next(bytes, 0) != null;
    }

    /** The text with secrets masked; the same one if there are none. */
    public String mask(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Bytes masked = mask(bytes);
        return masked.length() == bytes.length && next(bytes, 0) == null ? text : masked.toUtf8();
    }

    /** The bytes with secrets masked; the same ones if there are none. */
    public Bytes mask(Bytes content) {
        byte[] bytes = content.toArray();
        return next(bytes, 0) == null ? content : mask(bytes);
    }

    private Bytes mask(byte[] bytes) {
        Found found = next(bytes, 0);
        if (found == null) {
            return Bytes.wrap(bytes);
        }
        var out = new ByteArrayOutputStream(bytes.length);
        int done = 0;
        while (found != null) {
            out.write(bytes, done, found.from() - done);
            out.writeBytes((MASK + found.name() + "]").getBytes(StandardCharsets.US_ASCII));
            done = found.to();
            found = next(bytes, done);
        }
        out.write(bytes, done, bytes.length - done);
        return Bytes.wrap(out.toByteArray());
    }

    /**
     * The beginning of something longer, with its secrets masked, and with what may be the first
     * part of one of the known values at its end left out.
     */
    public Bytes maskHead(Bytes head) {
        byte[] bytes = head.toArray();
        int cut = known.stream().mapToInt(one -> one.cutAtEnd(bytes, LEAST_PART)).max().orElse(0);
        return mask(head.slice(0, head.length() - cut));
    }

    /** The end of something longer, in the same way. */
    public Bytes maskTail(Bytes tail) {
        byte[] bytes = tail.toArray();
        int cut =
                known.stream()
                        .mapToInt(one -> one.cutAtBeginning(bytes, LEAST_PART))
                        .max()
                        .orElse(0);
        return mask(tail.slice(cut, tail.length()));
    }

    /**
     * How much of a text can be masked by itself, whatever follows: up to its last whole word, and
     * not into what may be the beginning of a secret of several words.
     */
    int wholeChars(String text) {
        int whole = text.length();
        while (whole > 0 && !isSpace(text.charAt(whole - 1))) {
            whole--;
        }
        int key = text.lastIndexOf(KEY_BEGINS);
        if (key >= 0 && whole > key && whole < endOf(text, key)) {
            whole = key;
        }
        for (String value : severalWords) {
            int across = text.indexOf(value, Math.max(0, whole - value.length() + 1));
            if (across >= 0 && across < whole) {
                whole = across;
            }
            for (int part = Math.min(value.length() - 1, text.length()); part > 0; part--) {
                if (text.startsWith(value.substring(0, part), text.length() - part)) {
                    whole = Math.min(whole, text.length() - part);
                    break;
                }
            }
        }
        return whole;
    }

    /** Behind the last line of a key; far away if that has not come. */
    private static int endOf(String text, int key) {
        int line = text.indexOf(KEY_ENDS, key);
        int dashes = line < 0 ? -1 : text.indexOf(DASHES, line + KEY_ENDS.length());
        return dashes < 0 ? Integer.MAX_VALUE : dashes + DASHES.length();
    }

    private static boolean isSpace(int c) {
        return c <= ' ';
    }

    private @org.jspecify.annotations.Nullable Found next(byte[] text, int from) {
        int last = text.length - 1;
        for (int i = from; i < last; i++) {
            int place = byPair[pair(text[i], text[i + 1])];
            if (place != 0) {
                Found found = at(text, i, from, candidates.get(place - 1));
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    private static @org.jspecify.annotations.Nullable Found at(
            byte[] text, int at, int least, List<Pattern> patterns) {
        Found longest = null;
        for (Pattern pattern : patterns) {
            int end = pattern.end(text, at, text.length);
            if (end > at && (longest == null || end > longest.to())) {
                longest = new Found(pattern.from(text, at, least), end, pattern.name());
            }
        }
        return longest;
    }
}
