package ai.hanzo.dev.host.secret;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * What a token of some service looks like: a prefix, and so many characters of a set after it. Few
 * and plain, so that ordinary text is left alone; a test holds them against this project's own
 * sources. Immutable; safe for all threads.
 */
final class TokenShape implements Pattern {
    private static final int JWT_PART = 10;

    /**
     * The shapes; each as its issuer documents it: OpenAI and Anthropic keys, GitHub's and GitLab's
     * tokens, AWS access keys, Slack's, Google's, npm's, PyPI's, Hugging Face's, SendGrid's and
     * Stripe's keys, JSON Web Tokens (RFC 7519), private keys in PEM (RFC 7468).
     */
    static List<Pattern> all() {
        IntPredicate dashed = c -> isWord(c) || c == '-';
        IntPredicate upper = c -> (c >= 'A' && c <= 'Z') || isDigit(c);
        return List.of(
                shape("api-key", "sk-", dashed, 20, 2),
                shape("github-token", "ghp_", TokenShape::isAlphanumeric, 36, 0),
                shape("github-token", "gho_", TokenShape::isAlphanumeric, 36, 0),
                shape("github-token", "ghu_", TokenShape::isAlphanumeric, 36, 0),
                shape("github-token", "ghs_", TokenShape::isAlphanumeric, 36, 0),
                shape("github-token", "ghr_", TokenShape::isAlphanumeric, 36, 0),
                shape("github-token", "github_pat_", TokenShape::isWord, 22, 1),
                shape("gitlab-token", "glpat-", dashed, 20, 1),
                shape("aws-key", "AKIA", upper, 16, 0),
                shape("aws-key", "ASIA", upper, 16, 0),
                shape("slack-token", "xoxb-", dashed, 20, 2),
                shape("slack-token", "xoxp-", dashed, 20, 2),
                shape("slack-token", "xoxa-", dashed, 20, 2),
                shape("slack-token", "xoxr-", dashed, 20, 2),
                shape("slack-token", "xapp-", dashed, 20, 2),
                shape("google-key", "AIza", dashed, 35, 1),
                shape("npm-token", "npm_", TokenShape::isAlphanumeric, 36, 0),
                shape("pypi-token", "pypi-AgEIcHlwaS5vcmc", dashed, 50, 0),
                shape("hf-token", "hf_", TokenShape::isAlphanumeric, 34, 0),
                shape("sendgrid-key", "SG.", c -> isWord(c) || c == '-' || c == '.', 60, 1),
                shape("stripe-key", "sk_live_", TokenShape::isAlphanumeric, 20, 1),
                shape("stripe-key", "rk_live_", TokenShape::isAlphanumeric, 20, 1),
                new WebToken(),
                new PrivateKey());
    }

    private final String name;
    private final byte[] prefix;
    private final IntPredicate rest;
    private final int least;
    private final int digits;

    /**
     * @param name what is put in its place says
     * @param rest which bytes may follow
     * @param least how many of them there are at least
     * @param digits how many of them are digits at least
     */
    private TokenShape(String name, String prefix, IntPredicate rest, int least, int digits) {
        this.name = name;
        this.prefix = prefix.getBytes(StandardCharsets.US_ASCII);
        this.rest = rest;
        this.least = least;
        this.digits = digits;
    }

    private static TokenShape shape(
            String name, String prefix, IntPredicate rest, int least, int digits) {
        return new TokenShape(name, prefix, rest, least, digits);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Set<Pair> beginnings() {
        return Set.of(Pair.of(prefix));
    }

    @Override
    public int end(byte[] text, int at, int end) {
        // Only where a word begins: so that a long run is looked through once, not from each place.
        if (!begins(text, at, end, prefix)
                || (at > 0 && (isWord(text[at - 1]) || rest.test(text[at - 1])))) {
            return -1;
        }
        int found = 0;
        int i = at + prefix.length;
        while (i < end && rest.test(text[i])) {
            found += isDigit(text[i]) ? 1 : 0;
            i++;
        }
        int length = i - at - prefix.length;
        return length >= least && found >= digits && !isExample(text, i) ? i : -1;
    }

    /** AWS's own documentation ends its made-up keys so. */
    private static boolean isExample(byte[] text, int end) {
        byte[] word = {'E', 'X', 'A', 'M', 'P', 'L', 'E'};
        return end >= word.length && begins(text, end - word.length, end, word);
    }

    static boolean begins(byte[] text, int at, int end, byte[] with) {
        if (end - at < with.length) {
            return false;
        }
        for (int i = 0; i < with.length; i++) {
            if (text[at + i] != with[i]) {
                return false;
            }
        }
        return true;
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isAlphanumeric(int c) {
        return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    static boolean isWord(int c) {
        return isAlphanumeric(c) || c == '_';
    }

    /** Three parts with dots between; the first two are JSON objects in base64url. */
    private record WebToken() implements Pattern {
        private static final byte[] OBJECT = {'e', 'y', 'J'};

        @Override
        public String name() {
            return "web-token";
        }

        @Override
        public Set<Pair> beginnings() {
            return Set.of(Pair.of(OBJECT));
        }

        @Override
        public int end(byte[] text, int at, int end) {
            if (!begins(text, at, end, OBJECT) || (at > 0 && isOfRun(text[at - 1]))) {
                return -1;
            }
            int payload = part(text, at, end) + 1;
            if (payload == 0 || !begins(text, payload, end, OBJECT)) {
                return -1;
            }
            int signature = part(text, payload, end) + 1;
            if (signature == 0) {
                return -1;
            }
            int last = run(text, signature, end);
            return last - signature >= 2 * JWT_PART ? last : -1;
        }

        /** Where the dot after a part is; -1 if there is none. */
        private static int part(byte[] text, int from, int end) {
            int i = run(text, from, end);
            return i - from >= JWT_PART && i < end && text[i] == '.' ? i : -1;
        }

        private static int run(byte[] text, int from, int end) {
            int i = from;
            while (i < end && isOfRun(text[i])) {
                i++;
            }
            return i;
        }

        private static boolean isOfRun(byte c) {
            return isWord(c) || c == '-';
        }
    }

    /** From its first line to its last, or to the end where that was cut off. */
    private record PrivateKey() implements Pattern {
        private static final byte[] BEGIN = "-----BEGIN ".getBytes(StandardCharsets.US_ASCII);
        private static final byte[] END = "-----END ".getBytes(StandardCharsets.US_ASCII);
        private static final byte[] KIND = "PRIVATE KEY-----".getBytes(StandardCharsets.US_ASCII);
        private static final int LONGEST_KIND = 20;

        /** What begins a line of source code, and has no key below it, is no key. */
        private static final int LEAST = 64;

        @Override
        public String name() {
            return "private-key";
        }

        @Override
        public Set<Pair> beginnings() {
            return Set.of(Pair.of(BEGIN));
        }

        @Override
        public int end(byte[] text, int at, int end) {
            int content = kind(text, at, end, BEGIN);
            if (content < 0) {
                return -1;
            }
            int i = content;
            while (i < end && isOfKey(text, i)) {
                if (begins(text, i, end, BEGIN)) {
                    return -1;
                }
                int last = kind(text, i, end, END);
                if (last >= 0) {
                    return i - content >= LEAST ? last : -1;
                }
                i++;
            }
            return i == end && i - content >= LEAST ? end : -1;
        }

        /** Base64, its line ends also as they are escaped in JSON, and the headers of old keys. */
        private static boolean isOfKey(byte[] text, int at) {
            byte c = text[at];
            return isWord(c) || "+/=\r\n\\- :,\t".indexOf(c) >= 0;
        }

        /** Behind a line that begins so and names a private key; -1 if it does not. */
        private static int kind(byte[] text, int at, int end, byte[] line) {
            if (!begins(text, at, end, line)) {
                return -1;
            }
            int from = at + line.length;
            for (int i = from; i < Math.min(end, from + LONGEST_KIND); i++) {
                if (begins(text, i, end, KIND)) {
                    return i + KIND.length;
                }
            }
            return -1;
        }
    }
}
