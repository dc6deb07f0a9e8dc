package ai.hanzo.dev.host.surface.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.host.local.Endpoint;
import ai.hanzo.dev.host.op.Caller;
import ai.hanzo.dev.host.op.Entries;
import ai.hanzo.dev.host.op.OpJson;
import ai.hanzo.dev.host.op.Ops;
import ai.hanzo.dev.host.op.v1.Delta;
import ai.hanzo.dev.host.op.v1.Entry;
import ai.hanzo.dev.host.op.v1.JournalEntry;
import ai.hanzo.dev.host.op.v1.Session;
import ai.hanzo.dev.host.op.v1.StartRequest;
import ai.hanzo.dev.host.surface.rest.Served;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
final class FollowerTest {
    private static final Duration SILENCE = Duration.ofSeconds(20);

    /** Collects sequences, until there are so many. */
    private static final class Seen implements Follower.Listener {
        final List<Integer> sequences = new ArrayList<>();
        private final int enough;
        private Runnable each = () -> {};

        Seen(int enough) {
            this.enough = enough;
        }

        @Override
        public boolean entry(JournalEntry entry, String json) {
            sequences.add(entry.getSeq());
            each.run();
            return sequences.size() < enough;
        }

        @Override
        public void delta(Delta delta) {}
    }

    private static Client client(int port) {
        var endpoint =
                new Endpoint(URI.create("http://127.0.0.1:" + port + "/"), Served.TOKEN, false);
        return new Client(() -> endpoint, Ops.load());
    }

    private static String entry(int seq) {
        return "id: "
                + seq
                + "\nevent: entry\ndata: "
                + OpJson.print(Entries.of(Entry.Kind.note, "n").setSeq(seq).build())
                + "\n\n";
    }

    /** A server by hand: says what it is told for each request, and remembers the headers. */
    private static final class ByHand implements AutoCloseable {
        final List<String> lastIds = new CopyOnWriteArrayList<>();
        private final ServerSocket socket =
                new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

        ByHand(BiConsumer<Integer, OutputStream> answer) throws IOException {
            Thread.ofVirtual()
                    .start(() -> {
                        for (int request = 0; !socket.isClosed(); request++) {
                            try (Socket accepted = socket.accept()) {
                                lastIds.add(head(accepted));
                                answer.accept(request, accepted.getOutputStream());
                            } catch (IOException e) {
                                // The client is gone, or the test is over.
                            }
                        }
                    });
        }

        private static String head(Socket accepted) throws IOException {
            var lines = new BufferedReader(new InputStreamReader(accepted.getInputStream(), UTF_8));
            String id = "";
            for (String line = lines.readLine();
                    line != null && !line.isEmpty();
                    line = lines.readLine()) {
                if (line.startsWith("Last-Event-ID: ")) {
                    id = line.substring("Last-Event-ID: ".length());
                }
            }
            return id;
        }

        int port() {
            return socket.getLocalPort();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static void say(OutputStream out, String text) {
        try {
            out.write(text.getBytes(UTF_8));
            out.flush();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static final String OK =
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";

    /** R2: cut before the first entry, the client comes back with the id that it came with. */
    @Test
    void aStreamCutBeforeItsFirstEntryIsResumedWhereItWas() throws IOException {
        try (var server =
                new ByHand((request, out) ->
                        say(out, request < 3 ? OK + ": nothing yet\n\n" : OK + entry(501)))) {
            var seen = new Seen(1);
            new Follower(client(server.port()), "ses_1", 500, seen, SILENCE).run();

            assertThat(seen.sequences).containsExactly(501);
            assertThat(server.lastIds).containsExactly("500", "500", "500", "500");
        }
    }

    @Test
    void whatComesTwiceIsGivenOnceAndAGapIsAskedForAgain() throws IOException {
        try (var server =
                new ByHand((request, out) ->
                        say(
                                out,
                                switch (request) {
                                    case 0 -> OK + entry(1) + entry(2) + entry(2) + entry(1);
                                    case 1 -> OK + entry(3) + entry(5);
                                    default -> OK + entry(4) + entry(5);
                                }))) {
            var seen = new Seen(5);
            new Follower(client(server.port()), "ses_1", 0, seen, SILENCE).run();

            assertThat(seen.sequences).containsExactly(1, 2, 3, 4, 5);
            assertThat(server.lastIds).containsExactly("0", "2", "3");
        }
    }

    @Test
    void anEntryCutInTheMiddleIsNotGivenOut() throws IOException {
        try (var server =
                new ByHand((request, out) ->
                        say(out, OK + (request == 0 ? entry(1).substring(0, 60) : entry(1))))) {
            var seen = new Seen(1);
            new Follower(client(server.port()), "ses_1", 0, seen, SILENCE).run();

            assertThat(seen.sequences).containsExactly(1);
            assertThat(server.lastIds).containsExactly("0", "0");
        }
    }

    /** R6: a connection that says nothing any more is taken for dead. */
    @Test
    void aSilentConnectionIsLeftForAnother() throws IOException {
        var held = new CopyOnWriteArrayList<OutputStream>();
        try (var server =
                new ByHand((request, out) -> {
                    say(out, OK + (request == 0 ? entry(1) : entry(2)));
                    if (request == 0) {
                        held.add(out);
                        waitUntilGone(out);
                    }
                })) {
            var seen = new Seen(2);
            new Follower(client(server.port()), "ses_1", 0, seen, Duration.ofMillis(300)).run();

            assertThat(seen.sequences).containsExactly(1, 2);
            assertThat(server.lastIds).startsWith("0", "1").containsOnlyOnce("0");
            assertThat(held).hasSize(1);
        }
    }

    /** Says nothing, and returns when the client has closed: then even a comment cannot be sent. */
    private static void waitUntilGone(OutputStream out) {
        org.awaitility.Awaitility.await()
                .pollDelay(Duration.ofSeconds(1))
                .pollInterval(Duration.ofMillis(100))
                .until(() -> {
                    try {
                        out.write(' ');
                        return false;
                    } catch (IOException e) {
                        return true;
                    }
                });
    }

    @Test
    void aHostThatStaysAwayIsASentenceThatSaysHowToGoOn() throws IOException {
        try (var server = new ByHand((_, out) -> say(out, OK))) {
            assertThatThrownBy(() ->
                            new Follower(client(server.port()), "ses_1", 0, new Seen(1), SILENCE)
                                    .run())
                    .isInstanceOf(CliException.class)
                    .hasMessageContaining("hanzo dev attach ses_1");
        }
    }

    @Test
    void aJournalIsFollowedThroughManyCutsWithoutGapOrRepeat() {
        try (var served = new Served()) {
            String id =
                    served.host
                            .start(Caller.localOwner(), StartRequest.getDefaultInstance())
                            .getId();
            int total = 300;
            var seen = new Seen(total);
            seen.each =
                    () -> {
                        int count = seen.sequences.size();
                        if (count < total) {
                            served.host.append(id, Entries.of(Entry.Kind.note, "n"));
                        }
                        if (count % 20 == 0) {
                            served.host.cut(id);
                        }
                    };
            new Follower(client(served.server.port()), id, 0, seen, SILENCE).run();

            assertThat(seen.sequences)
                    .containsExactlyElementsOf(IntStream.rangeClosed(1, total).boxed().toList());
        }
    }

    @Test
    void afterAResetWhatIsMissingIsReadFromTheJournal() throws IOException {
        try (var served = new Served();
                var server =
                        new ByHand((_, out) ->
                                say(
                                        out,
                                        OK
                                                + "event: reset\ndata: {\"reason\":\"old\",\"after\":3}\n\n"
                                                + entry(4)))) {
            String id =
                    served.host
                            .start(Caller.localOwner(), StartRequest.getDefaultInstance())
                            .getId();
            served.host.append(id, Entries.of(Entry.Kind.note, "two"));
            served.host.append(id, Entries.of(Entry.Kind.note, "three"));
            // Pages come from the served host, the stream from the one by hand.
            var switching = new Switching(served.server.port(), server.port());
            var seen = new Seen(3);
            new Follower(switching.client(), id, 0, seen, SILENCE).run();

            assertThat(seen.sequences).containsExactly(1, 2, 3);
        }
    }

    /** Sends streams to one server and everything else to another, as a proxy would. */
    private record Switching(int ops, int streams) {
        Client client() throws IOException {
            var front = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            Thread.ofVirtual()
                    .start(() -> {
                        while (true) {
                            try {
                                Socket accepted = front.accept();
                                Thread.ofVirtual().start(() -> forward(accepted));
                            } catch (IOException e) {
                                return;
                            }
                        }
                    });
            return FollowerTest.client(front.getLocalPort());
        }

        private void forward(Socket accepted) {
            try (accepted) {
                var in = accepted.getInputStream();
                var head = new StringBuilder();
                while (!head.toString().endsWith("\r\n\r\n")) {
                    int b = in.read();
                    if (b < 0) {
                        return;
                    }
                    head.append((char) b);
                }
                boolean stream = head.toString().contains("/stream ");
                try (var back =
                        new Socket(InetAddress.getLoopbackAddress(), stream ? streams : ops)) {
                    back.getOutputStream()
                            .write(
                                    head.toString()
                                            .replace("Connection: keep-alive", "Connection: close")
                                            .getBytes(UTF_8));
                    back.getOutputStream().flush();
                    back.getInputStream().transferTo(accepted.getOutputStream());
                }
            } catch (IOException e) {
                // Either side is gone.
            }
        }
    }

    /** D8: the answer to a request is lost; it is sent again with its key, and happens once. */
    @Test
    void aRequestWhoseAnswerWasLostHappensOnce() throws IOException {
        try (var served = new Served();
                var front = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> swallowFirst(front, served.server.port()));
            var request =
                    StartRequest.newBuilder().setPrompt("once").setIdempotencyKey("key-1").build();

            Session session =
                    client(front.getLocalPort())
                            .call("start", request, Session.getDefaultInstance());

            assertThat(served.host.ids()).containsExactly(session.getId());
            assertThat(
                            served.host.asked.stream()
                                    .filter(asked -> asked.request() instanceof StartRequest))
                    .hasSize(2);
            assertThat(served.host.turn(session.getId())).isEqualTo(1);
        }
    }

    private static void swallowFirst(ServerSocket front, int back) {
        for (int request = 0; ; request++) {
            try (Socket accepted = front.accept();
                    Socket behind = new Socket(InetAddress.getLoopbackAddress(), back)) {
                accepted.setSoTimeout(1_000);
                Thread pump =
                        Thread.ofVirtual()
                                .start(() -> {
                                    try {
                                        accepted.getInputStream()
                                                .transferTo(behind.getOutputStream());
                                    } catch (IOException e) {
                                        // The client has said all.
                                    }
                                });
                byte[] answer = new byte[65_536];
                int length = behind.getInputStream().read(answer);
                if (request > 0) {
                    accepted.getOutputStream().write(answer, 0, length);
                    accepted.getOutputStream().flush();
                    pump.join();
                }
            } catch (IOException e) {
                return;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
