package ai.hanzo.dev.host.surface.sse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ai.hanzo.dev.host.op.Caller;
import ai.hanzo.dev.host.op.Entries;
import ai.hanzo.dev.host.op.v1.Entry;
import ai.hanzo.dev.host.op.v1.StartRequest;
import ai.hanzo.dev.host.surface.rest.Served;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class StreamRouteTest {
    private final Served served = new Served(0, Duration.ofMillis(50));
    private String id = "";

    @BeforeEach
    void open() {
        id = served.host.start(Caller.localOwner(), StartRequest.getDefaultInstance()).getId();
        for (int i = 2; i <= 5; i++) {
            served.host.append(id, Entries.of(Entry.Kind.note, "entry " + i));
        }
    }

    @AfterEach
    void close() {
        served.close();
    }

    private BufferedReader follow(String query, String lastId) throws Exception {
        var request = served.request("/v1/dev/" + id + "/stream" + query);
        if (!lastId.isEmpty()) {
            request.header("Last-Event-ID", lastId);
        }
        HttpResponse<java.io.InputStream> response =
                served.client().send(request.build(), BodyHandlers.ofInputStream());
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type"))
                .hasValue("text/event-stream;charset=utf-8");
        return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }

    private static List<String> read(BufferedReader lines, String prefix, int count)
            throws IOException {
        var found = new ArrayList<String>();
        while (found.size() < count) {
            String line = lines.readLine();
            if (line == null) {
                return found;
            }
            if (line.startsWith(prefix)) {
                found.add(line.substring(prefix.length()));
            }
        }
        return found;
    }

    @Test
    void recordedEntriesCarryTheirSequenceAndNewOnesFollow() throws Exception {
        try (BufferedReader lines = follow("", "")) {
            assertThat(read(lines, "id: ", 5)).containsExactly("1", "2", "3", "4", "5");
            served.host.append(id, Entries.of(Entry.Kind.note, "line one\nline two"));
            assertThat(read(lines, "data: ", 2).getLast())
                    .startsWith("{\"seq\":6,")
                    .contains("line one\\nline two");
        }
    }

    @Test
    void passingTextHasNoId() throws Exception {
        try (BufferedReader lines = follow("?after=5", "")) {
            assertThat(read(lines, "id: ", 1)).containsExactly("5");
            await().until(() -> served.server.idle().isZero());
            served.host.delta(id, "hel");
            assertThat(lines.readLine()).isEmpty();
            String line = lines.readLine();
            while (!line.startsWith("event:")) {
                assertThat(line).doesNotStartWith("id:");
                line = lines.readLine();
            }
            assertThat(line).isEqualTo("event: delta");
            assertThat(lines.readLine())
                    .isEqualTo("data: {\"channel\":\"say\",\"text\":\"hel\",\"offset\":0}");
        }
    }

    @Test
    void aClientComesBackWhereItWasByHeaderOrParameterAndTheHeaderWins() throws Exception {
        try (BufferedReader lines = follow("?after=3", "")) {
            assertThat(read(lines, "data: ", 2)).first().asString().startsWith("{\"seq\":4,");
        }
        try (BufferedReader lines = follow("?after=1", "4")) {
            assertThat(read(lines, "data: ", 1)).first().asString().startsWith("{\"seq\":5,");
        }
    }

    @Test
    void aStreamThatResumesNamesItsPlaceBeforeAnyEntry() throws Exception {
        try (BufferedReader lines = follow("?after=5", "")) {
            assertThat(lines.readLine()).isEqualTo("retry: 1000");
            assertThat(read(lines, "id: ", 1)).containsExactly("5");
        }
    }

    @Test
    void aPlaceThatCannotBeIsAnAnsweredReset() throws Exception {
        try (BufferedReader lines = follow("?after=99", "")) {
            assertThat(read(lines, "event: ", 1)).containsExactly("reset");
            assertThat(read(lines, "data: ", 1))
                    .containsExactly("{\"reason\":\"past the end\",\"after\":5}");
        }
        for (String query : List.of("?after=-1", "?after=x", "?aftr=1", "?after=99999999999")) {
            assertThat(served.get("/v1/dev/" + id + "/stream" + query).statusCode())
                    .as(query)
                    .isEqualTo(400);
        }
        assertThat(served.get("/v1/dev/ses_none/stream").statusCode()).isEqualTo(404);
    }

    @Test
    void aQuietStreamIsKeptAliveByComments() throws Exception {
        try (BufferedReader lines = follow("?after=5", "")) {
            assertThat(read(lines, ": still here", 3)).hasSize(3);
        }
    }

    @Test
    void aStoppedSessionEndsItsStream() throws Exception {
        try (BufferedReader lines = follow("?after=5", "")) {
            read(lines, "id: ", 1);
            served.send(served.request("/v1/dev/" + id).DELETE());
            assertThat(read(lines, "data: ", 1)).containsExactly("{\"reason\":\"stopped\"}");
            assertThat(read(lines, "never", 1)).isEmpty();
        }
    }

    @Test
    void aClientThatIsGoneIsForgotten() throws Exception {
        BufferedReader lines = follow("?after=5", "");
        read(lines, "id: ", 1);
        assertThat(served.server.idle()).isZero();
        lines.close();
        await().atMost(Duration.ofSeconds(20)).until(() -> !served.server.idle().isZero());
    }

    /** R1: what the client saw, over all its connections, is the journal. */
    @Test
    void twoHundredCutConnectionsLoseAndRepeatNothing() throws Exception {
        var random = new Random(7);
        var seen = new ArrayList<Integer>();
        int last = 0;
        int total = 2000;
        Thread writer =
                Thread.ofVirtual()
                        .start(() -> {
                            for (int i = 6; i <= total; i++) {
                                served.host.append(id, Entries.of(Entry.Kind.note, "n"));
                                served.host.delta(id, "t");
                            }
                        });
        for (int connection = 0; last < total; connection++) {
            int wanted = connection < 200 ? 1 + random.nextInt(9) : total;
            last = readAndReset(last, wanted, total, seen);
        }
        writer.join();

        assertThat(seen)
                .containsExactlyElementsOf(
                        java.util.stream.IntStream.rangeClosed(1, total).boxed().toList());
    }

    /** Reads entries over a socket of its own, and resets the connection. */
    private int readAndReset(int after, int wanted, int total, List<Integer> seen)
            throws IOException {
        int last = after;
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), served.server.port())) {
            socket.setSoLinger(true, 0);
            String request =
                    "GET /v1/dev/"
                            + id
                            + "/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                            + Served.TOKEN
                            + "\r\nLast-Event-ID: "
                            + after
                            + "\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            var lines =
                    new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            for (int count = 0; count < wanted && last < total; ) {
                String line = lines.readLine();
                if (line == null) {
                    return last;
                }
                if (line.startsWith("data: {\"seq\":")) {
                    last = Integer.parseInt(line.substring(13, line.indexOf(',')));
                    seen.add(last);
                    count++;
                }
            }
        }
        return last;
    }
}
