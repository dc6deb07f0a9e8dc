package ai.hanzo.dev.host.model;

import dev.langchain4j.exception.HttpException;
import dev.langchain4j.http.client.HttpClient;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import dev.langchain4j.http.client.sse.CancellationUnsupportedHandle;
import dev.langchain4j.http.client.sse.ServerSentEvent;
import dev.langchain4j.http.client.sse.ServerSentEventContext;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import dev.langchain4j.http.client.sse.ServerSentEventParser;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * One request to a provider, as LangChain4j's HTTP client. It replaces the JDK client of
 * LangChain4j because that one runs on a thread of its own, cannot be cancelled before the first
 * event, hides the headers of an error and takes a broken stream for a whole one (docs/adr/0020).
 * Everything runs on the thread that asks; only {@link #abort} may come from another.
 */
final class Exchange implements HttpClient {
    /** {@code stop} comes first; the JDK's own limit is for a stop that was lost. */
    private static final Duration GRACE = Duration.ofSeconds(30);

    private static final int LONGEST_ERROR_BYTES = 64 * 1024;

    private final java.net.http.HttpClient http;
    private final Dialect dialect;
    private final Faults faults;
    private final Duration limit;
    private final Cancellation stop;
    private Optional<Fault> fault = Optional.empty();

    /**
     * @param limit after which {@code stop} is set
     * @param stop ends the exchange wherever it is
     */
    Exchange(
            java.net.http.HttpClient http,
            Dialect dialect,
            Faults faults,
            Duration limit,
            Cancellation stop) {
        this.http = http;
        this.dialect = dialect;
        this.faults = faults;
        this.limit = limit;
        this.stop = stop;
    }

    /** What went wrong, if something did. */
    Optional<Fault> fault() {
        return fault;
    }

    /** A builder that LangChain4j takes; it can only build this exchange. */
    HttpClientBuilder builder() {
        return new Only(this);
    }

    @Override
    public SuccessfulHttpResponse execute(HttpRequest request) {
        throw new IllegalStateException("models are only asked for streams");
    }

    @Override
    public void execute(
            HttpRequest request, ServerSentEventParser parser, ServerSentEventListener listener) {
        CompletableFuture<HttpResponse<InputStream>> pending =
                http.sendAsync(jdkRequest(request), BodyHandlers.ofInputStream());
        try (var _ = stop.onCancel(() -> abort(pending))) {
            HttpResponse<InputStream> response = pending.get();
            try (InputStream body = response.body()) {
                if (response.statusCode() / 100 != 2) {
                    String text =
                            new String(
                                    body.readNBytes(LONGEST_ERROR_BYTES), StandardCharsets.UTF_8);
                    fail(faults.http(response.statusCode(), response.headers(), text), listener);
                    return;
                }
                stream(body, listener);
            }
        } catch (InterruptedException e) {
            abort(pending);
            Thread.currentThread().interrupt();
            fail(faults.transport("interrupted"), listener);
        } catch (ExecutionException e) {
            fail(faults.transport(reason(e.getCause() == null ? e : e.getCause())), listener);
        } catch (IOException | CancellationException e) {
            fail(faults.transport(reason(e)), listener);
        }
    }

    private void stream(InputStream body, ServerSentEventListener listener) throws IOException {
        SseReader reader = new SseReader(body);
        var context = new ServerSentEventContext(new CancellationUnsupportedHandle());
        while (true) {
            Optional<SseReader.SseEvent> event = reader.next();
            if (event.isEmpty()) {
                break;
            }
            for (SseReader.SseEvent each : dialect.normalised(event.get())) {
                listener.onEvent(new ServerSentEvent(each.name(), each.data()), context);
            }
            if (dialect.fault().isPresent()) {
                break;
            }
        }
        if (dialect.fault().isPresent()) {
            fail(dialect.fault().get(), listener);
        } else if (!dialect.isComplete()) {
            fail(faults.transport("the connection ended in the middle of the reply"), listener);
        } else {
            listener.onClose();
        }
    }

    private void fail(Fault what, ServerSentEventListener listener) {
        fault = Optional.of(what);
        listener.onError(new HttpException(0, what.message()));
    }

    private java.net.http.HttpRequest jdkRequest(HttpRequest request) {
        var builder =
                java.net.http.HttpRequest.newBuilder(URI.create(request.url()))
                        .timeout(limit.plus(GRACE))
                        .header("Accept", "text/event-stream")
                        .method(request.method().name(), BodyPublishers.ofString(request.body()));
        request.headers()
                .forEach((name, values) -> values.forEach(value -> builder.header(name, value)));
        return builder.build();
    }

    private static void abort(CompletableFuture<HttpResponse<InputStream>> pending) {
        pending.cancel(true);
        if (pending.isDone() && !pending.isCompletedExceptionally()) {
            try {
                pending.join().body().close();
            } catch (IOException _) {
                // Closing is all that was wanted.
            }
        }
    }

    private static String reason(Throwable cause) {
        String message = cause.getMessage();
        return message == null ? cause.getClass().getSimpleName() : message;
    }

    /** Builds the one exchange; the time limits are the exchange's own. */
    private record Only(Exchange exchange) implements HttpClientBuilder {
        @Override
        public Duration connectTimeout() {
            return exchange.limit;
        }

        @Override
        public HttpClientBuilder connectTimeout(Duration timeout) {
            return this;
        }

        @Override
        public Duration readTimeout() {
            return exchange.limit;
        }

        @Override
        public HttpClientBuilder readTimeout(Duration timeout) {
            return this;
        }

        @Override
        public HttpClient build() {
            return exchange;
        }
    }
}
