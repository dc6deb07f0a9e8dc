package ai.hanzo.dev.host.dispatch;

import ai.hanzo.dev.sandbox.CellConnection;
import ai.hanzo.dev.sandbox.CellNetwork;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way out of one cell: an HTTP proxy for {@code CONNECT} and for plain requests with an
 * absolute address, one request a connection. What is carried is not looked into. Threads: a
 * virtual thread accepts, one serves each connection and one more carries its answer; {@link
 * #denied} and {@link #close} from any.
 */
public final class CellProxy implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(CellProxy.class);

    /** What is remembered of denied connections until somebody asks. */
    private static final int MOST_DENIED = 16;

    private static final int PIECE = 32_768;
    private static final Duration LINGER = Duration.ofSeconds(10);

    private final CellNetwork network;
    private final CellRoutes routes;
    private final ExecutorService tasks = Executors.newVirtualThreadPerTaskExecutor();

    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by {@code lock}. */
    private final Deque<String> denied = new ArrayDeque<>();

    CellProxy(CellNetwork network, CellRoutes routes) {
        this.network = network;
        this.routes = routes;
    }

    void start() {
        tasks.execute(this::accept);
    }

    /** What was denied since this was asked last, at most 16 of them. */
    public List<String> denied() {
        lock.lock();
        try {
            List<String> all = List.copyOf(denied);
            denied.clear();
            return all;
        } finally {
            lock.unlock();
        }
    }

    private void accept() {
        try {
            Optional<CellConnection> next = network.accept();
            while (next.isPresent()) {
                CellConnection connection = next.get();
                tasks.execute(() -> serve(connection));
                next = network.accept();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(CellConnection connection) {
        try (connection) {
            InputStream in = connection.in();
            OutputStream out = connection.out();
            Optional<ProxyRequest> request = ProxyRequest.read(in);
            if (request.isEmpty()) {
                refuse(in, out, 400, "this is a proxy: it takes CONNECT and plain http requests.");
                return;
            }
            carry(request.get(), in, out);
        } catch (IOException e) {
            log.atDebug().setCause(e).log("a connection out of a cell broke");
        }
    }

    private void carry(ProxyRequest request, InputStream in, OutputStream out) throws IOException {
        try (Socket socket = routes.connect(request.host(), request.port())) {
            if (request.isTunnel()) {
                out.write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            } else {
                socket.getOutputStream().write(request.head());
            }
            Future<?> upload = tasks.submit(() -> upload(in, socket));
            pump(socket.getInputStream(), out);
            out.close();
            await(upload);
        } catch (CellRoutes.Denied e) {
            String why = String.valueOf(e.getMessage());
            note(why);
            refuse(in, out, 403, why + ".");
        } catch (UnknownHostException e) {
            refuse(in, out, 502, "there is no host " + request.host() + " to be found.");
        } catch (ConnectException | SocketTimeoutException e) {
            refuse(in, out, 502, request.host() + " takes no connection: " + e.getMessage() + ".");
        }
    }

    private void refuse(InputStream in, OutputStream out, int status, String sentence)
            throws IOException {
        answer(out, status, sentence);
        await(tasks.submit(() -> pump(in, OutputStream.nullOutputStream())));
    }

    /**
     * Until the command has ended its side, too: a connection that is closed before loses what the
     * command has not yet read.
     */
    private static void await(Future<?> upload) {
        try {
            upload.get(LINGER.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            log.atDebug().setCause(e).log("a command did not end its connection in order");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the socket's side when the command has said all, or is gone. */
    private static @Nullable Void upload(InputStream in, Socket socket) throws IOException {
        try {
            pump(in, socket.getOutputStream());
            socket.shutdownOutput();
        } catch (IOException e) {
            socket.close();
        }
        return null;
    }

    private static @Nullable Void pump(InputStream from, OutputStream to) throws IOException {
        byte[] piece = new byte[PIECE];
        for (int n = from.read(piece); n >= 0; n = from.read(piece)) {
            to.write(piece, 0, n);
        }
        return null;
    }

    private void note(String why) {
        lock.lock();
        try {
            if (denied.size() < MOST_DENIED && !denied.contains(why)) {
                denied.add(why);
            }
        } finally {
            lock.unlock();
        }
    }

    private static void answer(OutputStream out, int status, String sentence) throws IOException {
        byte[] body = ("hanzo dev: " + sentence + "\n").getBytes(StandardCharsets.UTF_8);
        String reason =
                switch (status) {
                    case 400 -> "Bad Request";
                    case 403 -> "Forbidden";
                    default -> "Bad Gateway";
                };
        String head =
                "HTTP/1.1 %d %s\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
                        .formatted(status, reason, body.length);
        out.write(head.getBytes(StandardCharsets.US_ASCII));
        out.write(body);
        out.close();
    }

    @Override
    public void close() {
        network.close();
        tasks.shutdownNow();
    }
}
