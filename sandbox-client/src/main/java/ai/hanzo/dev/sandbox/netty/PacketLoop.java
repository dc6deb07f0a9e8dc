package ai.hanzo.dev.sandbox.netty;

import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * The event loop that all descriptors of a client share.
 *
 * <p>It waits for all of them; packets are sent and received past Netty's channels, by {@link
 * SeqPackets}: those know no {@code SOCK_SEQPACKET}, and let nobody else receive.
 *
 * <p>Threads: any; its own are daemon threads. Failures: {@link UnsupportedOperationException}
 * where Netty's epoll library cannot be loaded.
 */
public final class PacketLoop implements AutoCloseable {

    /** The largest packet in either direction, as {@code wasm/dev.zap} says: 128 KiB. */
    public static final int MAX_PACKET_BYTES = 131_072;

    private final IoEventLoopGroup group;

    private final Lookers lookers = new Lookers(Runtime.getRuntime().availableProcessors());

    private PacketLoop(IoEventLoopGroup group) {
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
     * Takes over a connected socket. It is closed when the port ends; that the loop cannot take it
     * is such an end. The port sends at once; what comes is heard as soon as the loop comes round,
     * or somebody looks.
     */
    public PacketPort attach(PacketSocket socket, PacketListener listener) {
        SeqPackets packets = new SeqPackets(group.next(), socket, listener, lookers);
        packets.open();
        return packets;
    }

    /** Ends every port and the threads. */
    @Override
    public void close() {
        Future<?> _ = group.shutdownGracefully(0, 2, TimeUnit.SECONDS);
    }
}
