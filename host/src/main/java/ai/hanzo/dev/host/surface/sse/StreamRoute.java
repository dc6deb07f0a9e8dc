package ai.hanzo.dev.host.surface.sse;

import ai.hanzo.dev.host.op.Caller;
import ai.hanzo.dev.host.op.OpException;
import ai.hanzo.dev.host.op.StreamItem;
import ai.hanzo.dev.host.op.StreamSource;
import ai.hanzo.dev.host.op.Subscription;
import ai.hanzo.dev.host.op.v1.StreamRequest;
import io.javalin.http.Context;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Serves {@code GET /v1/dev/{id}/stream}. Each follower holds one virtual thread, that of its
 * request, which waits for items and writes them. A follower that does not read holds up only its
 * own thread, until the connection's idle timeout; what waits for it meanwhile is bounded by its
 * subscription. Any thread.
 */
public final class StreamRoute implements AutoCloseable {
    private final StreamSource source;
    private final Duration heartbeat;
    private final Set<Subscription> open = ConcurrentHashMap.newKeySet();

    public StreamRoute(StreamSource source, Duration heartbeat) {
        this.source = source;
        this.heartbeat = heartbeat;
    }

    /** How many follow now. */
    public int followers() {
        return open.size();
    }

    /**
     * Writes the stream until the session ends, the host drains or the client is gone.
     *
     * @throws OpException before anything was written: no such session, or no such sequence
     */
    public void serve(Caller caller, Context context) {
        Optional<Integer> after = after(context);
        StreamRequest.Builder request = StreamRequest.newBuilder().setId(context.pathParam("id"));
        after.ifPresent(request::setAfter);
        try (Subscription subscription = source.follow(caller, request.build())) {
            open.add(subscription);
            try {
                run(subscription, context, after.orElse(0));
            } finally {
                open.remove(subscription);
            }
        }
    }

    private void run(Subscription subscription, Context context, int after) {
        context.status(200);
        context.res().setContentType("text/event-stream;charset=utf-8");
        context.res().setHeader("Cache-Control", "no-store");
        context.res().setHeader("X-Accel-Buffering", "no");
        try {
            var writer = new SseWriter(context.res().getOutputStream());
            writer.open(after);
            writer.flush();
            copy(subscription, writer);
        } catch (IOException e) {
            // The client is gone; it comes back with the last id that it saw.
            subscription.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void copy(Subscription subscription, SseWriter writer)
            throws IOException, InterruptedException {
        while (true) {
            Optional<StreamItem> item = subscription.next(Duration.ZERO);
            if (item.isEmpty()) {
                writer.flush();
                item = subscription.next(heartbeat);
            }
            if (item.isEmpty()) {
                writer.heartbeat();
                continue;
            }
            writer.write(item.get());
            if (item.get() instanceof StreamItem.End) {
                writer.flush();
                return;
            }
        }
    }

    /** The header wins over the parameter: a client that comes back repeats its first URL. */
    private static Optional<Integer> after(Context context) {
        for (String name : context.queryParamMap().keySet()) {
            if (!name.equals("after")) {
                throw OpException.invalid(
                        name, "means nothing here; a stream takes after=SEQUENCE");
            }
        }
        String header = context.header("Last-Event-ID");
        if (header != null && !header.isEmpty()) {
            return Optional.of(sequence("Last-Event-ID", header));
        }
        String parameter = context.queryParam("after");
        return parameter == null ? Optional.empty() : Optional.of(sequence("after", parameter));
    }

    private static int sequence(String name, String text) {
        try {
            int sequence = Integer.parseInt(text);
            if (sequence >= 0) {
                return sequence;
            }
        } catch (NumberFormatException e) {
            // Told below.
        }
        throw OpException.invalid(name, "is a sequence, 0 or above, not " + text);
    }

    /** Ends every stream, so that the server can stop; clients come back and find the next one. */
    @Override
    public void close() {
        open.forEach(Subscription::close);
    }
}
