package ai.hanzo.dev.host.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A model provider that plays a {@link Script} over real HTTP: OpenAI's chat completions at {@code
 * /v1/chat/completions} and Anthropic's messages at {@code /v1/messages}, streamed, and Ollama's
 * list of models. It is as strict as the real ones: a history in which a tool call has not exactly
 * one result is answered 400. Each request that passes takes the next entry of the script, whoever
 * sends it. Safe for all threads; each request runs on a virtual thread of its own.
 */
public final class MockModelServer implements AutoCloseable {
    /** How many requests are remembered; older ones are forgotten. */
    private static final int MOST_REMEMBERED = 1_000;

    private static final int MOST_REQUEST_BYTES = 64 << 20;

    private final ObjectMapper json = new ObjectMapper();
    private final Cancellation closed = new Cancellation();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Script script;
    private final Wire wire;
    private final HttpServer server;

    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by lock.
    private final Deque<Seen> seen = new ArrayDeque<>();
    private int position;

    private MockModelServer(Script script, Wire wire, HttpServer server) {
        this.script = script;
        this.wire = wire;
        this.server = server;
    }

    /**
     * How an answer is cut on its way.
     *
     * @param pieceBytes bytes per write; 0 writes each event whole
     * @param pieceChars characters (code points) of text or arguments per event, 1 or more
     */
    public record Wire(int pieceBytes, int pieceChars) {
        /** Events of 16 characters, each written whole. */
        public static final Wire PLAIN = new Wire(0, 16);

        /** Throws {@link IllegalArgumentException} for sizes that make no progress. */
        public Wire {
            if (pieceBytes < 0 || pieceChars < 1) {
                throw new IllegalArgumentException(pieceBytes + " bytes, " + pieceChars + " chars");
            }
        }
    }

    /** A request to a model, as it came; {@code status} 0 stands for a broken connection. */
    public record Seen(String path, JsonNode body, int status) {}

    /**
     * Starts serving.
     *
     * @param address where to listen; port 0 takes a free one
     * @throws IOException when the address cannot be had
     */
    public static MockModelServer start(Script script, InetSocketAddress address, Wire wire)
            throws IOException {
        MockModelServer mock = new MockModelServer(script, wire, HttpServer.create(address, 0));
        mock.server.setExecutor(mock.threads);
        mock.server.createContext("/", mock::handle);
        mock.server.start();
        return mock;
    }

    /** Where it listens; what OPENAI_BASE_URL, ANTHROPIC_BASE_URL and OLLAMA_HOST may name. */
    public URI address() {
        InetSocketAddress bound = server.getAddress();
        return URI.create("http://" + bound.getHostString() + ":" + bound.getPort());
    }

    /** The latest requests to a model, oldest first; at most 1,000. */
    public List<Seen> requests() {
        lock.lock();
        try {
            return List.copyOf(seen);
        } finally {
            lock.unlock();
        }
    }

    /** Stops; what is being answered breaks off. */
    @Override
    public void close() {
        closed.cancel();
        server.stop(/* delay= */ 0);
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            switch (exchange.getRequestMethod() + " " + path) {
                case "POST /v1/chat/completions" ->
                        answer(exchange, path, new MockOpenAi(json, wire.pieceChars()));
                case "POST /v1/messages" ->
                        answer(exchange, path, new MockAnthropic(json, wire.pieceChars()));
                case "GET /api/tags" ->
                        whole(exchange, 200, "{\"models\":[{\"name\":\"script\"}]}");
                default -> whole(exchange, 404, "{\"error\":{\"message\":\"no such path\"}}");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void answer(HttpExchange exchange, String path, MockProtocol protocol)
            throws IOException, InterruptedException {
        Optional<JsonNode> request = body(exchange);
        Optional<String> refusal =
                request.isEmpty()
                        ? Optional.of("the body is not JSON")
                        : protocol.fault(request.get());
        boolean known = exchange.getRequestHeaders().containsKey(protocol.keyHeader());
        if (!known || refusal.isPresent()) {
            int status = known ? 400 : 401;
            remember(path, request, status);
            String why = known ? refusal.orElseThrow() : "no key in " + protocol.keyHeader();
            whole(exchange, status, protocol.error(status, "invalid_request_error", why));
            return;
        }
        Script.Entry entry = next();
        Optional<Script.ScriptError> error = entry.error();
        remember(path, request, error.map(Script.ScriptError::status).orElse(200));
        if (!entry.delay().isZero() && Pauses.REAL.pause(entry.delay(), closed)) {
            return;
        }
        if (error.isPresent() && entry.text().isEmpty()) {
            fail(exchange, protocol, error.get());
            return;
        }
        String model = request.get().path("model").asText("script");
        stream(exchange, entry, protocol.events(model, entry));
    }

    private void fail(HttpExchange exchange, MockProtocol protocol, Script.ScriptError error)
            throws IOException {
        if (error.status() == 0) {
            // Closed without an answer: the client sees its connection break.
            return;
        }
        error.retryAfter()
                .ifPresent(wait ->
                        exchange.getResponseHeaders()
                                .set("Retry-After", Long.toString(wait.toSeconds())));
        String message = error.message().isEmpty() ? "the script says so" : error.message();
        whole(exchange, error.status(), protocol.error(error.status(), error.code(), message));
    }

    private void stream(HttpExchange exchange, Script.Entry entry, List<String> events)
            throws IOException {
        byte[] bytes = String.join("", events).getBytes(StandardCharsets.UTF_8);
        boolean breaks = entry.error().filter(error -> error.status() == 0).isPresent();
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        // A length that is never reached makes the break visible to the client.
        exchange.sendResponseHeaders(200, breaks ? bytes.length + 1L : 0);
        OutputStream out = exchange.getResponseBody();
        if (wire.pieceBytes() == 0) {
            for (String event : events) {
                out.write(event.getBytes(StandardCharsets.UTF_8));
                out.flush();
            }
        } else {
            for (int at = 0; at < bytes.length; at += wire.pieceBytes()) {
                out.write(bytes, at, Math.min(wire.pieceBytes(), bytes.length - at));
                out.flush();
            }
        }
        if (!breaks) {
            out.close();
        }
    }

    private static void whole(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private Optional<JsonNode> body(HttpExchange exchange) throws IOException {
        byte[] bytes = exchange.getRequestBody().readNBytes(MOST_REQUEST_BYTES);
        try {
            return Optional.of(json.readTree(bytes)).filter(JsonNode::isObject);
        } catch (JsonProcessingException _) {
            return Optional.empty();
        }
    }

    private Script.Entry next() {
        lock.lock();
        try {
            return script.at(position++);
        } finally {
            lock.unlock();
        }
    }

    private void remember(String path, Optional<JsonNode> body, int status) {
        lock.lock();
        try {
            if (seen.size() == MOST_REMEMBERED) {
                seen.removeFirst();
            }
            seen.addLast(new Seen(path, body.orElseGet(json::createObjectNode), status));
        } finally {
            lock.unlock();
        }
    }

    /** Cuts text into pieces of so many code points. */
    static List<String> pieces(String text, int chars) {
        List<String> pieces = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int left = text.codePointCount(at, text.length());
            int end = text.offsetByCodePoints(at, Math.min(chars, left));
            pieces.add(text.substring(at, end));
            at = end;
        }
        return pieces;
    }
}
