package ai.hanzo.dev.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.sandbox.LeaseSpec.Places;
import ai.hanzo.dev.sandbox.netty.PacketEnd;
import ai.hanzo.dev.sandbox.netty.PacketPort;
import ai.hanzo.dev.sandbox.netty.PacketPort.Sent;
import ai.hanzo.dev.zap.dev.CellOp;
import ai.hanzo.dev.zap.dev.CellReadResultBuilder;
import ai.hanzo.dev.zap.dev.CellReplyBuilder;
import ai.hanzo.dev.zap.dev.CellReplyKind;
import ai.hanzo.dev.zap.dev.CellRequestView;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who looks for an answer takes what comes as the event loop does, whatever that is. */
@Timeout(120)
class LookTest extends PortTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    @BeforeAll
    static void needsProcessors() {
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "two processors, to look");
    }

    /** Has this done while somebody looks: the first question comes before the look. */
    private static final class Meanwhile implements BooleanSupplier {
        private final Runnable what;
        private final BooleanSupplier until;
        private int questions;

        Meanwhile(Runnable what, BooleanSupplier until) {
            this.what = what;
            this.until = until;
        }

        @Override
        public boolean getAsBoolean() {
            questions++;
            if (questions == 2) {
                what.run();
            }
            return questions > 2 && until.getAsBoolean();
        }
    }

    private static void look(PacketPort at, BooleanSupplier isThere) {
        boolean _ = at.awaitSoon(isThere, () -> true);
    }

    /** Looks until this was done while somebody looked; the time for one look may be over. */
    private void lookWhile(Runnable what) {
        Meanwhile meanwhile = new Meanwhile(what, () -> false);
        look(port, meanwhile);
        assertThat(meanwhile.questions).isGreaterThanOrEqualTo(2);
    }

    @Test
    void whatComesDuringALookIsTakenByWhoLooks() throws Exception {
        Thread us = Thread.currentThread();
        for (int i = 0; i < 1_000; i++) {
            int number = i;
            int before = collected.packets.size();
            look(
                    port,
                    new Meanwhile(
                            () -> peer.send(packet(number)),
                            () -> collected.packets.size() > before));
            // A look may be over before its packet has come: then it is the loop's.
            assertThat(collected.next()).isEqualTo(packet(i));
        }
        assertThat(collected.threads).contains(us);
    }

    /** Room is made for one that is as large as the last; each has its own. */
    @Test
    void packetsOfOneSizeAreNotTakenIntoOneArray() throws Exception {
        for (int round = 0; round < 100; round++) {
            AtomicInteger questions = new AtomicInteger();
            look(
                    port,
                    () -> {
                        // Not before it has looked in vain: then there is room.
                        if (questions.incrementAndGet() == 3) {
                            for (int i = 0; i < 4; i++) {
                                peer.send(packet(i * 50));
                            }
                        }
                        return questions.get() > 10;
                    });
            if (questions.get() < 3) {
                continue;
            }
            for (int i = 0; i < 4; i++) {
                assertThat(collected.next()).isEqualTo(packet(i * 50));
            }
        }
    }

    @Test
    void theLoopTakesWhatComesWhenNobodyLooks() throws Exception {
        look(port, () -> false);
        peer.send(packet(1));
        assertThat(collected.next()).isEqualTo(packet(1));
        assertThat(collected.threads).doesNotContain(Thread.currentThread());
    }

    /** Both take of one stream, by turns that nobody has agreed on. */
    @Test
    void packetsKeepTheirOrderWhileLoopAndLookerBothReceive() throws Exception {
        int count = 50_000;
        Thread sender =
                Thread.ofPlatform()
                        .daemon()
                        .start(() -> {
                            for (int i = 0; i < count; i++) {
                                peer.send(packet(i));
                            }
                        });
        int expected = 0;
        while (expected < count) {
            look(port, () -> false);
            List<byte[]> come = new ArrayList<>(List.of(collected.next()));
            collected.packets.drainTo(come);
            for (byte[] packet : come) {
                assertThat(ByteBuffer.wrap(packet).getInt()).isEqualTo(expected);
                expected++;
            }
        }
        sender.join();
        assertThat(collected.threads).hasSize(2).contains(Thread.currentThread());
    }

    /** The look ends at any moment before, while and after the packet comes. */
    @Test
    void whoLeavesAsAPacketComesLosesNothing() throws Exception {
        AtomicBoolean isEnough = new AtomicBoolean();
        try (ExecutorService other = Executors.newSingleThreadExecutor()) {
            for (int i = 0; i < 5_000; i++) {
                int number = i;
                isEnough.set(false);
                Future<?> sent =
                        other.submit(() -> {
                            if (number % 2 == 0) {
                                isEnough.set(true);
                                peer.send(packet(number));
                            } else {
                                peer.send(packet(number));
                                isEnough.set(true);
                            }
                        });
                look(port, isEnough::get);
                assertThat(collected.next()).isEqualTo(packet(i));
                sent.get();
            }
        }
    }

    /** As many as there are processors, of which one is to be left alone. */
    @Test
    void nobodyLooksWhenManyWait() throws Exception {
        int processors = Runtime.getRuntime().availableProcessors();
        CountDownLatch waiting = new CountDownLatch(processors);
        CountDownLatch free = new CountDownLatch(1);
        try (ExecutorService many = Executors.newFixedThreadPool(processors)) {
            for (int i = 0; i < processors; i++) {
                Future<?> _ =
                        many.submit(() -> port.awaitSoon(() -> true, () -> reach(waiting, free)));
            }
            assertThat(waiting.await(30, TimeUnit.SECONDS)).isTrue();
            AtomicInteger questions = new AtomicInteger();
            look(port, () -> questions.incrementAndGet() < 0);
            assertThat(questions).hasValue(0);
            free.countDown();
        }
        lookWhile(() -> {});
    }

    private static boolean reach(CountDownLatch waiting, CountDownLatch free) {
        waiting.countDown();
        try {
            return free.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whoLooksMeetsTheEndOnceAndAfterThePackets() throws Exception {
        lookWhile(() -> {
            peer.send(packet(1));
            peer.send(packet(2));
            peer.close();
        });
        assertThat(collected.next()).isEqualTo(packet(1));
        assertThat(collected.next()).isEqualTo(packet(2));
        assertThat(collected.end()).isInstanceOf(PacketEnd.PeerGone.class);
        look(port, () -> false);
        assertThat(port.send(packet(3), LONG)).isEqualTo(Sent.ENDED);
        assertThat(collected.ends).isEmpty();
    }

    /** The kernel tells of the reset before it gives what was sent before. */
    @Test
    void aPeerThatGoesWithoutHavingReadAllIsHeardToItsEnd() throws Exception {
        assertThat(port.send(packet(1), LONG)).isEqualTo(Sent.QUEUED);
        lookWhile(() -> {
            peer.send(packet(2));
            peer.close();
        });
        assertThat(collected.next()).isEqualTo(packet(2));
        assertThat(collected.end()).isInstanceOf(PacketEnd.PeerGone.class);
    }

    @Test
    void whoLooksMeetsAnOversizePacket() throws Exception {
        lookWhile(() -> {
            peer.send(packet(1));
            peer.send(new byte[131_073]);
        });
        assertThat(collected.next()).isEqualTo(packet(1));
        assertThat(collected.end()).isEqualTo(new PacketEnd.Oversize(131_073));
    }

    @Test
    void aListenerThatThrowsToWhoLooksEndsItsPort() throws Exception {
        collected.failure = Optional.of(new IllegalStateException("no"));
        lookWhile(() -> peer.send(packet(1)));
        assertThat(collected.end()).isInstanceOf(PacketEnd.Failed.class);
    }

    @Test
    void aPortMayBeClosedWhileSomebodyLooks() throws Exception {
        lookWhile(port::close);
        assertThat(collected.end()).isInstanceOf(PacketEnd.ClosedHere.class);
        assertThat(peer.receive()).isEmpty();
    }

    @Test
    void whatIsQueuedGoesOutWhileSomebodyLooks() throws Exception {
        byte[] large = new byte[131_072];
        int queued = 0;
        while (port.send(large, Duration.ZERO) == Sent.QUEUED) {
            queued++;
        }
        int count = queued;
        lookWhile(() -> {
            for (int i = 0; i < count; i++) {
                assertThat(peer.receive()).hasValue(large);
            }
        });
    }

    /** A number that is free again is another's at once: nobody may use it for the port it had. */
    @Test
    void portsThatComeAndGoHearNothingOfEachOther() throws Exception {
        try (ExecutorService many = Executors.newFixedThreadPool(4)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                int who = i;
                all.add(many.submit(() -> comeAndGo(who)));
            }
            for (Future<?> each : all) {
                each.get();
            }
        }
    }

    private void comeAndGo(int who) {
        for (int i = 0; i < 1_000; i++) {
            int[] pair = pair();
            Collected own = new Collected();
            try (RawPeer other = new RawPeer(pair[1]);
                    PacketPort through = loop.attach(new DescriptorSocket(pair[0]), own)) {
                byte[] packet = packet(who * 1_000_000 + i);
                other.send(packet);
                look(through, () -> !own.packets.isEmpty());
                assertThat(own.next()).isEqualTo(packet);
                assertThat(through.send(packet, LONG)).isEqualTo(Sent.QUEUED);
                assertThat(other.receive()).hasValue(packet);
                assertThat(own.packets).isEmpty();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Each gets what it asked for, whoever received it. */
    @Test
    void manyCallersAtOnceGetTheirOwnAnswers() throws Exception {
        int[] pair = pair();
        try (FakeDaemon daemon = new FakeDaemon(pair[1], 5, LookTest::content);
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            CellLink link =
                    new CellLink(loop, pair[0], end -> CellException.cellLost(end.toString()));
            LeaseSpec spec =
                    LeaseSpec.of(
                            TestIds.session(),
                            new Epoch(5),
                            Path.of("/w"),
                            Places.in(Path.of("/places")));
            CellsConfig patient = new CellsConfig(Path.of("/x"), LONG, LONG, 1, 0);
            try (LeasedCell cell = LeasedCell.greet(spec, link, patient)) {
                List<Future<?>> all = new ArrayList<>();
                for (int i = 0; i < 100; i++) {
                    int who = i;
                    all.add(callers.submit(() -> askOften(cell, who)));
                }
                for (Future<?> each : all) {
                    each.get();
                }
            }
            assertThat(daemon).isNotNull();
        }
    }

    private static void askOften(Cell cell, int who) {
        for (int i = 0; i < 100; i++) {
            String path = "file-" + who + "-" + i;
            assertThat(Answers.done(cell.read(path, 0, 10)).content().toUtf8()).isEqualTo(path);
        }
    }

    /** A file of which the content is its name. */
    private static Optional<List<Bytes>> content(CellRequestView request) {
        byte[] name = Bytes.utf8(request.read().path()).toArray();
        CellReplyBuilder reply =
                new CellReplyBuilder()
                        .kind(CellReplyKind.RESULT)
                        .op(CellOp.READ)
                        .request(request.request())
                        .read(
                                new CellReadResultBuilder()
                                        .data(name)
                                        .sizeBytes(name.length)
                                        .digest(new byte[32]));
        return Optional.of(List.of(Bytes.wrap(reply.toMessage())));
    }

    private static byte[] packet(int number) {
        return ByteBuffer.allocate(4 + number % 50).putInt(number).array();
    }
}
