package ai.hanzo.dev.host;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.SessionState;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ctrl-C at a command that follows a turn. */
class InterruptIT {
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

    private ForkedHanzo sleeper() {
        String script =
                new Scripts().sh("sleep 600 & echo began > began; sleep 600").say("Never.").text();
        ForkedHanzo command =
                ForkedHanzo.start(
                        home, project, "--model", host.in(project).model(script), "exec", "Sleep.");
        Waiting.until(() -> project.resolve("began").toFile().length() > 0);
        return command;
    }

    private Session session() {
        return host.store().journal().newestAt(TestHost.ORG, project.toString()).orElseThrow();
    }

    @Test
    void theFirstCancelsTheTurnWithAllThatItRuns() {
        try (ForkedHanzo command = sleeper()) {
            command.interrupt();
            assertThat(command.exit()).as(command.output()).isEqualTo(130);
            assertThat(command.output()).contains("cancelling");
        }
        assertThat(Processes.running("sleep 600", project)).isEmpty();
        Waiting.forState(host.store(), session().id(), SessionState.IDLE);
        var next = host.in(project).run("log", "--json", session().id().value());
        assertThat(Lines.of(next.out()).getLast().at("/done/outcome").asText())
                .isEqualTo("cancelled");
    }

    @Test
    void theTurnOfACommandThatWasKilledGoesOn() {
        String script = new Scripts().sh("sleep 2; echo x >> n").say("Done.").text();
        try (ForkedHanzo _ =
                ForkedHanzo.start(
                        home, project, "--model", host.in(project).model(script), "exec", "Go.")) {
            Waiting.until(() ->
                    host.store().journal().newestAt(TestHost.ORG, project.toString()).isPresent());
        }
        Waiting.until(() -> project.resolve("n").toFile().exists());
        Waiting.forState(host.store(), session().id(), SessionState.IDLE);
        assertThat(Projects.read(project.resolve("n"))).isEqualTo("x\n");
    }

    @Test
    void aTurnThatTakesLongerThanItMayIsCancelled() {
        String body =
                """
                {"prompt": "Sleep.", "model": "script:limit", "script": %s,
                 "workspace": {"path": "%s"}, "limits": {"turnSeconds": 1}}
                """
                        .formatted(
                                Lines.quoted(
                                        new Scripts()
                                                .sh("echo x > began; sleep 600")
                                                .say("Never said.")
                                                .text()),
                                project);
        var started = Requests.send(home, "POST", "/v1/dev", body);
        assertThat(started.statusCode()).as(started.body()).isEqualTo(201);
        Waiting.until(() -> project.resolve("began").toFile().length() > 0);

        Waiting.forState(host.store(), session().id(), SessionState.IDLE);

        // The turn is over when the core has eaten its end; its processes are being ended then.
        Waiting.until(() -> Processes.running("sleep 600", project).isEmpty());
        assertThat(host.in(project).run("log", session().id().value()).out())
                .contains("the turn took longer than limits.turnSeconds, 1 s, and was cancelled");
        var log = host.in(project).run("log", "--json", session().id().value());
        assertThat(Lines.of(log.out()))
                .filteredOn(entry -> entry.has("done"))
                .singleElement()
                .satisfies(done ->
                        assertThat(done.at("/done/outcome").asText()).isEqualTo("cancelled"));
    }
}
