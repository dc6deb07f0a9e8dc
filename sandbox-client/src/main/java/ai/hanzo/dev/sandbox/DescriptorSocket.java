package ai.hanzo.dev.sandbox;

import ai.hanzo.dev.sandbox.netty.PacketSocket;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A packet socket by its descriptor, which it owns. */
final class DescriptorSocket implements PacketSocket {

    private final int descriptor;
    private final Libc.PacketCalls sending = new Libc.PacketCalls();
    private final Libc.PacketCalls receiving = new Libc.PacketCalls();

    /** For a connected packet socket. */
    DescriptorSocket(int descriptor) {
        this.descriptor = descriptor;
    }

    @Override
    public int descriptor() {
        return descriptor;
    }

    @Override
    public Taken send(byte[] packet) {
        long result = sending.sendNow(descriptor, packet);
        if (result == packet.length) {
            return Taken.SENT;
        }
        if (result == -Errno.EAGAIN) {
            return Taken.FULL;
        }
        if (result == -Errno.EPIPE || result == -Errno.ECONNRESET) {
            return Taken.GONE;
        }
        throw failed("send", result);
    }

    @Override
    public int nextBytes() {
        long result = receiving.nextBytes(descriptor);
        if (result == -Errno.ECONNRESET) {
            // Told once, by a peer that went without having read all: what it sent is still there.
            result = receiving.nextBytes(descriptor);
        }
        if (result == -Errno.EAGAIN) {
            return NONE;
        }
        if (result < 0) {
            throw failed("recv", result);
        }
        return (int) result;
    }

    @Override
    public void take(byte[] packet) {
        long result = receiving.receiveNow(descriptor, packet);
        if (result != packet.length) {
            throw failed("recv of " + packet.length + " bytes", result);
        }
    }

    private static UncheckedIOException failed(String call, long result) {
        String what = result < 0 ? Errno.name((int) -result) : result + " bytes";
        return new UncheckedIOException(new IOException(call + ": " + what));
    }

    @Override
    public void close() {
        Libc.close(descriptor);
    }
}
