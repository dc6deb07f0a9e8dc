package ai.hanzo.dev.host;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.Hanzo.Ran;
import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.DecisionRow;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.ledger.Verification;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.sandbox.Cells;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A turn from its prompt to Done, through the real wasm, ledger, policy and cell. */
class TurnIT {
    @TempDir static Path root;
    private static final TappedCells TAP = new TappedCells();
    private static TestHost host;
    private Path project;

    @BeforeAll
    static void start() {
        host =
                new TestHost(
                        root.resolve("home"), Databases.fresh(), (UnaryOperator<Cells>) TAP::tap);
    }

    @AfterAll
    static void stop() {
        host.close();
    }

    @BeforeEach
    void project() {
        project = Projects.make(root);
    }

    private Session session() {
        return host.store().journal().newestAt(TestHost.ORG, project.toString()).orElseThrow();
    }

    @Test
    void aTurnGoesThroughCoreLedgerPolicyAndCell() {
        String script =
                new Scripts()
                        .exec("cat", "hello.txt")
                        .call(
                                "patch",
                                "patch",
                                "*** Begin Patch\n*** Update File: hello.txt\n@@\n-hello\n+hello, world\n*** End Patch\n")
                        .call("read", "path", "hello.txt")
                        .call("write", "path", "made/by.txt", "text", "the agent\n")
                        .say("It says hello to the world now.")
                        .text();
        Ran ran = host.in(project).exec(script, "Say hello to the world.");
        assertThat(ran.exit()).as(ran.err() + ran.out()).isZero();
        assertThat(Projects.read(project.resolve("hello.txt"))).isEqualTo("hello, world\n");
        assertThat(Projects.read(project.resolve("made/by.txt"))).isEqualTo("the agent\n");

        List<JsonNode> lines = Lines.of(ran.out());
        assertThat(lines.stream().map(line -> line.path("seq").asInt()))
                .containsExactlyElementsOf(IntStream.rangeClosed(1, lines.size()).boxed().toList());
        assertThat(Lines.kind(lines, "action"))
                .filteredOn(
                        line -> !Set.of("emit", "save", "done").contains(line.path("op").asText()))
                .isNotEmpty()
                .allSatisfy(line ->
                        assertThat(line.at("/decision/verdict").asText()).isEqualTo("allow"));
        JsonNode exec = Lines.actions(lines, "exec").getFirst();
        assertThat(Lines.result(lines, exec).path("stdout").asText()).isEqualTo("hello\n");
        JsonNode read = Lines.actions(lines, "read").getFirst();
        assertThat(Lines.result(lines, read).path("stdout").asText()).isEqualTo("hello, world\n");
        assertThat(lines.getLast().at("/done/outcome").asText()).isEqualTo("complete");
        assertThat(lines.getLast().path("turn").asInt()).isEqualTo(1);
    }

    @Test
    void whatHappenedIsInTheLedger() {
        host.in(project).exec(new Scripts().exec("true").say("Done.").text(), "Do nothing.");
        Session session = session();
        var journal = host.store().journal();
        assertThat(session.state()).isEqualTo(SessionState.IDLE);
        assertThat(session.consumed().value()).isPositive();
        assertThat(journal.openActions(TestHost.ORG, session.id())).isEmpty();
        assertThat(journal.verify(TestHost.ORG, session.id()))
                .isInstanceOf(Verification.Sound.class);
        assertThat(journal.snapshot(TestHost.ORG, session.id())).isPresent();
        assertThat(
                        journal.actions(
                                TestHost.ORG,
                                session.id(),
                                EnumSet.of(ActionStatus.COMPLETED),
                                0,
                                100))
                .filteredOn(row -> Set.of("exec", "model").contains(row.kind()))
                .hasSize(3)
                .allSatisfy(row -> {
                    assertThat(row.dispatchedAt()).isPresent();
                    assertThat(row.outcome()).isPresent();
                    DecisionRow decision =
                            journal.decision(TestHost.ORG, session.id(), row.id()).orElseThrow();
                    assertThat(decision.verdict()).isEqualTo(DecisionRow.Verdict.ALLOW);
                });
    }

    @Test
    void aDeniedActionNeverReachesTheSocket() {
        String script =
                new Scripts()
                        .exec("touch", "made")
                        .call("write", "path", "made", "text", "x")
                        .call("read", "path", "hello.txt")
                        .say("I may not.")
                        .text();
        Path rules = root.resolve("rules.yaml");
        Projects.write(
                rules,
                """
                version: 1
                name: strict
                rules:
                  - {name: talk, op: [model, ask], verdict: allow}
                  - {name: read, op: [read, list, search, stat], verdict: allow}
                  - {name: rest, op: [write, patch, exec, git], verdict: block, reason: Not here.}
                """);
        Ran ran = host.in(project).exec(script, "Write a file.", "--policy", rules.toString());
        assertThat(ran.exit()).as("something was denied").isEqualTo(3);
        assertThat(project.resolve("made")).doesNotExist();

        List<JsonNode> lines = Lines.of(ran.out());
        JsonNode exec = Lines.actions(lines, "exec").getFirst();
        assertThat(exec.at("/decision/verdict").asText()).isEqualTo("block");
        assertThat(Lines.result(lines, exec).path("status").asText()).isEqualTo("denied");
        JsonNode write = Lines.actions(lines, "write").getFirst();
        assertThat(Lines.result(lines, write).path("status").asText()).isEqualTo("denied");
        // The one that was allowed is done, so the session had a cell all the while.
        JsonNode read = Lines.actions(lines, "read").getFirst();
        assertThat(Lines.result(lines, read).path("stdout").asText()).isEqualTo("hello\n");

        Session session = session();
        assertThat(
                        host.store()
                                .journal()
                                .action(TestHost.ORG, session.id(), id(exec))
                                .orElseThrow())
                .satisfies(row -> {
                    assertThat(row.status()).isEqualTo(ActionStatus.BLOCKED);
                    assertThat(row.dispatchedAt()).isEmpty();
                });
        // What the cell may forget is told to it; nothing that was asked for is.
        assertThat(TAP.sentOf(session.id()))
                .allSatisfy(sent -> assertThat(sent.request()).isEqualTo("lowWater"));
    }

    private static ai.hanzo.dev.protocol.id.ActionId id(JsonNode action) {
        return new ai.hanzo.dev.protocol.id.ActionId(action.path("action").asLong());
    }

    @Test
    void theSamePromptTwiceWithOneKeyIsOneTurn() {
        String body =
                """
                {"prompt": "Count.", "model": "script:count", "script": %s,
                 "workspace": {"path": "%s"}}
                """
                        .formatted(
                                Lines.quoted(
                                        new Scripts().sh("echo x >> counted").say("One.").text()),
                                project);
        var first = host.send("POST", "/v1/dev", body, "Idempotency-Key", "start-1");
        assertThat(first.statusCode()).as(first.body()).isEqualTo(201);
        var second = host.send("POST", "/v1/dev", body, "Idempotency-Key", "start-1");
        String id = Lines.json(first.body()).path("id").asText();
        assertThat(Lines.json(second.body()).path("id").asText()).isEqualTo(id);
        host.awaitIdle(new SessionId(id));
        assertThat(Projects.read(project.resolve("counted"))).isEqualTo("x\n");
        assertThat(host.store().journal().runs(TestHost.ORG, new SessionId(id), 0, 10)).hasSize(1);

        var turn = "{\"prompt\": \"Once more.\"}";
        var third = host.send("POST", "/v1/dev/" + id, turn, "Idempotency-Key", "turn-2");
        var fourth = host.send("POST", "/v1/dev/" + id, turn, "Idempotency-Key", "turn-2");
        assertThat(third.statusCode()).as(third.body()).isLessThan(300);
        assertThat(Lines.json(fourth.body()).path("sequence"))
                .isEqualTo(Lines.json(third.body()).path("sequence"));
        host.awaitIdle(new SessionId(id));
        assertThat(host.store().journal().runs(TestHost.ORG, new SessionId(id), 0, 10)).hasSize(2);

        var other =
                host.send(
                        "POST",
                        "/v1/dev/" + id,
                        "{\"prompt\": \"Another.\"}",
                        "Idempotency-Key",
                        "turn-2");
        assertThat(other.statusCode()).isEqualTo(422);
        assertThat(other.headers().firstValue("content-type"))
                .isEqualTo(Optional.of("application/problem+json"));
    }
}
