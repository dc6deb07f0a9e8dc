package ai.hanzo.dev.ledger.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A unix-domain socket in the shape that pgjdbc asks for. The JDK has such sockets only as
 * channels; the channel is kept non-blocking and waited for with a selector, because pgjdbc needs
 * reads with a timeout, and because a selector parks a virtual thread where a native read would
 * hold its carrier.
 *
 * <p>One thread reads and one writes at a time, as in pgjdbc; any thread may close.
 */
final class UnixSocket extends Socket {
    private final Path path;
    private @Nullable Wire wire;
    private volatile int timeoutMillis;

    UnixSocket(Path path) {
        this.path = path;
    }

    @Override
    public void connect(SocketAddress ignored) throws IOException {
        connect(ignored, 0);
    }

    @Override
    public void connect(SocketAddress ignored, int connectTimeoutMillis) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.connect(UnixDomainSocketAddress.of(path));
            channel.configureBlocking(false);
            wire = new Wire(channel, Selector.open(), Selector.open());
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** The channel and what waits for it. */
    private record Wire(SocketChannel channel, Selector reading, Selector writing) {
        Wire {
            try {
                channel.register(reading, SelectionKey.OP_READ);
                channel.register(writing, SelectionKey.OP_WRITE);
            } catch (ClosedChannelException e) {
                throw new IllegalStateException("closed while it was opened", e);
            }
        }

        int read(ByteBuffer into, int timeoutMillis) throws IOException {
            int count = channel.read(into);
            long deadline = System.nanoTime() + timeoutMillis * 1_000_000L;
            while (count == 0) {
                long left = timeoutMillis == 0 ? 0 : (deadline - System.nanoTime()) / 1_000_000L;
                if (timeoutMillis != 0 && left <= 0) {
                    throw new SocketTimeoutException("Read timed out");
                }
                await(reading, left);
                count = channel.read(into);
            }
            return count;
        }

        void write(ByteBuffer from) throws IOException {
            while (from.hasRemaining()) {
                if (channel.write(from) == 0) {
                    await(writing, 0);
                }
            }
        }

        private static void await(Selector selector, long millis) throws IOException {
            try {
                selector.select(_ -> {}, millis);
            } catch (ClosedSelectorException e) {
                throw new AsynchronousCloseException();
            }
            if (!selector.isOpen()) {
                throw new AsynchronousCloseException();
            }
        }

        void close() throws IOException {
            try (reading;
                    writing) {
                channel.close();
            }
        }
    }

    private Wire wire() throws SocketException {
        Wire open = wire;
        if (open == null) {
            throw new SocketException("not connected");
        }
        return open;
    }

    @Override
    public InputStream getInputStream() throws IOException {
        Wire open = wire();
        return new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                Objects.checkFromIndexSize(offset, length, into.length);
                if (length == 0) {
                    return 0;
                }
                return open.read(ByteBuffer.wrap(into, offset, length), timeoutMillis);
            }
        };
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        Wire open = wire();
        return new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                write(new byte[] {(byte) one}, 0, 1);
            }

            @Override
            public void write(byte[] from, int offset, int length) throws IOException {
                open.write(ByteBuffer.wrap(from, offset, length));
            }
        };
    }

    @Override
    public void close() throws IOException {
        Wire open = wire;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public boolean isConnected() {
        Wire open = wire;
        return open != null && open.channel().isConnected();
    }

    @Override
    public boolean isClosed() {
        Wire open = wire;
        return open != null && !open.channel().isOpen();
    }

    @Override
    public void setSoTimeout(int millis) {
        timeoutMillis = millis;
    }

    @Override
    public int getSoTimeout() {
        return timeoutMillis;
    }

    // What follows has a meaning for TCP only; pgjdbc sets it on every socket.

    @Override
    public void setTcpNoDelay(boolean on) {}

    @Override
    public void setKeepAlive(boolean on) {}

    @Override
    public void setReceiveBufferSize(int bytes) {}

    @Override
    public void setSendBufferSize(int bytes) {}

    @Override
    public void setSoLinger(boolean on, int seconds) {}
}
