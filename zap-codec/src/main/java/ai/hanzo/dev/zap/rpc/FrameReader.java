package ai.hanzo.dev.zap.rpc;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.zap.CodecException;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Cuts a byte stream into frames as the bytes arrive. The buffer grows with what has come, never
 * with what a length promises, and holds at most one frame. After a refusal the stream is dead:
 * there is no way to find the next frame, so the connection must be closed. Used by one thread.
 */
public final class FrameReader {
    private static final int PREFIX_BYTES = 4;
    private static final int FIRST_BYTES = 4096;

    private final int maxBytes;
    private byte[] buffer = new byte[0];
    private int held;

    private FrameReader(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** A reader of frames up to 64 MiB. */
    public static FrameReader standard() {
        return new FrameReader(Frame.MAX_BYTES);
    }

    /** A reader of frames whose n is at most {@code maxBytes}. */
    public static FrameReader of(int maxBytes) {
        return new FrameReader(maxBytes);
    }

    /** Bytes that wait for the rest of their frame. */
    public int heldBytes() {
        return held;
    }

    /** Bytes of the buffer, at most twice what has come and 4 KiB. */
    public int bufferBytes() {
        return buffer.length;
    }

    /**
     * Takes bytes of the stream and hands on each frame that they complete.
     *
     * @throws CodecException if the stream cannot go on; the connection must be closed
     */
    public void feed(byte[] bytes, int from, int length, Consumer<Frame> frames) {
        int at = from;
        int end = from + length;
        while (at < end) {
            long wanted = wanted();
            int taken = (int) Math.min(wanted - held, end - at);
            hold(bytes, at, taken);
            at += taken;
            if (held >= PREFIX_BYTES && held == wanted()) {
                Frame frame = frame();
                release();
                frames.accept(frame);
            }
        }
    }

    /** Bytes of the frame that has begun: its prefix, and once that is there, the whole of it. */
    private long wanted() {
        if (held < PREFIX_BYTES) {
            return PREFIX_BYTES;
        }
        long n = 0;
        for (int i = 0; i < PREFIX_BYTES; i++) {
            n |= (buffer[i] & 0xFFL) << (8 * i);
        }
        if (n < 1 || n > maxBytes) {
            throw CodecException.of(
                    CodecException.Code.BAD_FRAME,
                    0,
                    "a frame of %d bytes, not in 1..%d".formatted(n, maxBytes));
        }
        if (held > PREFIX_BYTES) {
            Frame.Direction.of(buffer[PREFIX_BYTES]);
        }
        return PREFIX_BYTES + n;
    }

    private void hold(byte[] bytes, int from, int length) {
        if (held + length > buffer.length) {
            int grown = Math.max(Math.max(FIRST_BYTES, 2 * held), held + length);
            buffer = Arrays.copyOf(buffer, grown);
        }
        System.arraycopy(bytes, from, buffer, held, length);
        held += length;
    }

    private Frame frame() {
        var direction = Frame.Direction.of(buffer[PREFIX_BYTES]);
        byte[] body = Arrays.copyOfRange(buffer, PREFIX_BYTES + 1, held);
        return new Frame(direction, Bytes.wrap(body));
    }

    private void release() {
        held = 0;
        if (buffer.length > 16 * FIRST_BYTES) {
            buffer = new byte[0];
        }
    }
}
