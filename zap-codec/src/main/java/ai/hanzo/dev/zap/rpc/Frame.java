package ai.hanzo.dev.zap.rpc;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.zap.CodecException;

/**
 * A frame of a byte stream: {@code u32 n, u8 direction, n-1 bytes}, little-endian, n from 1 to 64
 * MiB.
 *
 * @param body an envelope, or for a stream's messages its id as u32 and then bytes
 */
public record Frame(Direction direction, Bytes body) {
    /** The largest n. */
    public static final int MAX_BYTES = 64 << 20;

    private static final int STREAM_BYTES = 4;

    /** What a frame carries. */
    public enum Direction {
        /** A {@link Envelope.Call}. */
        REQUEST(1),
        /** An {@link Envelope.Response}. */
        RESPONSE(2),
        /** A {@link Envelope.Call} whose promise is the id of the new stream. */
        STREAM_OPEN(3),
        /** The id of a stream and a message of it. */
        STREAM_MESSAGE(4),
        /** The id of a stream whose sender sends no more. */
        STREAM_END(5);

        private final int number;

        Direction(int number) {
            this.number = number;
        }

        /** The direction byte. */
        public int number() {
            return number;
        }

        static Direction of(int number) {
            return switch (number) {
                case 1 -> REQUEST;
                case 2 -> RESPONSE;
                case 3 -> STREAM_OPEN;
                case 4 -> STREAM_MESSAGE;
                case 5 -> STREAM_END;
                default ->
                        throw CodecException.of(
                                CodecException.Code.BAD_FRAME, 4, "a frame of direction " + number);
            };
        }
    }

    /** Throws {@link IllegalArgumentException} if the body is too long. */
    public Frame {
        if (body.length() > MAX_BYTES - 1) {
            throw new IllegalArgumentException("a frame of " + body.length() + " bytes");
        }
    }

    /**
     * The stream that a message or an end of a stream belongs to, 0 to 2^32-1.
     *
     * @throws CodecException if the body is too short for it
     */
    public long stream() {
        if (body.length() < STREAM_BYTES) {
            throw CodecException.of(
                    CodecException.Code.BAD_FRAME, 5, "a frame of a stream without its id");
        }
        long id = 0;
        for (int i = 0; i < STREAM_BYTES; i++) {
            id |= (body.at(i) & 0xFFL) << (8 * i);
        }
        return id;
    }

    /** The bytes of the frame. */
    public Bytes encode() {
        byte[] bytes = new byte[5 + body.length()];
        int n = body.length() + 1;
        for (int i = 0; i < 4; i++) {
            bytes[i] = (byte) (n >>> (8 * i));
        }
        bytes[4] = (byte) direction.number();
        body.copyTo(bytes, 5);
        return Bytes.wrap(bytes);
    }
}
