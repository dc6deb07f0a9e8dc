package ai.hanzo.dev.zap;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.zap.VectorRunner.VectorFailure;
import ai.hanzo.dev.zap.cap.Capability;
import ai.hanzo.dev.zap.cap.Ed25519Keys;
import ai.hanzo.dev.zap.cap.Verifier;
import ai.hanzo.dev.zap.rpc.Envelope;
import ai.hanzo.dev.zap.rpc.Frame;
import ai.hanzo.dev.zap.rpc.FrameReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What vectors ask for besides messages: envelopes, frames, capabilities. */
final class OtherVectors {
    private OtherVectors() {}

    static void checkValid(Map<String, Object> vector, byte[] bytes) {
        switch (String.valueOf(Json.get(vector, "group"))) {
            case "rpc" -> rpc(vector, Bytes.wrap(bytes));
            case "frame" -> frame(String.valueOf(Json.get(vector, "description")), bytes);
            case "cap" -> capability(vector, Bytes.wrap(bytes));
            default ->
                    VectorFailure.unless(
                            vector.containsKey("rootOffset"),
                            "a vector of no kind that is known: " + Json.get(vector, "group"));
        }
    }

    private static void rpc(Map<String, Object> vector, Bytes bytes) {
        boolean isCall = hasField(vector, "method");
        VectorFailure.unless(
                isCall != hasField(vector, "status"),
                "neither a call nor a response by its schema");
        Envelope envelope = isCall ? Envelope.Call.parse(bytes) : Envelope.Response.parse(bytes);
        ZapReader reader = ZapReader.open(bytes.toArray(), ZapReader.Mode.COMPATIBLE);
        if (reader.version() == Envelope.VERSION && reader.flags() == Envelope.FLAGS) {
            VectorFailure.unlessEqual(bytes, envelope.encode(), "the envelope, written again");
        }
    }

    private static boolean hasField(Map<String, Object> vector, String name) {
        return Json.list(Json.get(vector, "schema")).stream()
                .anyMatch(field ->
                        name.equalsIgnoreCase(String.valueOf(Json.get(Json.map(field), "name"))));
    }

    /** Framing F1 is ours; of the framing of nodes it is seen that the length and message are. */
    private static void frame(String description, byte[] bytes) {
        if (description.contains("node framing")) {
            node(bytes);
            return;
        }
        var frames = new ArrayList<Frame>();
        FrameReader reader = FrameReader.standard();
        for (byte b : bytes) {
            reader.feed(new byte[] {b}, 0, 1, frames::add);
        }
        VectorFailure.unless(!frames.isEmpty(), "there is no frame");
        VectorFailure.unlessEqual(0, reader.heldBytes(), "bytes left");
        Bytes again = Bytes.empty();
        for (Frame frame : frames) {
            again = again.concat(frame.encode());
            switch (frame.direction()) {
                case REQUEST, STREAM_OPEN -> Envelope.Call.parse(frame.body());
                case RESPONSE -> Envelope.Response.parse(frame.body());
                case STREAM_MESSAGE, STREAM_END -> frame.stream();
            }
        }
        VectorFailure.unlessEqual(Bytes.wrap(bytes), again, "the frames, written again");
    }

    /** {@code u32 n, n bytes}: a message, or a request id, a flag and an envelope. */
    private static void node(byte[] bytes) {
        VectorFailure.unlessEqual(
                bytes.length - 4L, bytes.length < 4 ? -4L : Words.u32(bytes, 0), "the length");
        boolean isBare = Words.u32(bytes, 4) == Header.MAGIC;
        int from = isBare ? 4 : 12;
        ZapReader.open(bytes, from, bytes.length - from, ZapReader.Mode.STRICT);
    }

    private static void capability(Map<String, Object> vector, Bytes bytes) {
        Map<String, Object> extra = Json.map(Json.get(vector, "extra"));
        if (String.valueOf(Json.get(vector, "description")).contains("padding flipped")) {
            try {
                Capability.parse(bytes);
            } catch (CodecException refused) {
                VectorFailure.unlessEqual(
                        CodecException.Code.BAD_CAPABILITY, refused.code(), "the refusal");
                return;
            }
            throw new VectorFailure("padding that is not zero is taken");
        }
        Capability capability = Capability.parse(bytes);
        VectorFailure.unlessEqual(
                Json.get(extra, "canonicalBytes"), capability.signed().toHex(), "canonicalBytes");
        VectorFailure.unlessEqual(Json.get(extra, "capId"), capability.id().toHex(), "capId");
        byte[] seed = VectorText.bytes(Json.get(extra, "ed25519Seed"));
        VectorFailure.unlessEqual(
                Json.get(extra, "ed25519PublicKey"),
                VectorText.hex(Ed25519Keys.rawPublicKey(seed)),
                "ed25519PublicKey");
        VectorFailure.unlessEqual(
                Json.get(extra, "signatureFirst64"),
                VectorText.hex(Ed25519Keys.sign(seed, capability.signed().toArray())),
                "the signature");
        verifier().verify(capability, capability.issuedAt());
    }

    static Verifier verifier() {
        return new Verifier(Ed25519Keys::byHash, Set.<Sha256>of()::contains);
    }

    // ---------------------------------------------------------------------------------------

    static void checkMalformed(Map<String, Object> vector, byte[] bytes, String advice) {
        switch (String.valueOf(Json.get(vector, "kind"))) {
            case "rpc" -> malformedRpc(vector, bytes, advice);
            case "frame" -> malformedFrame(bytes, advice);
            case "cap" -> malformedCapability(vector, Bytes.wrap(bytes), advice);
            default ->
                    throw new IllegalArgumentException("no such kind: " + Json.get(vector, "kind"));
        }
    }

    private static void malformedRpc(Map<String, Object> vector, byte[] bytes, String advice) {
        Map<String, Object> go = Json.map(Json.get(vector, "goOther"));
        go.forEach((parser, answer) -> compatibleRpc(parser, String.valueOf(answer), bytes));
        boolean isRefused = false;
        try {
            Envelope.Call.parse(Bytes.wrap(bytes));
        } catch (CodecException refused) {
            isRefused = true;
        }
        if (advice.startsWith("accept")) {
            VectorFailure.unless(!isRefused, "it is refused");
        } else if (advice.startsWith("refuse")) {
            VectorFailure.unless(isRefused, "it is not refused");
        }
    }

    private static void compatibleRpc(String parser, String answer, byte[] bytes) {
        ZapReader reader;
        try {
            reader = ZapReader.open(bytes, ZapReader.Mode.COMPATIBLE);
        } catch (CodecException refused) {
            VectorFailure.unless(answer.startsWith("error"), parser + " is refused: " + refused);
            return;
        }
        VectorFailure.unless(answer.startsWith("ok"), parser + " is not refused: " + answer);
        boolean isCall = parser.equals("ParseRequest");
        String found =
                "ok "
                        + (isCall ? "method=" : "status=")
                        + new VectorPath(reader, "u32@0").read()
                        + " promise="
                        + new VectorPath(reader, "u32@4").read()
                        + (isCall ? " target=" + new VectorPath(reader, "u32@8").read() : "")
                        + (isCall ? " cap=" : " body=")
                        + new VectorPath(reader, "bytes@12").read()
                        + (isCall ? " payload=" + new VectorPath(reader, "bytes@20").read() : "");
        VectorFailure.unlessEqual(answer, found, parser);
    }

    /**
     * Whether a connection would close on these bytes: at the framing or at what a frame carries.
     */
    private static void malformedFrame(byte[] bytes, String advice) {
        boolean isClosed = false;
        List<Frame> frames = new ArrayList<>();
        try {
            FrameReader.standard().feed(bytes, 0, bytes.length, frames::add);
            for (Frame frame : frames) {
                switch (frame.direction()) {
                    case REQUEST, STREAM_OPEN -> Envelope.Call.parse(frame.body());
                    case RESPONSE -> Envelope.Response.parse(frame.body());
                    case STREAM_MESSAGE, STREAM_END -> frame.stream();
                }
            }
        } catch (CodecException refused) {
            isClosed = true;
        }
        if (advice.startsWith("close")) {
            VectorFailure.unless(isClosed, "the connection is not closed");
        } else if (advice.startsWith("drop") || advice.startsWith("answer")) {
            VectorFailure.unless(!isClosed, "the connection is closed");
        }
    }

    private static void malformedCapability(
            Map<String, Object> vector, Bytes bytes, String advice) {
        String description = String.valueOf(Json.get(vector, "description"));
        String why = "";
        try {
            Capability capability = Capability.parse(bytes);
            verifier().verify(capability, now(capability, description));
        } catch (CodecException refused) {
            why = refused.toString();
        }
        if (advice.startsWith("accept")) {
            VectorFailure.unlessEqual("", why, "the refusal");
        } else if (advice.startsWith("refuse")) {
            VectorFailure.unless(!why.isEmpty(), "it is not refused");
        }
    }

    /** The vectors tell the time only in words. */
    private static long now(Capability capability, String description) {
        if (description.contains("equals ExpiresAt")) {
            return capability.expiresAt();
        }
        boolean isLate =
                description.contains("after ExpiresAt")
                        || description.contains("past ExpiresAt")
                        || description.contains("one second after")
                        || description.contains("ExpiresAt + 1");
        return isLate || description.contains("expired")
                ? capability.expiresAt() + 1
                : capability.issuedAt();
    }
}
