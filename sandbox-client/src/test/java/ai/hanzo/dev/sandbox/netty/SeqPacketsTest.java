package ai.hanzo.dev.sandbox.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A port at moments that its own channel leaves to chance. */
@Timeout(60)
class SeqPacketsTest {

    /** Registers a channel only when it may. */
    private static final class Loop extends SingleThreadIoEventLoop {
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch free = new CountDownLatch(1);

        Loop() {
            super(null, new DefaultThreadFactory("loop", true), LocalIoHandler.newFactory());
        }

        @Override
        public ChannelFuture register(Channel channel) {
            reached.countDown();
            try {
                assertThat(free.await(30, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return super.register(channel);
        }
    }

    @Test
    void aPortMayBeClosedWhileItsChannelIsRegistered() throws Exception {
        Loop loop = new Loop();
        var end = new CompletableFuture<PacketEnd>();
        QuickSend none =
                new QuickSend() {
                    @Override
                    public Taken send(byte[] packet) {
                        return Taken.FULL;
                    }

                    @Override
                    public void close() {}
                };
        PacketListener listener =
                new PacketListener() {
                    @Override
                    public void packet(byte[] packet) {}

                    @Override
                    public void ended(PacketEnd why) {
                        end.complete(why);
                    }
                };
        SeqPackets port = new SeqPackets(loop, none, listener);
        LocalChannel channel = new LocalChannel();
        port.open(() -> channel);
        assertThat(loop.reached.await(30, TimeUnit.SECONDS)).isTrue();

        port.close();
        loop.free.countDown();

        assertThat(end.get(30, TimeUnit.SECONDS)).isInstanceOf(PacketEnd.ClosedHere.class);
        assertThat(channel.closeFuture().await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).await(30, TimeUnit.SECONDS))
                .isTrue();
    }
}
