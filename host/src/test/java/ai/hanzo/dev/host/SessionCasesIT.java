package ai.hanzo.dev.host;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.ledger.Approval;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.Run;
import ai.hanzo.dev.ledger.RunStatus;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.ledger.jdbc.DatabaseConfig;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many callers at once, repeated requests, and restarts while somebody is waited for. */
class SessionCasesIT {
    /** The core lets 16 turns wait. */
    private static final int QUEUE = 16;

    @TempDir Path root;
    private final DatabaseConfig database = Databases.fresh();
    private Path home;
    private Path project;
    private TestHost host;

    @BeforeEach
    void open() {
        home = root.resolve("home");
        project = Projects.make(root);
        host = new TestHost(home, database, UnaryOperator.identity());
    }

    @AfterEach
    void close() {
        host.close();
    }

    private void restart() {
        host.stop();
        host.close();
        host = new TestHost(home, database, UnaryOperator.identity());
    }

    private String start(Scripts script, String prompt) {
        return """
        {"prompt": "%s", "model": "script:s", "script": %s, "policy": {"rules": %s},
         "workspace": {"path": "%s"}}
        """
                .formatted(
                        prompt,
                        Lines.quoted(script.text()),
                        Lines.quoted(CrashScript.RULES),
                        project);
    }

    private static SessionId id(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
        return new SessionId(Lines.json(response.body()).path("id").asText());
    }

    /** So many requests at once. */
    private List<HttpResponse<String>> atOnce(int times, IntFunction<HttpResponse<String>> request)
            throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<HttpResponse<String>>> running = new ArrayList<>();
            for (int i = 0; i < times; i++) {
                int number = i;
                running.add(threads.submit(() -> request.apply(number)));
            }
            List<HttpResponse<String>> all = new ArrayList<>();
            for (Future<HttpResponse<String>> one : running) {
                all.add(one.get());
            }
            return all;
        }
    }

    private List<Run> runs(SessionId session) {
        return host.store().journal().runs(TestHost.ORG, session, 0, 1000);
    }

    /** Field case D6. */
    @Test
    void fiftyStartsUnderOneKeyAreOneSession() throws Exception {
        Scripts script = new Scripts().sh("echo x >> m").say("Done.");

        Set<String> made = new TreeSet<>();
        atOnce(
                        50,
                        _ ->
                                host.send(
                                        "POST",
                                        "/v1/dev",
                                        start(script, "Go."),
                                        "Idempotency-Key",
                                        "one"))
                .forEach(response -> made.add(id(response).value()));

        assertThat(made).hasSize(1);
        SessionId session = new SessionId(made.iterator().next());
        host.awaitIdle(session);
        assertThat(runs(session)).hasSize(1);
        assertThat(Projects.read(project.resolve("m"))).isEqualTo("x\n");
        assertThat(
                        host.send(
                                        "POST",
                                        "/v1/dev",
                                        start(script, "Another."),
                                        "Idempotency-Key",
                                        "one")
                                .statusCode())
                .isEqualTo(422);
    }

    /** Field case D8: whoever got no answer sends the same once more. */
    @Test
    void turnsThatAreAllSentTwiceAreEachTakenOnce() throws Exception {
        int turns = QUEUE;
        Scripts script = new Scripts();
        IntStream.rangeClosed(1, turns).forEach(i -> script.say("Turn " + i + "."));
        SessionId session = id(host.send("POST", "/v1/dev", start(script, "")));

        List<HttpResponse<String>> answers =
                atOnce(
                        2 * turns,
                        i ->
                                host.send(
                                        "POST",
                                        "/v1/dev/" + session,
                                        "{\"prompt\": \"Turn " + i / 2 + ".\"}",
                                        "Idempotency-Key",
                                        "turn-" + i / 2));

        assertThat(answers).allMatch(answer -> answer.statusCode() == 202);
        host.awaitIdle(session);
        assertThat(runs(session)).hasSize(turns);
        assertThat(runs(session)).extracting(Run::status).containsOnly(RunStatus.COMPLETED);
        for (int i = 0; i < turns; i++) {
            assertThat(Lines.json(answers.get(2 * i).body()))
                    .isEqualTo(Lines.json(answers.get(2 * i + 1).body()));
        }
    }

    /** Field case S7: one turn is at work at any time, in the order in which they came. */
    @Test
    void turnsOfManyCallersAreServedOneAfterTheOther() throws Exception {
        int callers = QUEUE;
        Scripts script = new Scripts();
        IntStream.rangeClosed(1, callers)
                .forEach(i -> script.sh("echo begin >> m; echo end >> m").say("Turn " + i + "."));
        SessionId session = id(host.send("POST", "/v1/dev", start(script, "")));

        atOnce(
                callers,
                i ->
                        host.send(
                                "POST",
                                "/v1/dev/" + session,
                                "{\"prompt\": \"From caller " + i + ".\"}"));

        host.awaitIdle(session);
        assertThat(runs(session)).hasSize(callers);
        assertThat(runs(session)).extracting(Run::status).containsOnly(RunStatus.COMPLETED);
        assertThat(Projects.read(project.resolve("m"))).isEqualTo("begin\nend\n".repeat(callers));
        assertThat(ends(session))
                .isEqualTo(IntStream.rangeClosed(1, callers).mapToObj(Long::valueOf).toList());
        assertThat(host.in(project).run("verify", session.value()).exit()).isZero();
    }

    /** The turns in the order in which the model was asked for the last time in each. */
    private List<Long> ends(SessionId session) {
        List<Long> order = new ArrayList<>();
        for (Entry entry :
                host.store().journal().entries(TestHost.ORG, session, new Seq(0), 1000)) {
            boolean reply = entry.kind().equals(EntryKind.MODEL_REPLY);
            if (reply && (order.isEmpty() || !order.getLast().equals(turn(entry)))) {
                order.add(turn(entry));
            }
        }
        return order;
    }

    private static Long turn(Entry entry) {
        return entry.turn().orElseThrow().value();
    }

    /** Field case S10. */
    @Test
    void anApprovalOutlivesTwoRestartsAndIsTakenOnce() throws Exception {
        Scripts script = new Scripts().exec("mkdir", "made").sh("echo x >> m").say("Done.");
        SessionId session = id(host.send("POST", "/v1/dev", start(script, "Go.")));
        Waiting.forState(host.store(), session, SessionState.WAITING_APPROVAL);
        Approval asked = host.store().approvals().pendingIn(TestHost.ORG, session).getFirst();

        restart();
        restart();

        assertThat(host.store().approvals().pendingIn(TestHost.ORG, session))
                .containsExactly(asked);
        List<Integer> codes =
                atOnce(
                                8,
                                _ ->
                                        host.send(
                                                "POST",
                                                "/v1/approvals/" + asked.id().value(),
                                                "{\"decision\": \"approve\"}"))
                        .stream()
                        .map(HttpResponse::statusCode)
                        .sorted()
                        .toList();
        assertThat(codes).containsExactly(200, 409, 409, 409, 409, 409, 409, 409);
        host.awaitIdle(session);
        assertThat(project.resolve("made")).isDirectory();
        assertThat(Projects.read(project.resolve("m"))).isEqualTo("x\n");
        Session row = host.store().journal().session(TestHost.ORG, session).orElseThrow();
        assertThat(row.errorCode()).isEmpty();
    }

    /** Field case D9: what came before a question does not run again after its answer. */
    @Test
    void commandsBetweenQuestionsRunOnceThoughTheHostRestartsAtEach() {
        Scripts script =
                new Scripts()
                        .sh("echo a >> m")
                        .call("ask", "question", "First?")
                        .sh("echo b >> m")
                        .call("ask", "question", "Second?")
                        .sh("echo c >> m")
                        .say("Done.");
        SessionId session = id(host.send("POST", "/v1/dev", start(script, "Go.")));
        for (int i = 0; i < 2; i++) {
            Waiting.forState(host.store(), session, SessionState.WAITING_INPUT);
            restart();
            var answered = host.in(project).run("answer", session.value(), "Yes.");
            assertThat(answered.exit()).as(answered.err()).isZero();
        }
        host.awaitIdle(session);
        assertThat(Projects.read(project.resolve("m"))).isEqualTo("a\nb\nc\n");
    }
}
