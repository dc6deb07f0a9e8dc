package ai.hanzo.dev.sandbox;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.zap.CodecException;
import ai.hanzo.dev.zap.dev.NetKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** One connection of a {@link NetworkLink}. Threads: as {@link CellConnection} says. */
final class NetworkConnection implements CellConnection {

    /** {@code wasm/dev.zap}: what each side may send at first. */
    private static final int FIRST_CREDIT = 262_144;

    private static final int MOST_DATA = 32_768;

    /** Credit is given back in pieces of this many bytes. */
    private static final int GRANT = 65_536;

    private final NetworkLink link;
    private final long number;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition change = lock.newCondition();

    /** Guarded by {@code lock}: what came and was not read. */
    private final Deque<byte[]> waiting = new ArrayDeque<>();

    /** Guarded by {@code lock}: read of the first of them. */
    private int readOfFirst;

    /** Guarded by {@code lock}: more that the command may send. */
    private long allowed = FIRST_CREDIT;

    /** Guarded by {@code lock}: read and not granted again. */
    private int taken;

    /** Guarded by {@code lock}: more that it may be sent. */
    private long credit = FIRST_CREDIT;

    /** Guarded by {@code lock}. */
    private boolean hasHeardEnd;

    /** Guarded by {@code lock}. */
    private boolean hasToldEnd;

    /** Guarded by {@code lock}: why nothing goes on; empty while it does. */
    private String broken = "";

    NetworkConnection(NetworkLink link, long number) {
        this.link = link;
        this.number = number;
    }

    long number() {
        return number;
    }

    // ---- from the event loop

    void heard(byte[] data) {
        lock.lock();
        try {
            if (data.length == 0 || data.length > allowed || hasHeardEnd) {
                throw CodecException.badValue("data of connection " + number);
            }
            allowed -= data.length;
            waiting.add(data);
            change.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void heardEnd() {
        boolean isOver;
        lock.lock();
        try {
            hasHeardEnd = true;
            isOver = hasToldEnd;
            change.signalAll();
        } finally {
            lock.unlock();
        }
        if (isOver) {
            link.remove(this);
        }
    }

    void granted(long bytes) {
        lock.lock();
        try {
            if (bytes > FIRST_CREDIT - credit) {
                throw CodecException.badValue("credit of connection " + number);
            }
            credit += bytes;
            change.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void broken(String why) {
        lock.lock();
        try {
            if (broken.isEmpty()) {
                broken = why;
            }
            change.signalAll();
        } finally {
            lock.unlock();
        }
    }

    // ---- for its owner

    @Override
    public InputStream in() {
        return new In();
    }

    @Override
    public OutputStream out() {
        return new Out();
    }

    @Override
    public void close() {
        lock.lock();
        try {
            boolean isOver = hasHeardEnd && hasToldEnd;
            if (isOver || !broken.isEmpty()) {
                return;
            }
            broken = "the connection is closed";
            change.signalAll();
        } finally {
            lock.unlock();
        }
        link.remove(this);
        try {
            link.send(this, NetKind.RESET, 0, Bytes.empty());
        } catch (IOException e) {
            // Then it is over with all others.
            return;
        }
    }

    private int read(byte[] to, int offset, int length) throws IOException {
        int count;
        int grant = 0;
        lock.lock();
        try {
            while (waiting.isEmpty()) {
                if (hasHeardEnd) {
                    return -1;
                }
                check();
                change.await();
            }
            byte[] first = waiting.element();
            count = Math.min(length, first.length - readOfFirst);
            System.arraycopy(first, readOfFirst, to, offset, count);
            readOfFirst += count;
            if (readOfFirst == first.length) {
                waiting.remove();
                readOfFirst = 0;
            }
            taken += count;
            if (taken >= GRANT && !hasHeardEnd) {
                grant = taken;
                allowed += grant;
                taken = 0;
            }
        } catch (InterruptedException e) {
            throw interrupted();
        } finally {
            lock.unlock();
        }
        if (grant > 0) {
            link.send(this, NetKind.CREDIT, grant, Bytes.empty());
        }
        return count;
    }

    private void write(byte[] from, int offset, int length) throws IOException {
        int sent = 0;
        while (sent < length) {
            int count;
            lock.lock();
            try {
                check();
                while (credit == 0) {
                    change.await();
                    check();
                }
                count = (int) Math.min(Math.min(credit, MOST_DATA), length - sent);
                credit -= count;
            } catch (InterruptedException e) {
                throw interrupted();
            } finally {
                lock.unlock();
            }
            Bytes piece = Bytes.wrap(from).slice(offset + sent, offset + sent + count);
            link.send(this, NetKind.DATA, 0, piece);
            sent += count;
        }
    }

    private void end() throws IOException {
        boolean isOver;
        lock.lock();
        try {
            if (hasToldEnd || !broken.isEmpty()) {
                return;
            }
            hasToldEnd = true;
            isOver = hasHeardEnd;
        } finally {
            lock.unlock();
        }
        link.send(this, NetKind.END, 0, Bytes.empty());
        if (isOver) {
            link.remove(this);
        }
    }

    private static InterruptedIOException interrupted() {
        Thread.currentThread().interrupt();
        return new InterruptedIOException("interrupted while waiting for the cell");
    }

    /** With {@code lock} held. */
    private void check() throws IOException {
        if (!broken.isEmpty()) {
            throw new IOException(broken);
        }
    }

    /** What the command sends. */
    private final class In extends InputStream {
        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            return length == 0 ? 0 : NetworkConnection.this.read(to, offset, length);
        }
    }

    /** What it hears. */
    private final class Out extends OutputStream {
        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int length) throws IOException {
            NetworkConnection.this.write(from, offset, length);
        }

        @Override
        public void close() throws IOException {
            end();
        }
    }
}
