package ai.hanzo.dev.host.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;

/** Looks whether an Ollama runs, and which models it has. Safe for all threads. */
final class Ollama {
    /** A local server answers at once or is not there. */
    private static final Duration LIMIT = Duration.ofMillis(500);

    /** Ollama's own port. */
    private static final int PORT = 11434;

    private final HttpClient http;
    private final ObjectMapper json;

    Ollama(HttpClient http, ObjectMapper json) {
        this.http = http;
        this.json = json;
    }

    /**
     * Where {@code OLLAMA_HOST} points, as Ollama reads it: host, host:port or an address; the
     * wildcard of a server means this machine; empty is the default.
     */
    static Optional<URI> address(String host) {
        String text = host.isEmpty() ? "127.0.0.1" : host.replace("0.0.0.0", "127.0.0.1");
        if (text.startsWith(":")) {
            text = "127.0.0.1" + text;
        }
        boolean bare = !text.contains("://");
        return BaseUrl.parse(text, "http")
                .map(url -> bare && url.getPort() < 0 ? URI.create(url + ":" + PORT) : url);
    }

    /** The first model that it has; empty if there is none, or nobody answers. */
    Optional<String> firstModel(Optional<URI> host) {
        if (host.isEmpty()) {
            return Optional.empty();
        }
        HttpRequest request =
                HttpRequest.newBuilder(host.get().resolve("/api/tags")).timeout(LIMIT).build();
        try {
            HttpResponse<String> response =
                    http.send(request, HttpResponse.BodyHandlers.ofString());
            JsonNode model = json.readTree(response.body()).path("models").path(0).path("name");
            return response.statusCode() == 200 && model.isTextual()
                    ? Optional.of(model.asText())
                    : Optional.empty();
        } catch (IOException _) {
            return Optional.empty();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
