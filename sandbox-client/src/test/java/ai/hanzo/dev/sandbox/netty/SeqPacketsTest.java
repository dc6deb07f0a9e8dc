package ai.hanzo.dev.sandbox.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.Native;
import io.netty.channel.unix.FileDescriptor;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A port at moments that its own loop leaves to chance. */
@Timeout(60)
class SeqPacketsTest {

    /** Registers a port only when it may. */
    private record SlowToRegister(IoHandler epoll, CountDownLatch reached, CountDownLatch free)
            implements IoHandler {
        @Override
        public IoRegistration register(IoHandle handle) throws Exception {
            reached.countDown();
            assertThat(free.await(30, TimeUnit.SECONDS)).isTrue();
            return epoll.register(handle);
        }

        @Override
        public int run(IoHandlerContext context) {
            return epoll.run(context);
        }

        @Override
        public void prepareToDestroy() {
            epoll.prepareToDestroy();
        }

        @Override
        public void destroy() {
            epoll.destroy();
        }

        @Override
        public void wakeup() {
            epoll.wakeup();
        }

        @Override
        public boolean isCompatible(Class<? extends IoHandle> handleType) {
            return epoll.isCompatible(handleType);
        }
    }

    /** An eventfd, of which nothing ever comes. */
    private static final class Silent implements PacketSocket {
        final FileDescriptor descriptor = Native.newEventFd();
        final AtomicInteger closed = new AtomicInteger();

        @Override
        public int descriptor() {
            return descriptor.intValue();
        }

        @Override
        public Taken send(byte[] packet) {
            return Taken.FULL;
        }

        @Override
        public int nextBytes() {
            return NONE;
        }

        @Override
        public void take(byte[] packet) {
            throw new IllegalStateException("there is none");
        }

        @Override
        public void close() {
            closed.incrementAndGet();
            try {
                descriptor.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Test
    void aPortMayBeClosedWhileItIsRegistered() throws Exception {
        var reached = new CountDownLatch(1);
        var free = new CountDownLatch(1);
        var loop =
                new SingleThreadIoEventLoop(
                        null,
                        new DefaultThreadFactory("loop", true),
                        executor ->
                                new SlowToRegister(
                                        EpollIoHandler.newFactory().newHandler(executor),
                                        reached,
                                        free));
        var end = new CompletableFuture<PacketEnd>();
        PacketListener listener =
                new PacketListener() {
                    @Override
                    public void packet(byte[] packet) {}

                    @Override
                    public void ended(PacketEnd why) {
                        end.complete(why);
                    }
                };
        Silent socket = new Silent();
        SeqPackets port = new SeqPackets(loop, socket, listener, new Lookers(2));
        port.open();
        assertThat(reached.await(30, TimeUnit.SECONDS)).isTrue();

        port.close();
        free.countDown();

        assertThat(end.get(30, TimeUnit.SECONDS)).isInstanceOf(PacketEnd.ClosedHere.class);
        assertThat(loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).await(30, TimeUnit.SECONDS))
                .isTrue();
        assertThat(socket.closed).hasValue(1);
    }
}
