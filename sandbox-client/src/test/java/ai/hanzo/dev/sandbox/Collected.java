package ai.hanzo.dev.sandbox;

import ai.hanzo.dev.sandbox.netty.PacketEnd;
import ai.hanzo.dev.sandbox.netty.PacketListener;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** What came out of a port, and how that ended. Any thread. */
final class Collected implements PacketListener {
    final BlockingQueue<byte[]> packets = new LinkedBlockingQueue<>();
    final BlockingQueue<PacketEnd> ends = new LinkedBlockingQueue<>();

    /** How often it ended. */
    final AtomicInteger endings = new AtomicInteger();

    /** Who brought the packets. */
    final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    /** What each packet is met with. */
    volatile Optional<RuntimeException> failure = Optional.empty();

    @Override
    public void packet(byte[] packet) {
        failure.ifPresent(e -> {
            throw e;
        });
        threads.add(Thread.currentThread());
        packets.add(packet);
    }

    @Override
    public void ended(PacketEnd reason) {
        endings.incrementAndGet();
        ends.add(reason);
    }

    byte[] next() throws InterruptedException {
        byte[] packet = packets.poll(30, TimeUnit.SECONDS);
        if (packet == null) {
            throw new AssertionError("no packet came");
        }
        return packet;
    }

    PacketEnd end() throws InterruptedException {
        PacketEnd reason = ends.poll(30, TimeUnit.SECONDS);
        if (reason == null) {
            throw new AssertionError("the port did not end");
        }
        return reason;
    }
}
