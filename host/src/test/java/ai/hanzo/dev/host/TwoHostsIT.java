package ai.hanzo.dev.host;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.ledger.ActionRow;
import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.ledger.Store;
import ai.hanzo.dev.ledger.Verification;
import ai.hanzo.dev.ledger.jdbc.DatabaseConfig;
import ai.hanzo.dev.ledger.jdbc.PostgresStore;
import ai.hanzo.dev.protocol.id.SessionId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two hosts of one state directory and one database: what one leaves the other goes on with. */
class TwoHostsIT {
    private static final Duration SOON = Duration.ofSeconds(90);

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

    private SessionId start(Path at, Scripts script) {
        String body =
                """
                {"prompt": "Go.", "model": "script:two", "script": %s, "workspace": {"path": "%s"}}
                """
                        .formatted(Lines.quoted(script.text()), project);
        var response = Requests.send(at, "POST", "/v1/dev", body);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
        return new SessionId(Lines.json(response.body()).path("id").asText());
    }

    private static Scripts longCommand() {
        return new Scripts()
                .sh("echo began >> m; sleep 3; echo ended >> m; exit 3")
                .sh("echo next >> m")
                .say("Done.");
    }

    private void ranOnce(SessionId session) {
        Waiting.forState(store, session, SessionState.IDLE);
        assertThat(Projects.read(project.resolve("m"))).isEqualTo("began\nended\nnext\n");
        List<ActionRow> execs =
                store
                        .journal()
                        .actions(TestHost.ORG, session, EnumSet.allOf(ActionStatus.class), 0, 100)
                        .stream()
                        .filter(row -> row.kind().equals("exec"))
                        .toList();
        assertThat(execs)
                .extracting(ActionRow::status)
                .containsExactly(ActionStatus.FAILED, ActionStatus.COMPLETED);
        assertThat(store.journal().verify(TestHost.ORG, session))
                .isInstanceOf(Verification.Sound.class);
    }

    @Test
    void aKilledHostsCommandInFlightIsFinishedByTheOther() {
        try (ForkedHost first = new ForkedHost(home, database);
                ForkedHost _ = ForkedHost.beside(home, "b", database)) {
            SessionId session = start(home, longCommand());
            Waiting.until(() -> Files.exists(project.resolve("m")));
            first.kill();
            ranOnce(session);
        }
    }

    /** Field case D4: a host that was away for long wakes up and finds that others went on. */
    @Test
    void aHostThatStoodStillIsFencedAndEnds() {
        try (ForkedHost first = new ForkedHost(home, database);
                ForkedHost _ = ForkedHost.beside(home, "b", database)) {
            SessionId session = start(home, longCommand());
            Waiting.until(() -> Files.exists(project.resolve("m")));
            first.signal("STOP");
            ranOnce(session);
            first.signal("CONT");
            assertThat(first.ends(SOON)).as("the fenced host ends").isTrue();
            ranOnce(session);
        }
    }

    /** A turn that one host takes in is worked on by whoever owns the session. */
    @Test
    void eachHostTakesInTurnsForEverySession() {
        Path other = home.resolve("hosts/b");
        try (ForkedHost _ = new ForkedHost(home, database);
                ForkedHost _ = ForkedHost.beside(home, "b", database)) {
            Scripts script = new Scripts();
            for (int i = 1; i <= 4; i++) {
                script.sh("echo " + i + " >> n").say("Turn " + i + ".");
            }
            SessionId session = start(home, script);
            for (int i = 2; i <= 4; i++) {
                Waiting.forState(store, session, SessionState.IDLE);
                var taken =
                        Requests.send(
                                i % 2 == 0 ? other : home,
                                "POST",
                                "/v1/dev/" + session,
                                "{\"prompt\": \"Turn " + i + ".\"}");
                assertThat(taken.statusCode()).as(taken.body()).isEqualTo(202);
            }
            Waiting.forState(store, session, SessionState.IDLE);
            assertThat(Projects.read(project.resolve("n"))).isEqualTo("1\n2\n3\n4\n");
        }
    }

    /** It could not reach the cells, and would take what runs in them for lost. */
    @Test
    void aHostOfAnotherStateDirectoryLeavesTheSessionsAlone() {
        SessionId session;
        try (ForkedHost first = new ForkedHost(home, database);
                ForkedHost _ = new ForkedHost(root.resolve("elsewhere"), database)) {
            session = start(home, longCommand());
            Waiting.until(() -> Files.exists(project.resolve("m")));
            first.kill();
            Waiting.until(() -> Projects.read(project.resolve("m")).endsWith("ended\n"));
            assertThat(store.journal().openActions(TestHost.ORG, session)).hasSize(1);
            try (ForkedHost _ = new ForkedHost(home, database)) {
                ranOnce(session);
            }
        }
        TestHost.endCells(root.resolve("elsewhere"));
    }
}
