package ai.hanzo.dev.sandbox;

import ai.hanzo.dev.sandbox.netty.QuickSend;

/**
 * Sends over a duplicate of a descriptor, so that it can never be another file's by the time of a
 * send: the event loop closes its own when it likes. Used by one thread at a time.
 */
final class DescriptorSend implements QuickSend {

    private final int descriptor;
    private final Libc.PacketSender sender = new Libc.PacketSender();

    private DescriptorSend(int descriptor) {
        this.descriptor = descriptor;
    }

    /** For a connected packet socket, which stays the caller's. */
    static QuickSend of(int descriptor) {
        int duplicate = Libc.control(descriptor, Libc.F_DUPFD_CLOEXEC, 0);
        return duplicate < 0 ? new Never() : new DescriptorSend(duplicate);
    }

    @Override
    public Taken send(byte[] packet) {
        long result = sender.sendNow(descriptor, packet);
        if (result == packet.length) {
            return Taken.SENT;
        }
        return result == -Errno.EPIPE || result == -Errno.ECONNRESET ? Taken.GONE : Taken.FULL;
    }

    @Override
    public void close() {
        Libc.close(descriptor);
    }

    /** Where there is no descriptor to be had: the event loop sends all. */
    private static final class Never implements QuickSend {
        @Override
        public Taken send(byte[] packet) {
            return Taken.FULL;
        }

        @Override
        public void close() {}
    }
}
