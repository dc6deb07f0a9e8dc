package ai.hanzo.dev.host.surface.rest;

import ai.hanzo.dev.host.op.Caller;
import ai.hanzo.dev.host.op.FakeFiles;
import ai.hanzo.dev.host.op.FakeHost;
import ai.hanzo.dev.host.op.FakeShells;
import ai.hanzo.dev.host.op.Ops;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A real server before a fake host, and a client that talks to it. */
public final class Served implements AutoCloseable {
    /** Of the local owner. */
    public static final String TOKEN = "local-token-0123456789abcdef";

    /** Of another org. */
    public static final String OTHER_TOKEN = "other-token-0123456789abcdef";

    public final FakeHost host = new FakeHost();
    public final FakeShells shells = new FakeShells();
    public final List<String> missing = new ArrayList<>();
    public final RestServer server;
    private final HttpClient client = HttpClient.newHttpClient();

    public Served() {
        this(0, Duration.ofSeconds(10));
    }

    public Served(int port, Duration heartbeat) {
        var owner = new BearerToken(TOKEN, Caller.localOwner());
        var other = new BearerToken(OTHER_TOKEN, new Caller("acme", "ann", false));
        server =
                RestServer.start(
                        RestConfig.loopback(port).heartbeat(heartbeat),
                        new RestServer.Parts(
                                Ops.load(),
                                host,
                                host,
                                shells,
                                new FakeFiles(),
                                token ->
                                        Optional.<Caller>empty()
                                                .or(() -> owner.caller(token))
                                                .or(() -> other.caller(token)),
                                () -> List.copyOf(missing),
                                Clock.systemUTC()));
    }

    public URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.port() + path);
    }

    /** A request with the owner's token. */
    public HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(uri(path)).header("Authorization", "Bearer " + TOKEN);
    }

    public HttpResponse<String> send(HttpRequest.Builder request)
            throws IOException, InterruptedException {
        return client.send(
                request.timeout(Duration.ofSeconds(30)).build(), BodyHandlers.ofString());
    }

    public HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(request(path));
    }

    public HttpResponse<String> post(String path, String json)
            throws IOException, InterruptedException {
        return send(
                request(path)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(json)));
    }

    public HttpClient client() {
        return client;
    }

    @Override
    public void close() {
        client.shutdownNow();
        server.close();
    }
}
