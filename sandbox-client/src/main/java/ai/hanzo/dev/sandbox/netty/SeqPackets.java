package ai.hanzo.dev.sandbox.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.unix.DomainDatagramPacket;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The one handler of a packet channel, and its port. The channel's event loop calls the handler;
 * any thread calls the port.
 */
final class SeqPackets extends SimpleChannelInboundHandler<DomainDatagramPacket>
        implements PacketPort {

    /** Packets that may queue before there is a channel to say when it is full. */
    private static final int MOST_BEFORE = 8;

    private final EventLoop loop;
    private final PacketListener listener;

    /** Set by the loop in its first task for this port; any thread may use it from then on. */
    private volatile @Nullable Channel channel;

    /** Counted down by the loop: packets that it has and has not sent, which go first. */
    private final AtomicInteger behind = new AtomicInteger();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition room = lock.newCondition();

    /** Guarded by {@code lock}. */
    private final QuickSend quick;

    /** Written under {@code lock}. */
    private volatile boolean isEnded;

    SeqPackets(EventLoop loop, QuickSend quick, PacketListener listener) {
        this.loop = loop;
        this.quick = quick;
        this.listener = listener;
    }

    /** Has the loop make its channel: nobody waits for that, for packets go past it. */
    void open(Supplier<Channel> making) {
        loop.execute(() -> {
            Channel made;
            try {
                made = making.get();
            } catch (RuntimeException e) {
                end(new PacketEnd.Failed(e));
                return;
            }
            made.pipeline().addLast(this);
            loop.register(made).addListener(this::endUnlessDone);
            // Not before: others may use it at once, and it has to know its loop by then.
            channel = made;
            signal();
        });
    }

    private boolean isWritable() {
        Channel current = channel;
        return current == null ? behind.get() < MOST_BEFORE : current.isWritable();
    }

    /** At once; before there is a channel, as soon as there is one: then in the same order. */
    private void onChannel(Consumer<Channel> task) {
        Channel current = channel;
        if (current != null) {
            task.accept(current);
        } else {
            loop.execute(() -> Optional.ofNullable(channel).ifPresent(task));
        }
    }

    private void endUnlessDone(Future<?> done) {
        if (!done.isSuccess()) {
            end(new PacketEnd.Failed(done.cause()));
        }
    }

    @Override
    public Sent send(byte[] packet, Duration atMost) throws InterruptedException {
        if (packet.length == 0 || packet.length > PacketLoop.MAX_PACKET_BYTES) {
            throw new IllegalArgumentException("a packet of " + packet.length + " bytes");
        }
        long nanos = atMost.toNanos();
        lock.lockInterruptibly();
        try {
            while (!isEnded && !isWritable()) {
                if (nanos <= 0) {
                    return Sent.FULL;
                }
                nanos = room.awaitNanos(nanos);
            }
            if (isEnded) {
                return Sent.ENDED;
            }
            if (behind.get() > 0) {
                queue(packet);
                return Sent.QUEUED;
            }
            return switch (quick.send(packet)) {
                case SENT -> Sent.QUEUED;
                // What it sent before it went still comes; then the loop sees its end.
                case GONE -> Sent.ENDED;
                case FULL -> {
                    queue(packet);
                    yield Sent.QUEUED;
                }
            };
        } finally {
            lock.unlock();
        }
    }

    /** Under the lock, so that a burst of senders cannot overshoot the mark by more than one. */
    private void queue(byte[] packet) {
        behind.incrementAndGet();
        onChannel(to ->
                to.writeAndFlush(Unpooled.wrappedBuffer(packet))
                        .addListener(done -> {
                            behind.decrementAndGet();
                            endUnlessDone(done);
                        }));
    }

    @Override
    public void close() {
        end(new PacketEnd.ClosedHere());
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, DomainDatagramPacket datagram) {
        if (isEnded) {
            return;
        }
        ByteBuf content = datagram.content();
        int length = content.readableBytes();
        if (length == 0) {
            // End of file. Nobody may send an empty packet; the channel itself never notices.
            end(new PacketEnd.PeerGone());
            return;
        }
        if (length > PacketLoop.MAX_PACKET_BYTES) {
            end(new PacketEnd.Oversize(length));
            return;
        }
        byte[] packet = new byte[length];
        content.readBytes(packet);
        listener.packet(packet);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        signal();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        end(new PacketEnd.ClosedHere());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        end(new PacketEnd.Failed(cause));
    }

    private void end(PacketEnd end) {
        lock.lock();
        try {
            if (isEnded) {
                return;
            }
            isEnded = true;
            quick.close();
            room.signalAll();
        } finally {
            lock.unlock();
        }
        // Stops the read loop first: it would go on reading a descriptor number that, once closed,
        // another thread may have been given for something else.
        onChannel(ending -> {
            ending.config().setAutoRead(false);
            Future<?> _ = ending.close();
        });
        listener.ended(end);
    }

    private void signal() {
        lock.lock();
        try {
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
