package ai.hanzo.dev.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.sandbox.netty.PacketEnd;
import ai.hanzo.dev.sandbox.netty.PacketListener;
import ai.hanzo.dev.sandbox.netty.PacketPort;
import ai.hanzo.dev.sandbox.netty.PacketPort.Sent;
import ai.hanzo.dev.sandbox.netty.PacketSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Packets keep their boundaries over a SOCK_SEQPACKET pair, whatever the peer does. */
@Timeout(60)
class PacketsTest extends PortTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    /** Around every size at which a buffer, an allocator or a socket could cut. */
    private static final int[] SIZES = {
        1, 2, 3, 100, 1000, 2047, 2048, 2049, 4096, 8192, 20_000, 32_768, 65_536, 65_537, 70_000,
        98_304, 131_071, 131_072
    };

    @Test
    void everySizeArrivesWhole() throws Exception {
        for (int size : SIZES) {
            peer.send(pattern(size));
            assertThat(collected.next()).isEqualTo(pattern(size));
        }
    }

    @Test
    void everySizeIsSentWhole() throws Exception {
        for (int size : SIZES) {
            assertThat(port.send(pattern(size), LONG)).isEqualTo(Sent.QUEUED);
            assertThat(peer.receive()).hasValue(pattern(size));
        }
    }

    @Test
    void backToBackPacketsToASlowPeerAreNeitherMergedNorLost() throws Exception {
        int count = 200;
        Thread sender =
                Thread.ofVirtual()
                        .start(() -> {
                            for (int i = 0; i < count; i++) {
                                sendOrThrow(pattern(20_000 + i));
                            }
                        });
        // The peer takes nothing until the sender has to wait: its queue and the socket are full.
        await(() -> sender.getState() == Thread.State.TIMED_WAITING);
        for (int i = 0; i < count; i++) {
            assertThat(peer.receive()).hasValue(pattern(20_000 + i));
        }
        sender.join();
    }

    @Test
    void bothWaysAtOnceUnderLoad() throws Exception {
        int count = 2_000;
        CountDownLatch echoed = new CountDownLatch(1);
        Thread echo =
                Thread.ofPlatform()
                        .daemon()
                        .start(() -> {
                            for (int i = 0; i < count; i++) {
                                peer.send(peer.receive().orElseThrow());
                            }
                            echoed.countDown();
                        });
        Random random = new Random(42);
        List<byte[]> sent = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sent.add(pattern(1 + random.nextInt(i % 50 == 0 ? 131_072 : 3_000)));
        }
        Thread sender = Thread.ofVirtual().start(() -> sent.forEach(packet -> sendOrThrow(packet)));
        for (byte[] packet : sent) {
            assertThat(collected.next()).isEqualTo(packet);
        }
        assertThat(echoed.await(30, TimeUnit.SECONDS)).isTrue();
        sender.join();
        echo.join();
    }

    @Test
    void aSenderIsToldThatTheQueueIsFull() throws Exception {
        Sent last = Sent.QUEUED;
        int queued = 0;
        while (last == Sent.QUEUED && queued < 1_000) {
            last = port.send(pattern(131_072), Duration.ofMillis(50));
            queued++;
        }
        assertThat(last).isEqualTo(Sent.FULL);
        assertThat(queued).isLessThan(40);
    }

    @Test
    void peerGoneEndsThePortOnce() throws Exception {
        peer.send(pattern(5));
        peer.close();
        assertThat(collected.next()).isEqualTo(pattern(5));
        assertThat(collected.end()).isInstanceOf(PacketEnd.PeerGone.class);
        assertThat(port.send(pattern(1), LONG)).isEqualTo(Sent.ENDED);
        assertThat(collected.endings.get()).isEqualTo(1);
    }

    @Test
    void anEmptyPacketIsTheEnd() throws Exception {
        peer.send(new byte[0]);
        assertThat(collected.end()).isInstanceOf(PacketEnd.PeerGone.class);
    }

    @Test
    void aPacketOverTheLimitEndsThePort() throws Exception {
        peer.send(pattern(131_073));
        assertThat(collected.end()).isEqualTo(new PacketEnd.Oversize(131_073));
    }

    @Test
    void aPacketOverTheReceiveBufferIsNotTakenForAShorterOne() throws Exception {
        int[] pair = Libc.packetPair();
        Libc.setOption(pair[1], Libc.SO_SNDBUF, 1 << 20);
        Descriptors.prepare(pair[0]);
        Collected other = new Collected();
        try (RawPeer sender = new RawPeer(pair[1]);
                PacketPort _ = loop.attach(new DescriptorSocket(pair[0]), other)) {
            assertThat(sender.send(pattern(300_000))).isEqualTo(300_000);
            assertThat(other.end()).isEqualTo(new PacketEnd.Oversize(300_000));
        }
    }

    @Test
    void aListenerThatThrowsEndsOnlyItsOwnPort() throws Exception {
        int[] pair = pair();
        BlockingQueue<PacketEnd> ends = new LinkedBlockingQueue<>();
        PacketListener throwing =
                new PacketListener() {
                    @Override
                    public void packet(byte[] packet) {
                        throw new IllegalStateException("no");
                    }

                    @Override
                    public void ended(PacketEnd end) {
                        ends.add(end);
                    }
                };
        try (RawPeer other = new RawPeer(pair[1]);
                PacketPort _ = loop.attach(new DescriptorSocket(pair[0]), throwing)) {
            other.send(pattern(1));
            assertThat(ends.poll(30, TimeUnit.SECONDS)).isInstanceOf(PacketEnd.Failed.class);
        }
        peer.send(pattern(9));
        assertThat(collected.next()).isEqualTo(pattern(9));
    }

    @Test
    void closingEndsAWaitingSender() throws Exception {
        BlockingQueue<Sent> result = new LinkedBlockingQueue<>();
        Thread sender =
                Thread.ofVirtual()
                        .start(() -> {
                            Sent sent = Sent.QUEUED;
                            while (sent == Sent.QUEUED) {
                                sent = sendOrThrow(pattern(131_072));
                            }
                            result.add(sent);
                        });
        await(() -> sender.getState() == Thread.State.TIMED_WAITING);
        port.close();
        assertThat(result.poll(30, TimeUnit.SECONDS)).isEqualTo(Sent.ENDED);
        assertThat(collected.end()).isInstanceOf(PacketEnd.ClosedHere.class);
        assertThat(peer.receive()).isNotNull();
    }

    /** A socket that takes of senders what it is said to, and of the loop all. */
    private static final class Socket implements PacketSocket {
        private final DescriptorSocket real;
        final List<byte[]> sent = new ArrayList<>();
        final AtomicInteger closed = new AtomicInteger();
        volatile Taken next = Taken.SENT;

        Socket(int descriptor) {
            real = new DescriptorSocket(descriptor);
        }

        @Override
        public int descriptor() {
            return real.descriptor();
        }

        @Override
        public Taken send(byte[] packet) {
            if (Thread.currentThread().getName().startsWith("cell-packets")) {
                return real.send(packet);
            }
            sent.add(packet);
            return next;
        }

        @Override
        public int nextBytes() {
            return real.nextBytes();
        }

        @Override
        public void take(byte[] packet) {
            real.take(packet);
        }

        @Override
        public void close() {
            closed.incrementAndGet();
            real.close();
        }
    }

    @Test
    void onlyWhatTheSocketDoesNotTakeGoesThroughTheLoop() throws Exception {
        int[] pair = pair();
        Socket socket = new Socket(pair[0]);
        try (RawPeer other = new RawPeer(pair[1])) {
            PacketPort through = loop.attach(socket, new Collected());
            assertThat(through.send(pattern(1), LONG)).isEqualTo(Sent.QUEUED);
            socket.next = PacketSocket.Taken.FULL;
            assertThat(through.send(pattern(2), LONG)).isEqualTo(Sent.QUEUED);
            assertThat(other.receive()).hasValue(pattern(2));
            socket.next = PacketSocket.Taken.GONE;
            await(() -> through.send(pattern(3), LONG) == Sent.ENDED);
            assertThat(socket.sent).contains(pattern(1), pattern(2), pattern(3));
            through.close();
            through.close();
            await(() -> socket.closed.get() == 1);
        }
    }

    /** The loop's only thread is kept from coming round until this is closed. */
    private final class BusyLoop implements AutoCloseable {
        private final CountDownLatch busy = new CountDownLatch(1);
        private final CountDownLatch free = new CountDownLatch(1);
        private final RawPeer other;

        BusyLoop() throws InterruptedException {
            int[] pair = pair();
            other = new RawPeer(pair[1]);
            PacketListener waiting =
                    new PacketListener() {
                        @Override
                        public void packet(byte[] packet) {
                            busy.countDown();
                            try {
                                assertThat(free.await(30, TimeUnit.SECONDS)).isTrue();
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                        }

                        @Override
                        public void ended(PacketEnd end) {}
                    };
            PacketPort _ = loop.attach(new DescriptorSocket(pair[0]), waiting);
            other.send(pattern(1));
            assertThat(busy.await(30, TimeUnit.SECONDS)).isTrue();
        }

        @Override
        public void close() {
            free.countDown();
            other.close();
        }
    }

    @Test
    void whatIsSentBeforeTheLoopComesRoundGoesOutInOrder() throws Exception {
        int[] pair = pair();
        Socket socket = new Socket(pair[0]);
        socket.next = PacketSocket.Taken.FULL;
        try (RawPeer other = new RawPeer(pair[1])) {
            PacketPort early;
            int queued = 0;
            try (BusyLoop _ = new BusyLoop()) {
                early = loop.attach(socket, new Collected());
                while (early.send(pattern(100_000 + queued), Duration.ZERO) == Sent.QUEUED) {
                    queued++;
                }
                assertThat(queued).isBetween(1, 40);
            }
            for (int i = 0; i < queued; i++) {
                assertThat(other.receive()).hasValue(pattern(100_000 + i));
            }
            assertThat(early.send(pattern(9), LONG)).isEqualTo(Sent.QUEUED);
            assertThat(other.receive()).hasValue(pattern(9));
            early.close();
        }
    }

    @Test
    void aPortThatIsClosedBeforeTheLoopComesRoundClosesItsDescriptor() throws Exception {
        int[] pair = pair();
        try (RawPeer other = new RawPeer(pair[1])) {
            Collected early = new Collected();
            try (BusyLoop _ = new BusyLoop()) {
                loop.attach(new DescriptorSocket(pair[0]), early).close();
                assertThat(early.end()).isInstanceOf(PacketEnd.ClosedHere.class);
            }
            assertThat(other.receive()).isEmpty();
        }
    }

    @Test
    void whatCannotBeAPacketIsRefusedHere() {
        assertThatThrownBy(() -> port.send(new byte[0], LONG))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> port.send(new byte[131_073], LONG))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private Sent sendOrThrow(byte[] packet) {
        try {
            return port.send(packet, LONG);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void await(java.util.concurrent.Callable<Boolean> condition) {
        org.awaitility.Awaitility.await().atMost(30, TimeUnit.SECONDS).until(condition);
    }

    private static byte[] pattern(int size) {
        byte[] bytes = new byte[size];
        for (int i = 0; i < size; i++) {
            bytes[i] = (byte) (i * 31 + size);
        }
        return bytes;
    }
}
