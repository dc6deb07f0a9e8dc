package ai.hanzo.dev.sandbox.netty;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The event loop that all descriptors of a client share.
 *
 * <p>A {@code SOCK_SEQPACKET} descriptor is driven as Netty's datagram channel: the stream channel
 * merges packets when the peer is slow and cuts those above its buffer.
 *
 * <p>Threads: any; its own are daemon threads. Failures: {@link UnsupportedOperationException}
 * where Netty's epoll library cannot be loaded.
 */
public final class PacketLoop implements AutoCloseable {

    /** The largest packet in either direction, as {@code wasm/dev.zap} says: 128 KiB. */
    public static final int MAX_PACKET_BYTES = 131_072;

    /**
     * Twice the largest packet: recv(2) silently drops what does not fit, so an oversize packet is
     * known by being larger than allowed, not by being cut.
     */
    private static final int RECEIVE_BYTES = 2 * MAX_PACKET_BYTES;

    /** Eight of the largest packets. */
    private static final int QUEUED_BYTES = 8 * MAX_PACKET_BYTES;

    private final EventLoopGroup group;
    private final Map<EventLoop, OneReceiveBuffer> buffers = new ConcurrentHashMap<>();

    private PacketLoop(EventLoopGroup group) {
        this.group = group;
    }

    /** Starts a loop with so many threads; one serves hundreds of cells. */
    public static PacketLoop start(int threads) {
        if (!Epoll.isAvailable()) {
            throw new UnsupportedOperationException(
                    "Netty's epoll library cannot be loaded; cells need Linux on x86_64",
                    Epoll.unavailabilityCause());
        }
        return new PacketLoop(
                new MultiThreadIoEventLoopGroup(
                        threads,
                        new DefaultThreadFactory("cell-packets", /* daemon= */ true),
                        EpollIoHandler.newFactory()));
    }

    /**
     * Takes over a descriptor, which must be connected and O_NONBLOCK: a blocking one hangs the
     * loop. It is closed when the port ends; that the loop cannot take it is such an end. The port
     * sends at once; what comes is heard as soon as the loop comes round.
     *
     * @param quick sends over the same socket while the loop has nothing to send; closed with it
     */
    public PacketPort attach(int descriptor, QuickSend quick, PacketListener listener) {
        EventLoop loop = group.next();
        SeqPackets packets = new SeqPackets(loop, quick, listener);
        packets.open(() -> channel(loop, descriptor));
        return packets;
    }

    private Channel channel(EventLoop loop, int descriptor) {
        EpollDomainDatagramChannel channel = new EpollDomainDatagramChannel(descriptor);
        channel.config()
                .setRecvByteBufAllocator(
                        buffers.computeIfAbsent(loop, _ -> new OneReceiveBuffer(RECEIVE_BYTES)))
                .setWriteBufferWaterMark(new WriteBufferWaterMark(QUEUED_BYTES / 2, QUEUED_BYTES));
        return channel;
    }

    /** Ends every port and the threads. */
    @Override
    public void close() {
        Future<?> _ = group.shutdownGracefully(0, 2, TimeUnit.SECONDS);
    }
}
