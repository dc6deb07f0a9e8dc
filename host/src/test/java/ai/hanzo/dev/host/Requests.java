package ai.hanzo.dev.host;

import ai.hanzo.dev.host.local.Home;
import ai.hanzo.dev.host.local.HostFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;

/** Sends requests to the host of a state directory, with its token. */
final class Requests {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private Requests() {}

    /** The host that serves there. */
    static HostFile hostOf(Path home) {
        return HostFile.read(new Home(home)).orElseThrow();
    }

    static HttpResponse<String> send(
            Path home, String method, String path, String body, String... headers) {
        HostFile file = hostOf(home);
        HttpRequest.Builder request =
                HttpRequest.newBuilder(file.address().resolve(path))
                        .timeout(Duration.ofSeconds(60))
                        .header("Authorization", "Bearer " + file.token().orElseThrow())
                        .method(
                                method,
                                body.isEmpty()
                                        ? HttpRequest.BodyPublishers.noBody()
                                        : HttpRequest.BodyPublishers.ofString(body));
        if (!body.isEmpty()) {
            request.header("Content-Type", "application/json");
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
