package ai.hanzo.dev.host.surface.sse;

import static java.nio.charset.StandardCharsets.UTF_8;

import ai.hanzo.dev.host.op.Caller;
import ai.hanzo.dev.host.op.OpException;
import ai.hanzo.dev.host.op.OpJson;
import ai.hanzo.dev.host.op.ShellFeed;
import ai.hanzo.dev.host.op.ShellFeed.Item;
import ai.hanzo.dev.host.op.ShellSource;
import ai.hanzo.dev.host.op.ShellSource.ShellPath;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Serves {@code GET /v1/dev/{id}/shell/{shell}}: what it prints, in base64, the place behind it as
 * the event's id. A client that does not read makes the program wait, as a terminal would. Any
 * thread; each follower holds one virtual thread.
 *
 * <pre>
 * event: output
 * id: 4096
 * data: BASE64
 *
 * event: exit            or cut, when the shell goes on without this stream
 * data: {"exit":0}
 * </pre>
 */
public final class ShellFeedRoute implements AutoCloseable {
    private final ShellSource source;
    private final Duration heartbeat;
    private final Set<ShellFeed> open = ConcurrentHashMap.newKeySet();

    public ShellFeedRoute(ShellSource source, Duration heartbeat) {
        this.source = source;
        this.heartbeat = heartbeat;
    }

    /** How many follow now. */
    public int followers() {
        return open.size();
    }

    /**
     * Writes what the shell prints until it ends or the client is gone.
     *
     * @throws OpException before anything was written: no such session or shell
     */
    public void serve(Caller caller, ShellPath shell, Context context) {
        try (ShellFeed feed = source.follow(caller, shell, after(context))) {
            open.add(feed);
            try {
                run(feed, context);
            } finally {
                open.remove(feed);
            }
        }
    }

    private void run(ShellFeed feed, Context context) {
        context.status(200);
        context.res().setContentType("text/event-stream;charset=utf-8");
        context.res().setHeader("Cache-Control", "no-store");
        context.res().setHeader("X-Accel-Buffering", "no");
        try {
            OutputStream out = context.res().getOutputStream();
            text(out, ": follows\n\n");
            out.flush();
            copy(feed, out);
            out.flush();
        } catch (IOException e) {
            // The client is gone; it comes back with the last id that it saw.
            feed.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void copy(ShellFeed feed, OutputStream out) throws IOException, InterruptedException {
        while (true) {
            Optional<Item> item = feed.next(Duration.ZERO);
            if (item.isEmpty()) {
                out.flush();
                item = feed.next(heartbeat);
            }
            if (item.isEmpty()) {
                text(out, ": still here\n\n");
                continue;
            }
            switch (item.get()) {
                case Item.Output(long offset, var bytes) -> {
                    text(out, "event: output\nid: " + (offset + bytes.length()) + "\ndata: ");
                    out.write(Base64.getEncoder().encode(bytes.toArray()));
                    text(out, "\n\n");
                }
                case Item.Exit(var exit) -> {
                    text(out, "event: exit\ndata: " + OpJson.print(exit) + "\n\n");
                    return;
                }
                case Item.Cut(var reason) -> {
                    String name = reason.name().toLowerCase(Locale.ROOT);
                    text(out, "event: cut\ndata: {\"reason\":\"" + name + "\"}\n\n");
                    return;
                }
            }
        }
    }

    private static void text(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(UTF_8));
    }

    private static long after(Context context) {
        for (String name : context.queryParamMap().keySet()) {
            if (!name.equals("after")) {
                throw OpException.invalid(name, "means nothing here; a shell takes after=OFFSET");
            }
        }
        String header = Optional.ofNullable(context.header("Last-Event-ID")).orElse("");
        String parameter = Optional.ofNullable(context.queryParam("after")).orElse("");
        String text = header.isEmpty() ? parameter : header;
        if (text.isEmpty()) {
            return 0;
        }
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw OpException.invalid(
                    header.isEmpty() ? "after" : "Last-Event-ID",
                    "is a number of bytes, 0 or above, not " + text);
        }
    }

    /** Ends every stream, so that the server can stop. */
    @Override
    public void close() {
        open.forEach(ShellFeed::close);
    }
}
