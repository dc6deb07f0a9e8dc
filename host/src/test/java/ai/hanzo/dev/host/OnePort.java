package ai.hanzo.dev.host;

import ai.hanzo.dev.host.local.Home;
import ai.hanzo.dev.host.local.HostFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A port in front of several hosts, as a balancer of TCP makes one: each connection goes to the
 * next host that takes it. A virtual thread for each direction.
 */
final class OnePort implements AutoCloseable {
    private final List<Path> homes;
    private final String token;
    private final ServerSocket port;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<Path, Integer> taken = new HashMap<>();
    private int next;

    /**
     * @param homes of the hosts; one that does not serve is passed over
     * @param token of all of them
     */
    OnePort(List<Path> homes, String token) throws IOException {
        this.homes = homes;
        this.token = token;
        port = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        threads.execute(this::serve);
    }

    /** The address that clients know. */
    URI address() {
        return URI.create("http://127.0.0.1:" + port.getLocalPort());
    }

    /** How many connections each host took. */
    Map<Path, Integer> taken() {
        synchronized (taken) {
            return Map.copyOf(taken);
        }
    }

    /** A request over a connection of its own. */
    Answer send(String method, String path, String body) throws IOException {
        var request = (HttpURLConnection) address().resolve(path).toURL().openConnection();
        request.setRequestMethod(method);
        request.setRequestProperty("Authorization", "Bearer " + token);
        request.setRequestProperty("Connection", "close");
        if (!body.isEmpty()) {
            request.setRequestProperty("Content-Type", "application/json");
            request.setDoOutput(true);
            try (OutputStream out = request.getOutputStream()) {
                out.write(body.getBytes(StandardCharsets.UTF_8));
            }
        }
        int status = request.getResponseCode();
        try (InputStream in = status < 400 ? request.getInputStream() : request.getErrorStream()) {
            return new Answer(status, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /** What came back. */
    record Answer(int status, String body) {}

    private void serve() {
        while (!port.isClosed()) {
            try {
                Socket client = port.accept();
                Optional<Socket> host = connect();
                if (host.isEmpty()) {
                    client.close();
                    continue;
                }
                threads.execute(() -> pass(client, host.get()));
                threads.execute(() -> pass(host.get(), client));
            } catch (IOException e) {
                if (!port.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private Optional<Socket> connect() {
        for (int i = 0; i < homes.size(); i++) {
            Path home = homes.get(next++ % homes.size());
            Optional<HostFile> file = HostFile.read(new Home(home));
            if (file.isEmpty()) {
                continue;
            }
            try {
                URI address = file.get().address();
                Socket host = new Socket(address.getHost(), address.getPort());
                synchronized (taken) {
                    taken.merge(home, 1, Integer::sum);
                }
                return Optional.of(host);
            } catch (IOException _) {
                // It is gone: the next one.
            }
        }
        return Optional.empty();
    }

    private static void pass(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException _) {
            // One of the two ended, and with it the connection.
        }
    }

    @Override
    public void close() throws IOException {
        port.close();
        threads.shutdownNow();
    }
}
