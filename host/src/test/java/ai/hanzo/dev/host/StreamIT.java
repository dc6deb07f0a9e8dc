package ai.hanzo.dev.host;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.local.Home;
import ai.hanzo.dev.host.local.HostFile;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The routes of sessions over a real host: start, look, stream, cancel, journal, diff, stop. */
class StreamIT {
    @TempDir static Path root;
    private static Path home;
    private static TestHost host;
    private Path project;

    @BeforeAll
    static void start() {
        home = root.resolve("home");
        host = new TestHost(home);
    }

    @AfterAll
    static void stop() {
        host.close();
    }

    @BeforeEach
    void project() {
        project = Projects.make(root);
    }

    private String begin(Scripts script) {
        String body =
                """
                {"prompt": "Go.", "model": "script:stream", "script": %s, "workspace": {"path": "%s"}}
                """
                        .formatted(Lines.quoted(script.text()), project);
        var response = host.send("POST", "/v1/dev", body);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
        return Lines.json(response.body()).path("id").asText();
    }

    private static List<JsonNode> stream(String id, int after) throws IOException {
        return TurnStream.read(HostFile.read(new Home(home)).orElseThrow(), id, after);
    }

    @Test
    void aStreamHasEveryEntryOnceAndGoesOnWhereItBroke() throws IOException {
        String id = begin(new Scripts().sh("echo one").sh("echo two").say("Three."));
        List<JsonNode> all = stream(id, 0);
        assertThat(all.stream().map(entry -> entry.path("seq").asInt()))
                .containsExactlyElementsOf(IntStream.rangeClosed(1, all.size()).boxed().toList());
        assertThat(stream(id, 5)).isEqualTo(all.subList(5, all.size()));
        var journal = host.send("GET", "/v1/dev/" + id + "/journal?after=5", "");
        assertThat(Lines.json(journal.body()).path("entries"))
                .hasSize(all.size() - 5)
                .first()
                .isEqualTo(all.get(5));
    }

    @Test
    void aTurnIsCancelledWithAllThatItRuns() throws IOException {
        String id = begin(new Scripts().sh("sleep 600 & echo $! > pid; sleep 600").say("Never."));
        Waiting.until(() -> project.resolve("pid").toFile().length() > 0);
        var cancelled = host.send("POST", "/v1/dev/" + id + "/cancel", "{}");
        assertThat(cancelled.statusCode()).as(cancelled.body()).isEqualTo(200);
        List<JsonNode> all = stream(id, 0);
        assertThat(all.getLast().at("/done/outcome").asText()).isEqualTo("cancelled");
        Waiting.until(() -> Processes.running("sleep 600", project).isEmpty());
        host.awaitIdle(new ai.hanzo.dev.protocol.id.SessionId(id));
    }

    @Test
    void aSessionIsListedShownComparedAndStopped() throws IOException {
        String id = begin(new Scripts().sh("echo x > x.txt").say("Done."));
        stream(id, 0);
        host.awaitIdle(new ai.hanzo.dev.protocol.id.SessionId(id));
        var list = Lines.json(host.send("GET", "/v1/dev?path=" + project, "").body());
        assertThat(list.at("/sessions/0/id").asText()).isEqualTo(id);
        var shown = Lines.json(host.send("GET", "/v1/dev/" + id, "").body());
        assertThat(shown.path("state").asText()).isEqualTo("idle");
        var diff = Lines.json(host.send("GET", "/v1/dev/" + id + "/diff", "").body());
        assertThat(diff.path("diff").asText()).contains("+x");
        assertThat(host.send("DELETE", "/v1/dev/" + id, "").statusCode()).isLessThan(300);
        var after = Lines.json(host.send("GET", "/v1/dev/" + id, "").body());
        assertThat(after.path("state").asText()).isEqualTo("stopped");
        var turn = host.send("POST", "/v1/dev/" + id, "{\"prompt\": \"More.\"}");
        assertThat(turn.statusCode()).isEqualTo(409);
        assertThat(turn.body()).contains("over");
    }

    @Test
    void nothingIsServedWithoutTheToken() throws IOException {
        HostFile file = HostFile.read(new Home(home)).orElseThrow();
        for (String path : List.of("/v1/dev", "/v1/dev/x", "/v1/dev/x/stream", "/v1/dev/x/diff")) {
            var connection =
                    (HttpURLConnection) file.address().resolve(path).toURL().openConnection();
            assertThat(connection.getResponseCode()).as(path).isEqualTo(401);
        }
    }
}
