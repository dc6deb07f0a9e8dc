package ai.hanzo.dev.sandbox;

import java.util.Optional;

/** Makes a received descriptor fit for the event loop. */
final class Descriptors {

    /**
     * Room for a few of the largest packets. The kernel doubles it and caps it at {@code
     * net.core.wmem_max}; even the usual 212,992 holds one packet of 128 KiB.
     */
    private static final int SEND_BUFFER_BYTES = 512 * 1024;

    private Descriptors() {}

    /**
     * Sets O_NONBLOCK (on our end only), a larger send buffer, and, where the kernel can (6.16),
     * that the peer cannot send us descriptors; older kernels drop them on a plain recv. The
     * supervisor has done all of it to the pairs that it gives ({@code pair.c}), O_NONBLOCK last,
     * and a lease waits for each call.
     *
     * @return what failed, if it matters
     */
    static Optional<String> prepare(int descriptor) {
        if (Libc.isNonBlocking(descriptor)) {
            return Optional.empty();
        }
        int result = Libc.setNonBlocking(descriptor);
        if (result < 0) {
            return Optional.of("fcntl(O_NONBLOCK): " + Errno.name(-result));
        }
        Libc.setOption(descriptor, Libc.SO_SNDBUF, SEND_BUFFER_BYTES);
        Libc.setOption(descriptor, Libc.SO_PASSRIGHTS, 0);
        return Optional.empty();
    }
}
