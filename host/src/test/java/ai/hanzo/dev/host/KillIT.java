package ai.hanzo.dev.host;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.ledger.ActionRow;
import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.Approval;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.ledger.Snapshot;
import ai.hanzo.dev.ledger.Store;
import ai.hanzo.dev.ledger.jdbc.DatabaseConfig;
import ai.hanzo.dev.ledger.jdbc.PostgresStore;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.wire.EventWire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SIGKILL of the host at bad moments; another host goes on by itself. */
class KillIT {
    @TempDir Path root;
    private final DatabaseConfig database = Databases.fresh();
    private Path home;
    private Path project;
    private Store store;

    @BeforeEach
    void open() {
        home = root.resolve("home");
        project = Projects.make(root);
        store = PostgresStore.open(database.withMaxConnections(2), TestHost.ids());
    }

    @AfterEach
    void close() {
        store.close();
        TestHost.endCells(home);
    }

    private SessionId start(Scripts script) {
        String body =
                """
                {"prompt": "Go.", "model": "script:kill", "script": %s, "workspace": {"path": "%s"}}
                """
                        .formatted(Lines.quoted(script.text()), project);
        var response = Requests.send(home, "POST", "/v1/dev", body, "Idempotency-Key", "k");
        assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
        return new SessionId(Lines.json(response.body()).path("id").asText());
    }

    private List<ActionRow> execs(SessionId session) {
        return store
                .journal()
                .actions(TestHost.ORG, session, EnumSet.allOf(ActionStatus.class), 0, 100)
                .stream()
                .filter(row -> row.kind().equals("exec"))
                .toList();
    }

    private List<Event.Result> results(SessionId session) {
        List<Entry> all = store.journal().entries(TestHost.ORG, session, new Seq(0), 1000);
        return all.stream()
                .filter(entry -> entry.kind().equals(EntryKind.RESULT))
                .map(entry -> EventWire.decode(entry.payload()))
                .map(Event.Result.class::cast)
                .toList();
    }

    private static String text(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void aCommandInFlightRunsOnceAndItsResultArrivesOnce() {
        SessionId session;
        try (ForkedHost first = new ForkedHost(home, database)) {
            session =
                    start(
                            new Scripts()
                                    .sh("echo began >> m; sleep 3; echo ended >> m; exit 3")
                                    .sh("echo next >> m")
                                    .say("It ended with 3."));
            Waiting.until(() -> text(project.resolve("m")).equals("began\n"));
            first.kill();
        }
        assertThat(results(session)).isEmpty();
        try (ForkedHost _ = new ForkedHost(home, database)) {
            Waiting.forState(store, session, SessionState.IDLE);
        }
        assertThat(text(project.resolve("m"))).isEqualTo("began\nended\nnext\n");
        assertThat(results(session))
                .extracting(result -> result.outcome().exit())
                .containsExactly(Optional.of(3), Optional.of(0));
        assertThat(execs(session))
                .extracting(ActionRow::status)
                .containsExactly(ActionStatus.FAILED, ActionStatus.COMPLETED);
    }

    @Test
    void whatTheCoreAteSinceItsStateWasStoredItEatsAgain() {
        Scripts script = new Scripts();
        for (int i = 0; i < 10; i++) {
            script.sh("echo " + i + " >> n");
        }
        SessionId session;
        try (ForkedHost first = new ForkedHost(home, database)) {
            session = start(script.sh("echo began >> m; sleep 3; echo ended >> m").say("Done."));
            Waiting.until(() -> text(project.resolve("m")).equals("began\n"));
            first.kill();
        }
        Seq stored = store.journal().snapshot(TestHost.ORG, session).orElseThrow().through();
        Seq eaten = store.journal().session(TestHost.ORG, session).orElseThrow().consumed();
        assertThat(store.journal().entries(TestHost.ORG, session, stored, 1000))
                .filteredOn(entry -> entry.kind().isForCore())
                .filteredOn(entry -> entry.seq().compareTo(eaten) <= 0)
                .hasSizeBetween(1, Snapshot.MOST_BEHIND);
        try (ForkedHost _ = new ForkedHost(home, database)) {
            Waiting.forState(store, session, SessionState.IDLE);
        }
        assertThat(text(project.resolve("m"))).isEqualTo("began\nended\n");
        assertThat(text(project.resolve("n"))).isEqualTo("0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n");
        assertThat(results(session))
                .extracting(result -> result.outcome().exit())
                .hasSize(11)
                .containsOnly(Optional.of(0));
    }

    @Test
    void aNoThatTheCoreWasNotToldIsTold() {
        String rules =
                """
                version: 1
                name: asks
                extends: workspace
                rules:
                  - {name: gate, op: exec, argv: touch **, verdict: require_client_approval}
                """;
        String body =
                """
                {"prompt": "Go.", "model": "script:no", "script": %s, "policy": {"rules": %s},
                 "workspace": {"path": "%s"}}
                """
                        .formatted(
                                Lines.quoted(
                                        new Scripts().exec("touch", "made").say("Well.").text()),
                                Lines.quoted(rules),
                                project);
        SessionId session;
        // The configuration, the turn, the model's reply; and the fourth step takes in the no.
        List<String> options = List.of("-Dhanzo.failpoint=T2_COMMITTED:4");
        try (ForkedHost first = new ForkedHost(home, Optional.of(database), options)) {
            var response = Requests.send(home, "POST", "/v1/dev", body);
            assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
            session = new SessionId(Lines.json(response.body()).path("id").asText());
            Waiting.forState(store, session, SessionState.WAITING_APPROVAL);
            Approval asked = store.approvals().pendingIn(TestHost.ORG, session).getFirst();
            try {
                Requests.send(
                        home,
                        "POST",
                        "/v1/approvals/" + asked.id().value(),
                        "{\"decision\": \"deny\", \"note\": \"not here\"}");
            } catch (java.io.UncheckedIOException e) {
                // The host ends when it has taken the answer in, with or without a word.
                assertThat(e.getCause()).isInstanceOf(IOException.class);
            }
            assertThat(first.exit()).isEqualTo(137);
        }
        assertThat(execs(session))
                .extracting(ActionRow::status)
                .containsExactly(ActionStatus.WAITING_APPROVAL);
        try (ForkedHost _ = new ForkedHost(home, database)) {
            Waiting.forState(store, session, SessionState.IDLE);
        }
        assertThat(execs(session))
                .extracting(ActionRow::status)
                .containsExactly(ActionStatus.BLOCKED);
        assertThat(results(session))
                .singleElement()
                .satisfies(result ->
                        assertThat(result.outcome().message()).contains("said no: not here"));
        assertThat(project.resolve("made")).doesNotExist();
    }

    @Test
    void aCommandThatEndedWhileThereWasNoHostIsNotRunAgain() {
        SessionId session;
        try (ForkedHost first = new ForkedHost(home, database)) {
            session =
                    start(
                            new Scripts()
                                    .sh("echo began >> m; sleep 1; echo ended >> m; exit 7")
                                    .say("It ended with 7."));
            Waiting.until(() -> text(project.resolve("m")).equals("began\n"));
            first.kill();
        }
        Waiting.until(() -> text(project.resolve("m")).endsWith("ended\n"));
        try (ForkedHost _ = new ForkedHost(home, database)) {
            Waiting.forState(store, session, SessionState.IDLE);
        }
        assertThat(text(project.resolve("m"))).isEqualTo("began\nended\n");
        assertThat(results(session))
                .extracting(result -> result.outcome().exit())
                .containsExactly(Optional.of(7));
    }

    @Test
    void aCommandWhoseCellDiedWithTheHostIsInDoubtAndNotRunAgain() {
        SessionId session;
        try (ForkedHost first = new ForkedHost(home, database)) {
            session =
                    start(
                            new Scripts()
                                    .sh("echo began >> m; sleep 600; echo ended >> m")
                                    .sh("cat m")
                                    .say("I looked."));
            Waiting.until(() -> text(project.resolve("m")).equals("began\n"));
            first.kill();
        }
        TestHost.endCells(home);
        try (ForkedHost _ = new ForkedHost(home, database)) {
            Waiting.forState(store, session, SessionState.IDLE);
        }
        assertThat(text(project.resolve("m"))).isEqualTo("began\n");
        assertThat(execs(session))
                .extracting(ActionRow::status)
                .containsExactly(ActionStatus.IN_DOUBT, ActionStatus.COMPLETED);
    }
}
