package ai.hanzo.dev.zap;

import ai.hanzo.dev.zap.VectorRunner.VectorFailure;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A vector of what the public runtime wrote: it must be read and, where told, written the same. */
final class ValidVector {
    private final Map<String, Object> vector;

    ValidVector(Map<String, Object> vector) {
        this.vector = vector;
    }

    void check() {
        byte[] message = bytes();
        VectorFailure.unlessEqual(
                VectorText.number(Json.get(vector, "sizeBytes")).intValueExact(),
                message.length,
                "the number of bytes");
        VectorFailure.unlessEqual(
                String.valueOf(Json.get(vector, "sha256")), VectorText.sha256(message), "SHA-256");
        boolean isMessage = vector.containsKey("rootOffset");
        if (isMessage) {
            checkMessage(message);
        }
        OtherVectors.checkValid(vector, message);
    }

    /** The message as given, or as its calls build it when it is too large to be given. */
    private byte[] bytes() {
        Object hex = Json.get(vector, "hex");
        return Json.isNull(hex) ? replay(true) : VectorText.bytes(hex);
    }

    private void checkMessage(byte[] message) {
        ZapReader reader = ZapReader.open(message, ZapReader.Mode.COMPATIBLE);
        unlessEqual("version", reader.version());
        unlessEqual("flags", reader.flags());
        VectorFailure.unlessEqual(
                VectorText.number(Json.get(vector, "rootOffset")).longValueExact(),
                reader.root(),
                "rootOffset");
        Object values = Json.get(vector, "values");
        VectorFailure.unless(
                vector.containsKey("schema") && vector.containsKey("values"),
                "it does not say what is in the message");
        Object given = Json.get(vector, "schema");
        List<Object> schema = Json.isNull(given) ? List.of() : Json.list(given);
        if (!Json.isNull(values)) {
            new ValueCheck(reader).struct(reader.root(), schema, Json.map(values), "root");
        }
        if (!Json.isNull(Json.get(vector, "build"))) {
            checkBuild(message);
        }
        checkStrict(message, schema, values);
    }

    private void unlessEqual(String key, int found) {
        VectorFailure.unlessEqual(
                VectorText.number(Json.get(vector, key)).intValueExact(), found, key);
    }

    private void checkBuild(byte[] message) {
        byte[] built = replay(true);
        VectorFailure.unless(
                VectorText.sameBytes(message, built),
                "the writer gives other bytes: " + VectorText.hex(shortened(built)));
        byte[] strict;
        try {
            strict = replay(false);
        } catch (IllegalStateException trap) {
            // One of the traps that the strict writer does not let pass.
            return;
        }
        VectorFailure.unless(
                VectorText.sameBytes(message, strict),
                "the strict writer gives other bytes: " + VectorText.hex(shortened(strict)));
    }

    private static byte[] shortened(byte[] bytes) {
        return bytes.length <= 400 ? bytes : Arrays.copyOf(bytes, 400);
    }

    private byte[] replay(boolean isCompatible) {
        int version = VectorText.number(Json.get(vector, "version")).intValueExact();
        ZapWriter writer =
                isCompatible
                        ? ZapWriter.compatible(version)
                        : ZapWriter.of(version, Budget.MAX_MESSAGE_BYTES);
        return new Replay(writer, !isCompatible).run(Json.list(Json.get(vector, "build")));
    }

    /** Strictly read, a message is refused or answers the same; and it is walked within budget. */
    private void checkStrict(byte[] message, List<Object> schema, Object values) {
        Budget budget = Budget.standard();
        try {
            ZapReader reader = ZapReader.open(message, ZapReader.Mode.STRICT);
            new Validator().check(reader, VectorLayout.of("root", schema), budget);
            if (!Json.isNull(values)) {
                new ValueCheck(reader).struct(reader.root(), schema, Json.map(values), "strict");
            }
        } catch (CodecException refused) {
            VectorFailure.unless(
                    mayBeRefused(refused.code()), "read strictly it is refused: " + refused);
        }
        VectorFailure.unless(
                budget.visits() <= message.length, "a walk of " + budget.visits() + " visits");
    }

    /** What Go writes and a trust boundary does not take: no root, shared values. */
    private static boolean mayBeRefused(CodecException.Code code) {
        return switch (code) {
            case BAD_ROOT, OVERLAP, BAD_FLAGS, BAD_POINTER, BAD_UTF8 -> true;
            case TOO_SMALL,
                    TOO_LARGE,
                    BAD_MAGIC,
                    BAD_VERSION,
                    TRAILING_BYTES,
                    NULL_WITH_LENGTH,
                    TRUNCATED_LIST,
                    STRIDE_OVERFLOW,
                    TOO_DEEP,
                    TOO_MANY_VISITS,
                    BAD_VALUE,
                    BAD_FRAME,
                    BAD_CAPABILITY ->
                    false;
        };
    }
}
