package ai.hanzo.dev.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class UnixSocketTest {
    private static final InetSocketAddress IGNORED = InetSocketAddress.createUnresolved("x", 1);

    @TempDir private Path dir;
    private ServerSocketChannel server;
    private Socket socket;
    private SocketChannel peer;

    @BeforeEach
    void connect() throws IOException {
        Path path = dir.resolve("socket");
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(path));
        socket = new UnixSocketFactory(path.toString()).createSocket();
        socket.connect(IGNORED, 1000);
        peer = server.accept();
    }

    @AfterEach
    void close() throws IOException {
        socket.close();
        peer.close();
        server.close();
    }

    @Test
    void bytesGoBothWaysThroughASlowPeer() throws Exception {
        byte[] sent = new byte[3_000_000];
        new Random(1).nextBytes(sent);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<byte[]> echoed =
                    threads.submit(() -> socket.getInputStream().readNBytes(sent.length));
            Future<?> writer =
                    threads.submit(() -> {
                        socket.getOutputStream().write(sent);
                        return true;
                    });
            ByteBuffer piece = ByteBuffer.allocate(7_001);
            int left = sent.length;
            while (left > 0) {
                left -= peer.read(piece.clear());
                peer.write(piece.flip());
                while (piece.hasRemaining()) {
                    peer.write(piece);
                }
            }
            writer.get();
            assertThat(echoed.get()).isEqualTo(sent);
        }
    }

    @Test
    void aReadWithATimeoutEndsAndTheSocketGoesOn() throws IOException {
        socket.setSoTimeout(20);
        assertThatThrownBy(() -> socket.getInputStream().read())
                .isInstanceOf(SocketTimeoutException.class);

        peer.write(ByteBuffer.wrap(new byte[] {(byte) 200}));
        assertThat(socket.getInputStream().read()).isEqualTo(200);
    }

    @Test
    void aPeerThatIsGoneIsTheEndOfTheStream() throws IOException {
        peer.close();
        assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void aCloseWakesWhoeverReads() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Thread[] reading = new Thread[1];
            Future<Integer> reader =
                    threads.submit(() -> {
                        reading[0] = Thread.currentThread();
                        return socket.getInputStream().read();
                    });
            await().atMost(Duration.ofSeconds(20))
                    .until(() ->
                            reading[0] != null && reading[0].getState() == Thread.State.WAITING);
            socket.close();
            socket.close();
            assertThatThrownBy(reader::get).hasCauseInstanceOf(IOException.class);
            assertThat(socket.isClosed()).isTrue();
        }
    }
}
