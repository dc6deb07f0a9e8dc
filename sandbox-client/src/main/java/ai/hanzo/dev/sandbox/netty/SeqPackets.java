package ai.hanzo.dev.sandbox.netty;

import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.unix.FileDescriptor;
import io.netty.util.concurrent.Future;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A port, and what the event loop knows of it. Any thread calls the port; the event loop calls
 * {@link #handle} when the kernel has something for it or takes something again.
 *
 * <p>Whoever receives, the loop or one who looks, holds {@code receiving} from before a packet is
 * taken until the listener has had it: so packets are told in their order, and the end after them.
 * While somebody looks the loop is not told of packets, since to be woken for one that another
 * takes costs both of them more than the packet; it is told again, of all that is there then, when
 * the look is over. So the loop never waits for one who looks.
 *
 * <p>The descriptor is closed by the loop, under {@code receiving} and when nobody can send any
 * more: its number may be another file's at once.
 */
final class SeqPackets implements PacketPort, EpollIoHandle {

    /**
     * A small answer takes some 15 µs, one of 96 KiB some 50. A thread that sleeps is awake about
     * 20 µs after it was woken, and there are two of them on the way by the event loop: who looked
     * in vain has lost at most twice what it could have won.
     */
    static final long LOOK_NANOS = 100_000;

    /** Packets that a port may have at a time, so that others on the loop have theirs. */
    private static final int PACKETS_A_ROUND = 16;

    /** Hang-ups come always; edge-triggered, each comes once, and nobody is kept busy by it. */
    private static final EpollIoOps NOTHING = EpollIoOps.EPOLLET;

    private static final byte[] NO_BYTES = {};

    private final IoEventLoop loop;
    private final PacketSocket socket;
    private final FileDescriptor descriptor;
    private final PacketListener listener;

    /** Of all ports of a client. */
    private final Lookers lookers;

    private final AtomicBoolean isLookedAt = new AtomicBoolean();
    private final ReentrantLock receiving = new ReentrantLock();
    private final ReentrantLock sending = new ReentrantLock();
    private final Condition room = sending.newCondition();

    /** Guarded by {@code receiving}: for the packet that is looked for, if it has this size. */
    private byte[] spare = NO_BYTES;

    /** Guarded by {@code receiving}: of the last packet that was looked for. */
    private int lastBytes;

    /** Guarded by {@code sending}. */
    private final Outbox outbox;

    /** Guarded by {@code sending}: null before the loop has come round. */
    private @Nullable IoRegistration registration;

    /** Guarded by {@code sending}: what the loop is told of. */
    private EpollIoOps told = EpollIoOps.NONE;

    /** Written under {@code sending}. */
    private volatile boolean isEnded;

    SeqPackets(IoEventLoop loop, PacketSocket socket, PacketListener listener, Lookers lookers) {
        this.loop = loop;
        this.socket = socket;
        this.outbox = new Outbox(socket);
        this.descriptor = new FileDescriptor(socket.descriptor());
        this.listener = listener;
        this.lookers = lookers;
    }

    /** Has the loop listen: nobody waits for that, for packets may go past it. */
    void open() {
        try {
            loop.execute(this::register);
        } catch (RejectedExecutionException e) {
            end(new PacketEnd.Failed(e));
        }
    }

    /** In one task, so that what ends the port comes before it or after it. */
    private void register() {
        if (isEnded) {
            return;
        }
        Future<IoRegistration> done = loop.register(this);
        if (!done.isSuccess()) {
            end(new PacketEnd.Failed(done.cause()));
            return;
        }
        sending.lock();
        try {
            registration = done.getNow();
        } finally {
            sending.unlock();
        }
        attend();
    }

    @Override
    public FileDescriptor fd() {
        return descriptor;
    }

    @Override
    public void handle(IoRegistration registered, IoEvent event) {
        underSending(this::flush);
        // Who looks takes what there is; when it has gone, the loop is told of the rest.
        if (!isLookedAt.get() && receiving.tryLock()) {
            try {
                int left = PACKETS_A_ROUND;
                while (left > 0 && takeOne() > 0) {
                    left--;
                }
            } finally {
                receiving.unlock();
            }
        }
    }

    @Override
    public <T> T awaitSoon(BooleanSupplier isThere, Supplier<T> wait) {
        lookers.enter();
        try {
            look(isThere);
            return wait.get();
        } finally {
            lookers.leave();
        }
    }

    private void look(BooleanSupplier isThere) {
        boolean mayLook = lookers.mayLook() && !isThere.getAsBoolean();
        if (!mayLook || !isLookedAt.compareAndSet(false, true)) {
            return;
        }
        try {
            attend();
            lookUntil(isThere, System.nanoTime() + LOOK_NANOS);
        } finally {
            keepNothing();
            isLookedAt.set(false);
            attend();
        }
    }

    private void keepNothing() {
        receiving.lock();
        try {
            spare = NO_BYTES;
        } finally {
            receiving.unlock();
        }
    }

    private void lookUntil(BooleanSupplier isThere, long deadline) {
        while (!isEnded
                && !isThere.getAsBoolean()
                && lookers.mayLook()
                && System.nanoTime() - deadline < 0) {
            // The loop may be at it still.
            if (receiving.tryLock()) {
                try {
                    lookOnce();
                } finally {
                    receiving.unlock();
                }
            }
            Thread.onSpinWait();
        }
    }

    /** Under {@code receiving}. */
    private void lookOnce() {
        int bytes = takeOne();
        if (bytes > 0) {
            lastBytes = bytes;
        } else if (spare.length == 0) {
            // It takes as long to clear as to fill, and now there is time.
            spare = new byte[lastBytes];
        }
    }

    /** Under {@code receiving}. Says how large it was; 0 when there was none. */
    private int takeOne() {
        if (isEnded) {
            return 0;
        }
        try {
            int bytes = socket.nextBytes();
            if (bytes == PacketSocket.NONE) {
                return 0;
            }
            if (bytes == 0) {
                // End of file. Nobody may send an empty packet.
                end(new PacketEnd.PeerGone());
                return 0;
            }
            if (bytes > PacketLoop.MAX_PACKET_BYTES) {
                end(new PacketEnd.Oversize(bytes));
                return 0;
            }
            byte[] packet = bytes == spare.length ? spare : new byte[bytes];
            spare = NO_BYTES;
            socket.take(packet);
            listener.packet(packet);
            return bytes;
        } catch (RuntimeException | Error e) {
            end(new PacketEnd.Failed(e));
            return 0;
        }
    }

    @Override
    public Sent send(byte[] packet, Duration atMost) throws InterruptedException {
        if (packet.length == 0 || packet.length > PacketLoop.MAX_PACKET_BYTES) {
            throw new IllegalArgumentException("a packet of " + packet.length + " bytes");
        }
        try {
            return sendOrQueue(packet, atMost.toNanos());
        } catch (UncheckedIOException e) {
            end(new PacketEnd.Failed(e));
            return Sent.ENDED;
        }
    }

    private Sent sendOrQueue(byte[] packet, long atMostNanos) throws InterruptedException {
        long nanos = atMostNanos;
        sending.lockInterruptibly();
        try {
            while (!isEnded && outbox.isFull()) {
                if (nanos <= 0) {
                    return Sent.FULL;
                }
                nanos = room.awaitNanos(nanos);
            }
            if (isEnded) {
                return Sent.ENDED;
            }
            return switch (outbox.send(packet)) {
                case SENT -> Sent.QUEUED;
                // What it sent before it went still comes, and then its end.
                case GONE -> Sent.ENDED;
                case FULL -> {
                    tellLoop();
                    yield Sent.QUEUED;
                }
            };
        } finally {
            sending.unlock();
        }
    }

    /** Under {@code sending}: the socket may take more. */
    private void flush() {
        boolean wasFull = outbox.isFull();
        outbox.flush();
        if (wasFull && !outbox.isFull()) {
            room.signalAll();
        }
        tellLoop();
    }

    /** Has the loop told of what it is to see to now. */
    private void attend() {
        underSending(this::tellLoop);
    }

    private void underSending(Runnable task) {
        try {
            sending.lock();
            try {
                if (!isEnded) {
                    task.run();
                }
            } finally {
                sending.unlock();
            }
        } catch (UncheckedIOException e) {
            end(new PacketEnd.Failed(e));
        }
    }

    /** Under {@code sending}. The kernel tells at once of what is there already. */
    private void tellLoop() {
        IoRegistration current = registration;
        if (current == null) {
            return;
        }
        EpollIoOps due = isLookedAt.get() ? NOTHING : EpollIoOps.EPOLLIN;
        if (!outbox.isEmpty()) {
            due = due.with(EpollIoOps.EPOLLOUT);
        }
        if (!due.equals(told)) {
            told = due;
            long _ = current.submit(due);
        }
    }

    @Override
    public void close() {
        end(new PacketEnd.ClosedHere());
    }

    private void end(PacketEnd end) {
        sending.lock();
        try {
            if (isEnded) {
                return;
            }
            isEnded = true;
            outbox.clear();
            room.signalAll();
        } finally {
            sending.unlock();
        }
        try {
            loop.execute(this::letGo);
        } catch (RejectedExecutionException e) {
            // The loop is over, and so is what it knew of this port.
            letGo();
        }
        listener.ended(end);
    }

    /** On the loop, since that has to forget the descriptor before its number is another's. */
    private void letGo() {
        receiving.lock();
        try {
            forget();
            socket.close();
        } finally {
            receiving.unlock();
        }
    }

    private void forget() {
        sending.lock();
        try {
            if (registration != null) {
                registration.cancel();
            }
        } finally {
            sending.unlock();
        }
    }
}
