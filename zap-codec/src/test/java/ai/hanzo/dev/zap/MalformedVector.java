package ai.hanzo.dev.zap;

import ai.hanzo.dev.zap.VectorRunner.VectorFailure;
import ai.hanzo.dev.zap.ZapReader.Mode;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A vector of hostile bytes. Read compatibly they must give what Go gives; read strictly, the same
 * or a refusal, and a refusal where the vector recommends one.
 */
final class MalformedVector {
    private final Map<String, Object> vector;
    private final String advice;

    MalformedVector(Map<String, Object> vector) {
        this.vector = vector;
        this.advice = String.valueOf(vector.getOrDefault("recommendForNewCodec", ""));
    }

    void check() {
        if (!"message".equals(Json.get(vector, "kind"))) {
            OtherVectors.checkMalformed(vector, bytes(), advice);
            return;
        }
        byte[] message = bytes();
        Map<String, Object> go = Json.map(Json.get(vector, "go"));
        Object given = Json.get(go, "reads");
        List<Object> reads = Json.isNull(given) ? List.of() : Json.list(given);
        checkCompatible(message, String.valueOf(Json.get(go, "parse")), reads);
        checkStrict(message, reads);
    }

    private byte[] bytes() {
        Object hex = Json.get(vector, "hex");
        if (!Json.isNull(hex)) {
            return VectorText.bytes(hex);
        }
        Object version = Json.get(vector, "version");
        int number = Json.isNull(version) ? 1 : VectorText.number(version).intValueExact();
        var replay = new Replay(ZapWriter.compatible(number), false);
        return replay.run(Json.list(Json.get(vector, "build")));
    }

    private static void checkCompatible(byte[] message, String parse, List<Object> reads) {
        ZapReader reader;
        try {
            reader = ZapReader.open(message, Mode.COMPATIBLE);
        } catch (CodecException refused) {
            String expected =
                    switch (refused.code()) {
                        case TOO_SMALL -> "error: zap: buffer too small";
                        case BAD_MAGIC -> "error: zap: invalid magic bytes";
                        case BAD_VERSION -> "error: zap: unsupported version";
                        default -> "no refusal of code " + refused.code();
                    };
            VectorFailure.unlessEqual(parse, expected, "opening");
            return;
        }
        VectorFailure.unlessEqual(parse, "ok", "opening");
        for (Object read : reads) {
            Map<String, Object> call = Json.map(read);
            String path = (String) Json.get(call, "call");
            String expected = (String) Json.get(call, "result");
            String found = new VectorPath(reader, path).read();
            VectorFailure.unless(
                    isSame(expected, found), path + ": Go " + expected + ", we " + found);
        }
    }

    private static boolean isSame(String expected, String found) {
        if (expected.equals("n/a")) {
            return true;
        }
        if (expected.toLowerCase(Locale.ROOT).contains("panic")) {
            // Where Go panics on a null object, the rule is to answer zero.
            return List.of("0", "false", "nil", "\"\"", "true", "hex:", "n=0[]").contains(found)
                    || found.matches("0x0+");
        }
        if (expected.startsWith("\"") && found.startsWith("\"")) {
            return VectorText.sameBytes(VectorText.unquote(expected), VectorText.unquote(found));
        }
        if (found.startsWith("0x") && !expected.startsWith("0x")) {
            return isSameFloat(expected, found);
        }
        return expected.equals(found);
    }

    /** Go prints a float in decimal, we give its bits. */
    private static boolean isSameFloat(String expected, String bits) {
        String words = expected.replace("+Inf", "Infinity").replace("-Inf", "-Infinity");
        try {
            return bits.length() == 10
                    ? Float.compare(
                                    Float.parseFloat(words),
                                    Float.intBitsToFloat(
                                            Integer.parseUnsignedInt(bits.substring(2), 16)))
                            == 0
                    : Double.compare(
                                    Double.parseDouble(words),
                                    Double.longBitsToDouble(
                                            Long.parseUnsignedLong(bits.substring(2), 16)))
                            == 0;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private void checkStrict(byte[] message, List<Object> reads) {
        ZapReader strict;
        try {
            strict = ZapReader.open(message, Mode.STRICT);
        } catch (CodecException refused) {
            return;
        }
        VectorFailure.unless(!advice.startsWith("refuse at open"), "it is not refused at open");
        ZapReader compatible = ZapReader.open(message, Mode.COMPATIBLE);
        boolean mustAnswer = advice.equals("accept") || advice.startsWith("accept; ");
        for (Object read : reads) {
            String path = (String) Json.get(Json.map(read), "call");
            String expected = new VectorPath(compatible, path).read();
            try {
                String found = new VectorPath(strict, path).read();
                VectorFailure.unlessEqual(expected, found, "read strictly, " + path);
            } catch (CodecException refused) {
                VectorFailure.unless(
                        !mustAnswer || isLoose(refused), path + " is refused: " + refused);
            }
        }
        checkWalk(message, strict, reads);
    }

    /** Strict reading refuses some of what the advice lets pass: text, and lists cut short. */
    private static boolean isLoose(CodecException refused) {
        return switch (refused.code()) {
            case BAD_UTF8, TRUNCATED_LIST, STRIDE_OVERFLOW, BAD_POINTER -> true;
            default -> false;
        };
    }

    /** The strict walk along the paths ends, in a value or a refusal, within its budget. */
    private static void checkWalk(byte[] message, ZapReader strict, List<Object> reads) {
        Budget budget = Budget.standard();
        try {
            new Validator().check(strict, VectorPath.layout(reads), budget);
        } catch (CodecException refused) {
            VectorFailure.unless(refused.code() != CodecException.Code.TOO_MANY_VISITS, "budget");
        }
        VectorFailure.unless(
                budget.visits() <= message.length, "a walk of " + budget.visits() + " visits");
        VectorFailure.unless(
                budget.bytes() <= 2L * message.length, "a walk of " + budget.bytes() + " bytes");
    }
}
