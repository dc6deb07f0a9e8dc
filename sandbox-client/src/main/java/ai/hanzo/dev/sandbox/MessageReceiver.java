package ai.hanzo.dev.sandbox;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import ai.hanzo.dev.protocol.Bytes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * recvmsg(2) on the supervisor's socket: a packet and at most one descriptor with it. Used by one
 * platform thread, which it blocks.
 *
 * <pre>
 * struct msghdr   name @0 ptr, namelen @8 u32, iov @16 ptr, iovlen @24 u64,
 *                 control @32 ptr, controllen @40 u64, flags @48 i32; 56 bytes
 * struct iovec    base @0 ptr, len @8 u64
 * struct cmsghdr  len @0 u64, level @8 i32, type @12 i32, data @16; padded to 8
 * </pre>
 */
final class MessageReceiver implements AutoCloseable {

    private static final int MSG_CTRUNC = 0x8;
    private static final int MSG_TRUNC = 0x20;
    private static final int MSG_CMSG_CLOEXEC = 0x4000_0000;
    private static final int SCM_RIGHTS = 1;
    private static final int CMSG_HEADER_BYTES = 16;

    /** Room for four descriptors, so that a second one is seen and closed rather than lost. */
    private static final int CONTROL_BYTES = CMSG_HEADER_BYTES + 4 * 4;

    private final int descriptor;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment data;
    private final MemorySegment control = arena.allocate(CONTROL_BYTES, 8);
    private final MemorySegment header = arena.allocate(56, 8);

    /** What came. */
    sealed interface Received {}

    /**
     * A packet.
     *
     * @param descriptor that came with it, close-on-exec; the receiver owns it
     */
    record Packet(Bytes bytes, OptionalInt descriptor) implements Received {}

    /** End of file: the peer is gone, or we shut the socket down. */
    record End() implements Received {}

    /** The kernel failed, or the peer broke the rules; every descriptor that came is closed. */
    record Broken(String what) implements Received {}

    MessageReceiver(int descriptor, int maxPacketBytes) {
        this.descriptor = descriptor;
        this.data = arena.allocate(maxPacketBytes, 8);
        MemorySegment vector = arena.allocate(16, 8);
        vector.set(ADDRESS, 0, data);
        vector.set(JAVA_LONG, 8, maxPacketBytes);
        header.set(ADDRESS, 16, vector);
        header.set(JAVA_LONG, 24, 1);
        header.set(ADDRESS, 32, control);
    }

    /** Waits for the next packet. */
    Received receive() {
        header.set(JAVA_LONG, 40, CONTROL_BYTES);
        long length = Libc.receiveMessage(descriptor, header, MSG_CMSG_CLOEXEC);
        if (length < 0) {
            return new Broken("recvmsg: " + Errno.name((int) -length));
        }
        List<Integer> descriptors = takeDescriptors();
        int flags = header.get(JAVA_INT, 48);
        String fault = faultOf(flags, descriptors.size());
        if (!fault.isEmpty() || length == 0) {
            descriptors.forEach(Libc::close);
            return fault.isEmpty() ? new End() : new Broken(fault);
        }
        Bytes bytes = Bytes.wrap(data.asSlice(0, length).toArray(JAVA_BYTE));
        OptionalInt one =
                descriptors.isEmpty()
                        ? OptionalInt.empty()
                        : OptionalInt.of(descriptors.getFirst());
        return new Packet(bytes, one);
    }

    private static String faultOf(int flags, int descriptors) {
        if ((flags & MSG_TRUNC) != 0) {
            return "a packet larger than the protocol allows";
        }
        if ((flags & MSG_CTRUNC) != 0) {
            return "a descriptor was lost: this process has too many open files";
        }
        return descriptors > 1 ? descriptors + " descriptors in one packet" : "";
    }

    private List<Integer> takeDescriptors() {
        List<Integer> found = new ArrayList<>();
        long end = Math.min(header.get(JAVA_LONG, 40), CONTROL_BYTES);
        long at = 0;
        while (at + CMSG_HEADER_BYTES <= end) {
            long length = control.get(JAVA_LONG, at);
            if (length < CMSG_HEADER_BYTES || length > end - at) {
                break;
            }
            boolean isRights =
                    control.get(JAVA_INT, at + 8) == Libc.SOL_SOCKET
                            && control.get(JAVA_INT, at + 12) == SCM_RIGHTS;
            for (long i = at + CMSG_HEADER_BYTES; isRights && i + 4 <= at + length; i += 4) {
                found.add(control.get(JAVA_INT, i));
            }
            at += (length + 7) & ~7L;
        }
        return found;
    }

    @Override
    public void close() {
        arena.close();
    }
}
