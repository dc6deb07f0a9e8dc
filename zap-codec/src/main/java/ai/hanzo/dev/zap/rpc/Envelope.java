package ai.hanzo.dev.zap.rpc;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.zap.CodecException;
import ai.hanzo.dev.zap.ZapReader;
import ai.hanzo.dev.zap.ZapWriter;

/**
 * A call or a response as a message. Nothing in the bytes tells the two apart: the direction byte
 * of the frame does.
 *
 * <pre>
 * Call      28 bytes: method u32 @0, promise u32 @4, target u32 @8, capability bytes @12, payload bytes @20
 * Response  20 bytes: status u32 @0, promise u32 @4, 4 bytes unused, body bytes @12
 * </pre>
 *
 * <p>The layout and the flags are those of the public zap-proto runtimes. Numbers are u32, held
 * here as {@code long}.
 */
public sealed interface Envelope {
    /** The version of the messages. */
    int VERSION = 2;

    /** The flags of the messages: type 200 in the high byte. */
    int FLAGS = 0xC800;

    /** The largest method, promise or status. */
    long MAX_U32 = 0xFFFF_FFFFL;

    /** The promise that the caller chose; never 0 in a call that expects an answer. */
    long promise();

    /** The message. */
    Bytes encode();

    /**
     * A call.
     *
     * @param method its ordinal in the interface, from 1
     * @param target 0, or the promise whose answer takes the place of {@code payload}
     * @param capability a whole capability, or empty
     * @param payload a whole message, or empty
     */
    record Call(long method, long promise, long target, Bytes capability, Bytes payload)
            implements Envelope {
        private static final int OBJECT_BYTES = 28;

        /** Throws {@link IllegalArgumentException} if a number does not fit or the method is 0. */
        public Call {
            checkU32(method);
            checkU32(promise);
            checkU32(target);
            if (method == 0) {
                throw new IllegalArgumentException("methods are counted from 1");
            }
        }

        /**
         * Reads a call.
         *
         * @throws CodecException if it is none, has method 0 or a null root
         */
        public static Call parse(Bytes message) {
            ZapReader reader = open(message);
            long root = reader.root();
            long method = reader.u32(root, 0);
            if (method == 0) {
                throw CodecException.badValue("a call of method 0; methods are counted from 1");
            }
            return new Call(
                    method,
                    reader.u32(root, 4),
                    reader.u32(root, 8),
                    bytes(reader, root, 12),
                    bytes(reader, root, 20));
        }

        @Override
        public Bytes encode() {
            ZapWriter writer = ZapWriter.of(VERSION);
            int object = writer.startObject(OBJECT_BYTES);
            writer.u32(object, 0, (int) method);
            writer.u32(object, 4, (int) promise);
            writer.u32(object, 8, (int) target);
            writer.bytes(object, 12, capability.toArray());
            writer.bytes(object, 20, payload.toArray());
            return finish(writer, object);
        }
    }

    /**
     * An answer.
     *
     * @param body a whole message; empty if the status is not 200 or the method answers nothing
     */
    record Response(long status, long promise, Bytes body) implements Envelope {
        /** The method has answered. */
        public static final int OK = 200;

        /** The call cannot be carried out as it is. */
        public static final int BAD_REQUEST = 400;

        /** There is no such method. */
        public static final int NOT_FOUND = 404;

        /** The method has failed. */
        public static final int FAILED = 500;

        private static final int OBJECT_BYTES = 20;

        /** Throws {@link IllegalArgumentException} if a number does not fit. */
        public Response {
            checkU32(status);
            checkU32(promise);
        }

        /**
         * Reads a response.
         *
         * @throws CodecException if it is none
         */
        public static Response parse(Bytes message) {
            ZapReader reader = open(message);
            long root = reader.root();
            return new Response(reader.u32(root, 0), reader.u32(root, 4), bytes(reader, root, 12));
        }

        @Override
        public Bytes encode() {
            ZapWriter writer = ZapWriter.of(VERSION);
            int object = writer.startObject(OBJECT_BYTES);
            writer.u32(object, 0, (int) status);
            writer.u32(object, 4, (int) promise);
            writer.bytes(object, 12, body.toArray());
            return finish(writer, object);
        }
    }

    private static ZapReader open(Bytes message) {
        return ZapReader.open(message.toArray(), ZapReader.Mode.STRICT);
    }

    private static Bytes bytes(ZapReader reader, long root, int field) {
        return Bytes.wrap(reader.copy(reader.run(root, field)));
    }

    private static Bytes finish(ZapWriter writer, int object) {
        writer.finishRoot(object);
        writer.flags(FLAGS);
        return Bytes.wrap(writer.toByteArray());
    }

    private static void checkU32(long value) {
        if (value < 0 || value > MAX_U32) {
            throw new IllegalArgumentException(value + " is not in 0..2^32-1");
        }
    }
}
