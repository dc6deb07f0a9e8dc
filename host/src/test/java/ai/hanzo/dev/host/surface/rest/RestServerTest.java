package ai.hanzo.dev.host.surface.rest;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.op.OpCode;
import ai.hanzo.dev.host.op.OpException;
import ai.hanzo.dev.host.op.Ops;
import ai.hanzo.dev.host.op.v1.ListRequest;
import ai.hanzo.dev.host.op.v1.Problem;
import ai.hanzo.dev.host.op.v1.Session;
import ai.hanzo.dev.host.op.v1.StartRequest;
import com.google.protobuf.util.JsonFormat;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RestServerTest {
    private final Served served = new Served();

    @AfterEach
    void close() {
        served.close();
    }

    private static Problem problem(HttpResponse<String> response) throws IOException {
        assertThat(response.headers().firstValue("Content-Type"))
                .hasValue("application/problem+json");
        Problem.Builder problem = Problem.newBuilder();
        JsonFormat.parser().merge(response.body(), problem);
        assertThat(problem.getStatus()).isEqualTo(response.statusCode());
        assertThat(problem.getType()).isEqualTo("urn:hanzo:dev:" + problem.getCode());
        assertThat(problem.getTitle()).isNotEmpty();
        assertThat(problem.getDetail()).isNotEmpty();
        return problem.build();
    }

    private String open(String prompt) throws Exception {
        HttpResponse<String> response =
                served.post("/v1/dev", "{\"prompt\":\"" + prompt + "\",\"model\":\"script\"}");
        assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
        Session.Builder session = Session.newBuilder();
        JsonFormat.parser().merge(response.body(), session);
        assertThat(response.headers().firstValue("Location"))
                .hasValue("/v1/dev/" + session.getId());
        return session.getId();
    }

    @Test
    void aSessionIsStartedReadListedAndStopped() throws Exception {
        String id = open("hello");

        assertThat(served.get("/v1/dev/" + id).body()).contains("\"id\":\"" + id + "\"");
        assertThat(served.get("/v1/dev").body()).contains("\"sessions\":[{\"id\":\"" + id + "\"");
        assertThat(served.post("/v1/dev/" + id, "{\"prompt\":\"more\"}").statusCode())
                .isEqualTo(202);
        assertThat(served.post("/v1/dev/" + id + "/cancel", "").statusCode()).isEqualTo(200);
        assertThat(served.get("/v1/dev/" + id + "/journal?after=1&limit=2").body())
                .contains("\"seq\":2", "\"seq\":3", "\"more\":true")
                .doesNotContain("\"seq\":1,", "\"seq\":4");
        assertThat(served.get("/v1/dev/" + id + "/diff").body()).contains("a.txt");
        assertThat(served.get("/v1/dev/" + id + "/actions").statusCode()).isEqualTo(200);
        assertThat(served.post("/v1/dev/" + id + "/undo", "{\"to\":2}").body())
                .contains("\"restored\":[\"a.txt\"]", "\"sequence\":2");
        HttpResponse<String> stopped = served.send(served.request("/v1/dev/" + id).DELETE());
        assertThat(stopped.statusCode()).isEqualTo(200);
        assertThat(stopped.body()).contains("\"state\":\"stopped\"");
    }

    @Test
    void everyOpOfTheFileHasARouteThatAnswers() throws Exception {
        for (var op : Ops.load().all()) {
            String path = op.options().getPath().replace("{id}", "nobody");
            HttpRequest.Builder request = served.request(path);
            if (op.options().getMethod().equals("POST")) {
                request.header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString("{}"));
            } else {
                request.method(op.options().getMethod(), BodyPublishers.noBody());
            }
            HttpResponse<String> response = served.send(request);
            if (response.statusCode() >= 400) {
                assertThat(problem(response).getCode()).as(path).isEqualTo("not_found");
            }
        }
    }

    @Test
    void theQueryIsReadAsTheFieldsOfTheRequest() throws Exception {
        served.get("/v1/dev?state=waiting_input&limit=7&path=/a%20b&cursor=c");

        assertThat(served.host.asked.getLast().request())
                .isEqualTo(
                        ListRequest.newBuilder()
                                .setState(Session.State.waiting_input)
                                .setLimit(7)
                                .setPath("/a b")
                                .setCursor("c")
                                .build());
    }

    @Test
    void withoutATokenNothingIsSaid() throws Exception {
        for (String header : List.of("", "Basic abc", "Bearer", "Bearer wrong", "Bearer ")) {
            HttpRequest.Builder request = HttpRequest.newBuilder(served.uri("/v1/dev"));
            if (!header.isEmpty()) {
                request.header("Authorization", header);
            }
            HttpResponse<String> response = served.send(request);
            assertThat(problem(response).getCode()).as(header).isEqualTo("unauthorized");
            assertThat(response.headers().firstValue("WWW-Authenticate")).hasValue("Bearer");
        }
        assertThat(problem(served.send(HttpRequest.newBuilder(served.uri("/nope")))).getCode())
                .isEqualTo("unauthorized");
    }

    @Test
    void anotherOrgsSessionIsNotThere() throws Exception {
        String id = open("mine");
        HttpResponse<String> response =
                served.send(
                        HttpRequest.newBuilder(served.uri("/v1/dev/" + id))
                                .header("Authorization", "Bearer " + Served.OTHER_TOKEN));

        assertThat(problem(response).getStatus()).isEqualTo(404);
        assertThat(problem(response).getCode()).isEqualTo("not_found");
    }

    @Test
    void whatHasNoRouteIsAProblemToo() throws Exception {
        assertThat(problem(served.get("/v2/dev")).getCode()).isEqualTo("route_not_found");
        HttpResponse<String> put =
                served.send(served.request("/v1/dev").PUT(BodyPublishers.ofString("{}")));
        assertThat(problem(put).getCode()).isEqualTo("method_not_allowed");
        assertThat(put.headers().firstValue("Allow")).hasValue("GET, POST");
        assertThat(
                        problem(
                                        served.send(
                                                served.request("/v1/dev")
                                                        .method("BREW", BodyPublishers.noBody())))
                                .getStatus())
                .isEqualTo(405);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"prompt\": }          | malformed_json   | 1 | 12",
                "{\"prompt\":\"a\",      | malformed_json   | 1 | 15",
                "[1]                     | malformed_json   | 1 | 1",
                "{} {}                   | malformed_json   | 1 | 4",
                "{\"prompt\":\"a\",\"prompt\":\"b\"} | malformed_json | 1 | 0",
                "{\"promt\":\"a\"}       | unknown_field    | 0 | 0",
                "{\"prompt\":7}          | ok               | 0 | 0",
                "{\"limits\":{\"stepsPerTurn\":\"x\"}} | invalid_argument | 0 | 0",
                "{\"policy\":{\"name\":\"full\",\"rules\":\"r\"}} | invalid_argument | 0 | 0",
            })
    void aBodyThatCannotBeSaysWhere(String body, String code, int line, int column)
            throws Exception {
        HttpResponse<String> response = served.post("/v1/dev", body);

        if (code.equals("ok")) {
            assertThat(response.statusCode()).isEqualTo(201);
            return;
        }
        Problem problem = problem(response);
        assertThat(problem.getCode()).isEqualTo(code);
        assertThat(problem.getLine()).isEqualTo(line);
        if (column > 0) {
            assertThat(problem.getColumn()).isEqualTo(column);
        }
    }

    @Test
    void aBodyOfAnotherKindOrNotUtf8OrTooLargeIsRefused() throws Exception {
        HttpResponse<String> text =
                served.send(
                        served.request("/v1/dev")
                                .header("Content-Type", "text/plain")
                                .POST(BodyPublishers.ofString("{}")));
        assertThat(problem(text).getCode()).isEqualTo("unsupported_media_type");
        HttpResponse<String> latin =
                served.send(
                        served.request("/v1/dev")
                                .header("Content-Type", "application/json")
                                .POST(
                                        BodyPublishers.ofByteArray(
                                                "{\"prompt\":\"é\"}"
                                                        .getBytes(StandardCharsets.ISO_8859_1))));
        assertThat(problem(latin).getCode()).isEqualTo("malformed_json");
        HttpResponse<String> large =
                served.post("/v1/dev", "{\"prompt\":\"" + "a".repeat(17 << 20) + "\"}");
        assertThat(problem(large).getCode()).isEqualTo("payload_too_large");
        HttpResponse<String> deep = served.post("/v1/dev", "{\"a\":".repeat(200));
        assertThat(problem(deep).getCode()).isEqualTo("malformed_json");
    }

    @Test
    void whatMeansNothingIsRefusedAndNotIgnored() throws Exception {
        assertThat(problem(served.get("/v1/dev?limt=3")).getCode()).isEqualTo("unknown_field");
        assertThat(problem(served.get("/v1/dev?limit=3&limit=4")).getCode())
                .isEqualTo("invalid_argument");
        assertThat(problem(served.get("/v1/dev?limit=many")).getCode())
                .isEqualTo("invalid_argument");
        assertThat(problem(served.get("/v1/dev?state=asleep")).getCode())
                .isEqualTo("invalid_argument");
        assertThat(problem(served.post("/v1/dev?prompt=x", "{}")).getCode())
                .isEqualTo("unknown_field");
        String id = open("x");
        assertThat(problem(served.post("/v1/dev/" + id, "{\"id\":\"ses_other\"}")).getCode())
                .isEqualTo("invalid_argument");
    }

    @Test
    void pagesOfOtherOriginsAndOtherNamesAreKeptOut() throws Exception {
        HttpResponse<String> evil =
                served.send(served.request("/v1/dev").header("Origin", "http://evil.test"));
        assertThat(problem(evil).getCode()).isEqualTo("forbidden_origin");
        HttpResponse<String> same =
                served.send(
                        served.request("/v1/dev")
                                .header("Origin", "http://127.0.0.1:" + served.server.port()));
        assertThat(same.statusCode()).isEqualTo(200);
        assertThat(raw("GET /v1/dev HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 421")
                .contains("forbidden_host");
    }

    @Test
    void brokenHttpIsAProblemDocument() throws Exception {
        assertThat(raw("GET /v1/dev HTTP/1.1\r\n\r\n"))
                .startsWith("HTTP/1.1 400")
                .contains("application/problem+json");
        assertThat(
                        raw(
                                "GET /v1/dev HTTP/1.1\r\nHost: localhost\r\nX: "
                                        + "a".repeat(20_000)
                                        + "\r\n\r\n"))
                .startsWith("HTTP/1.1 431")
                .contains("headers_too_large");
    }

    private String raw(String request) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), served.server.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void oneKeyMakesOneSessionHoweverOftenItIsSent() throws Exception {
        Set<String> answers = ConcurrentHashMap.newKeySet();
        Callable<Boolean> send =
                () -> {
                    HttpResponse<String> response =
                            served.send(
                                    served.request("/v1/dev")
                                            .header("Content-Type", "application/json")
                                            .header("Idempotency-Key", "k1")
                                            .POST(
                                                    BodyPublishers.ofString(
                                                            "{\"prompt\":\"once\"}")));
                    Session.Builder session = Session.newBuilder();
                    JsonFormat.parser().merge(response.body(), session);
                    return answers.add(session.getId());
                };
        try (var tasks = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var sent : tasks.invokeAll(java.util.Collections.nCopies(50, send))) {
                sent.get();
            }
        }

        assertThat(answers).hasSize(1);
        assertThat(served.host.ids()).hasSize(1);
        assertThat(served.host.asked)
                .allSatisfy(asked ->
                        assertThat(((StartRequest) asked.request()).getIdempotencyKey())
                                .isEqualTo("k1"));
        HttpResponse<String> other =
                served.send(
                        served.request("/v1/dev")
                                .header("Content-Type", "application/json")
                                .header("Idempotency-Key", "k1")
                                .POST(BodyPublishers.ofString("{\"prompt\":\"twice\"}")));
        assertThat(problem(other).getCode()).isEqualTo("idempotency_key_reused");
        assertThat(other.statusCode()).isEqualTo(422);
    }

    @Test
    void whatTheServiceRefusesComesWithItsNextStep() throws Exception {
        String id = open("x");
        served.host.failure = Optional.of(OpException.workspaceBusy("/w", "ses_first"));
        Problem busy = problem(served.get("/v1/dev/" + id));
        assertThat(busy.getStatus()).isEqualTo(409);
        assertThat(busy.getCode()).isEqualTo("workspace_busy");
        assertThat(busy.getRelated()).isEqualTo("ses_first");
        assertThat(busy.getNext()).isNotEmpty();

        served.host.failure = Optional.of(new IllegalStateException("secret inside"));
        HttpResponse<String> broken = served.get("/v1/dev/" + id);
        assertThat(problem(broken).getCode()).isEqualTo("internal");
        assertThat(broken.body()).doesNotContain("secret");
    }

    @Test
    void healthNeedsNoTokenAndReadinessSaysWhatIsMissing() throws Exception {
        assertThat(served.send(HttpRequest.newBuilder(served.uri("/healthz"))).body())
                .isEqualTo("{\"status\":\"ok\"}");
        assertThat(served.send(HttpRequest.newBuilder(served.uri("/readyz"))).statusCode())
                .isEqualTo(200);
        served.missing.add("The database does not answer.");
        HttpResponse<String> response = served.send(HttpRequest.newBuilder(served.uri("/readyz")));
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(problem(response).getDetail()).isEqualTo("The database does not answer.");
    }

    @Test
    void aPortThatIsTakenIsASentence() {
        assertThat(
                        org.assertj.core.api.Assertions.catchThrowableOfType(
                                        OpException.class,
                                        () ->
                                                new Served(
                                                                served.server.port(),
                                                                java.time.Duration.ofSeconds(1))
                                                        .close())
                                .code())
                .isEqualTo(OpCode.CONFLICT);
    }
}
