package ai.hanzo.dev.sandbox;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.sandbox.netty.PacketEnd;
import ai.hanzo.dev.sandbox.netty.PacketListener;
import ai.hanzo.dev.sandbox.netty.PacketLoop;
import ai.hanzo.dev.sandbox.netty.PacketPort;
import ai.hanzo.dev.zap.CodecException;
import ai.hanzo.dev.zap.dev.NetKind;
import ai.hanzo.dev.zap.dev.NetPacketBuilder;
import ai.hanzo.dev.zap.dev.NetPacketView;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A network pair. The other side is hostile: what breaks the protocol ends the pair and nothing
 * else, and all that it can make wait here is bounded. Threads: any; packets come on the event
 * loop's.
 */
final class NetworkLink implements PacketListener, CellNetwork {

    /** More than the daemon opens at once. */
    private static final int MOST_CONNECTIONS = 256;

    /** For the daemon to take what is sent; it buffers all that it may be sent. */
    private static final Duration SEND = Duration.ofSeconds(30);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();

    /** Guarded by {@code lock}. */
    private final Map<Long, NetworkConnection> open = new HashMap<>();

    /** Guarded by {@code lock}: not yet taken. */
    private final Deque<NetworkConnection> fresh = new ArrayDeque<>();

    /** Guarded by {@code lock}. */
    private long lastOpened;

    /** Guarded by {@code lock}. */
    private boolean hasEnded;

    private final PacketPort port;

    /** Takes over a prepared descriptor. */
    NetworkLink(PacketLoop loop, int descriptor) {
        this.port = loop.attach(new DescriptorSocket(descriptor), this);
    }

    @Override
    public Optional<CellConnection> accept() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (fresh.isEmpty() && !hasEnded) {
                news.await();
            }
            return Optional.ofNullable(fresh.poll());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void packet(byte[] packet) {
        NetPacketView view = NetPacketView.open(packet);
        NetKind kind = view.kind();
        if (kind == NetKind.OPEN) {
            begin(view.connection());
            return;
        }
        NetworkConnection connection = find(view.connection());
        if (connection == null) {
            return;
        }
        switch (kind) {
            case OPEN -> throw new IllegalStateException("handled above");
            case DATA -> connection.heard(view.data());
            case END -> connection.heardEnd();
            case RESET -> {
                remove(connection);
                connection.broken("the command has closed the connection");
            }
            case CREDIT -> connection.granted(view.bytes());
        }
    }

    private void begin(long number) {
        lock.lock();
        try {
            if (number <= lastOpened || open.size() >= MOST_CONNECTIONS) {
                throw CodecException.badValue("connection " + number);
            }
            lastOpened = number;
            NetworkConnection connection = new NetworkConnection(this, number);
            open.put(number, connection);
            fresh.add(connection);
            news.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Null: it was closed here while this was under way. */
    private @Nullable NetworkConnection find(long number) {
        lock.lock();
        try {
            if (number > lastOpened) {
                throw CodecException.badValue("connection " + number);
            }
            return open.get(number);
        } finally {
            lock.unlock();
        }
    }

    void remove(NetworkConnection connection) {
        lock.lock();
        try {
            open.remove(connection.number());
        } finally {
            lock.unlock();
        }
    }

    /** Sends one packet; waits while the daemon takes nothing. */
    void send(NetworkConnection connection, NetKind kind, long bytes, Bytes data)
            throws IOException {
        NetPacketBuilder packet =
                new NetPacketBuilder().kind(kind).connection(connection.number()).bytes(bytes);
        if (!data.isEmpty()) {
            packet.data(data.toArray());
        }
        try {
            switch (port.send(packet.toMessage(), SEND)) {
                case QUEUED -> {}
                case FULL -> {
                    close();
                    throw new IOException("the cell takes nothing any more");
                }
                case ENDED -> throw new IOException("the cell's network has ended");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while sending to the cell");
        }
    }

    @Override
    public void ended(PacketEnd end) {
        List<NetworkConnection> left;
        lock.lock();
        try {
            hasEnded = true;
            left = List.copyOf(open.values());
            open.clear();
            fresh.clear();
            news.signalAll();
        } finally {
            lock.unlock();
        }
        left.forEach(connection -> connection.broken("the cell's network has ended"));
    }

    @Override
    public void close() {
        port.close();
    }
}
