package ai.hanzo.dev.bench;

import ai.hanzo.dev.host.local.Home;
import ai.hanzo.dev.host.local.HostFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A client that follows a session by server-sent events and comes back as soon as it can when it is
 * cut off, from where it was. A thread of its own reads; one thread asks.
 */
final class Follower implements AutoCloseable {
    private static final long RETRY_NANOS = 5_000_000L;
    private static final long PATIENCE_SECONDS = 120;

    private final Home home;
    private final String session;
    private final LinkedBlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();
    private final Thread reader;
    private volatile boolean closed;
    private String last = "";

    /** An entry of the journal: when it came, and when its connection was begun. */
    private record Arrival(long nanos, long connectedNanos) {}

    Follower(Home home, String session) {
        this.home = home;
        this.session = session;
        this.reader = Thread.ofPlatform().daemon().name("follower").start(this::follow);
    }

    private void follow() {
        while (!closed) {
            try {
                Optional<HostFile> host = HostFile.read(home);
                if (host.isPresent()) {
                    read(host.get());
                }
            } catch (IOException e) {
                // It was cut off, or nobody is there yet.
            }
            LockSupport.parkNanos(RETRY_NANOS);
        }
    }

    private void read(HostFile host) throws IOException {
        long connected = System.nanoTime();
        URI stream = host.address().resolve("/v1/dev/" + session + "/stream");
        var connection = (HttpURLConnection) stream.toURL().openConnection();
        connection.setRequestProperty("Authorization", "Bearer " + host.token().orElse(""));
        connection.setRequestProperty("Accept", "text/event-stream");
        if (!last.isEmpty()) {
            connection.setRequestProperty("Last-Event-ID", last);
        }
        try (var lines =
                new BufferedReader(
                        new InputStreamReader(
                                connection.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null && !closed; line = lines.readLine()) {
                if (line.startsWith("id:")) {
                    last = line.substring("id:".length()).strip();
                    arrivals.add(new Arrival(System.nanoTime(), connected));
                }
            }
        } finally {
            connection.disconnect();
        }
    }

    /** Waits for the next entry from now on, and gives when it came, of {@link System#nanoTime}. */
    long next() throws InterruptedException {
        arrivals.clear();
        return arrival().nanos();
    }

    /** When the first entry came by a connection that was begun after {@code since}. */
    long nextAfter(long since) throws InterruptedException {
        Arrival arrival = arrival();
        while (arrival.connectedNanos() - since < 0) {
            arrival = arrival();
        }
        return arrival.nanos();
    }

    private Arrival arrival() throws InterruptedException {
        Arrival arrival = arrivals.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (arrival == null) {
            throw new IllegalStateException("session " + session + " does not go on");
        }
        return arrival;
    }

    @Override
    public void close() {
        closed = true;
        reader.interrupt();
    }
}
