package ai.hanzo.dev.host.surface.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import ai.hanzo.dev.host.local.Endpoint;
import ai.hanzo.dev.host.op.OpJson;
import ai.hanzo.dev.host.op.Ops;
import ai.hanzo.dev.host.op.v1.Entry;
import ai.hanzo.dev.host.op.v1.JournalEntry;
import ai.hanzo.dev.host.op.v1.ListRequest;
import ai.hanzo.dev.host.op.v1.ListResponse;
import ai.hanzo.dev.host.op.v1.Session;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import picocli.CommandLine.Command;

/**
 * Walks the paths of the usual commands against a server of its own, while the launcher records
 * which classes they load: the command line then starts from that record. Touches nothing else.
 */
@Command(name = "warm-up", hidden = true, description = "For the launcher, when it builds.")
final class WarmUpCommand extends SessionCommands.Child {
    private static final String ID = "ses_warm";

    @Override
    public Integer call() throws IOException {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", WarmUpCommand::answer);
        server.start();
        try {
            URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
            Endpoint endpoint = new Endpoint(address, "warm", false);
            Client client = new Client(() -> endpoint, Ops.load());
            client.call(
                    "list", ListRequest.getDefaultInstance(), ListResponse.getDefaultInstance());
            View text = new TextView(out(), cli().style());
            View journal = new JournalView(out(), cli().style());
            new Follower(
                            client,
                            ID,
                            0,
                            new Follower.Listener() {
                                @Override
                                public boolean entry(JournalEntry entry, String json) {
                                    text.entry(entry, json);
                                    journal.entry(entry, json);
                                    return false;
                                }

                                @Override
                                public void delta(ai.hanzo.dev.host.op.v1.Delta delta) {
                                    text.delta(delta);
                                }
                            },
                            Duration.ofSeconds(5))
                    .run();
            cli().localHosts().status();
        } finally {
            server.stop(/* delay= */ 0);
        }
        return Exit.COMPLETE.code();
    }

    private static void answer(HttpExchange exchange) {
        boolean stream = exchange.getRequestURI().getPath().endsWith("/stream");
        String body = stream ? event() : OpJson.print(sessions());
        exchange.getResponseHeaders()
                .add("Content-Type", stream ? "text/event-stream" : "application/json");
        try (OutputStream out = exchange.getResponseBody()) {
            exchange.sendResponseHeaders(200, 0);
            out.write(body.getBytes(UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ListResponse sessions() {
        return ListResponse.newBuilder()
                .addSessions(Session.newBuilder().setId(ID).setState(Session.State.idle))
                .build();
    }

    private static String event() {
        JournalEntry entry =
                JournalEntry.newBuilder()
                        .setSeq(1)
                        .setKind(Entry.Kind.note)
                        .setSummary("warm")
                        .build();
        return "id: 1\nevent: entry\ndata: " + OpJson.print(entry) + "\n\n";
    }
}
