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
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Two hosts of one state directory and one database, behind one port: either serves every session,
 * and what one leaves the other goes on with.
 */
class TwoHostsIT {
    private static final Logger log = LoggerFactory.getLogger(TwoHostsIT.class);
    private static final Duration SOON = Duration.ofSeconds(90);
    private static final String TOKEN = "two-hosts-behind-one-port-0123456789";

    /** So that a test waits for less than the usual ten. */
    private static final int LEASE_SECONDS = 4;

    private static final Map<String, String> ENVIRONMENT =
            Map.of("HANZO_LEASE_SECONDS", Integer.toString(LEASE_SECONDS));

    @TempDir private static Path root = Path.of("/");
    private static final DatabaseConfig DATABASE = Databases.fresh();
    private static final List<AutoCloseable> OPEN = new ArrayList<>();
    private static Path home = Path.of("/");
    private static Path other = Path.of("/");
    private static Store store;
    private static OnePort port;
    private static ForkedHost first;

    private Path project;

    @BeforeAll
    static void open() throws IOException {
        home = root.resolve("home");
        other = home.resolve("hosts/b");
        Files.writeString(root.resolve("token"), TOKEN);
        Files.setPosixFilePermissions(
                root.resolve("token"), PosixFilePermissions.fromString("rw-------"));
        store = PostgresStore.open(DATABASE.withMaxConnections(2), TestHost.ids());
        OPEN.add(store);
        first = host(home, "");
        OPEN.add(host(home, "b"));
        port = new OnePort(List.of(home, other), TOKEN);
        OPEN.add(port);
    }

    @AfterAll
    static void close() throws Exception {
        OPEN.add(first);
        for (AutoCloseable one : OPEN.reversed()) {
            one.close();
        }
        TestHost.endCells(home);
    }

    private static ForkedHost host(Path home, String name) {
        return ForkedHost.of(
                home,
                name,
                DATABASE,
                List.of("--token-file", root.resolve("token").toString()),
                ENVIRONMENT);
    }

    @BeforeEach
    void bothServe() {
        project = Projects.make(root);
        if (!first.isAlive()) {
            first = host(home, "");
        }
    }

    private String request(Scripts script) {
        return """
        {"prompt": "Go.", "model": "script:two", "script": %s, "workspace": {"path": "%s"}}
        """
                .formatted(Lines.quoted(script.text()), project);
    }

    private SessionId start(Path at, Scripts script) {
        var response = Requests.send(at, "POST", "/v1/dev", request(script));
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
    void aKilledHostsCommandInFlightIsFinishedByTheOther() throws IOException {
        SessionId session = start(home, longCommand());
        Waiting.until(() -> Files.exists(project.resolve("m")));
        Holder before = Holder.of(DATABASE, session);
        first.kill();
        ranOnce(session);

        Holder after = Holder.of(DATABASE, session);
        assertThat(after.host()).isNotEqualTo(before.host());
        assertThat(after.epoch()).isEqualTo(before.epoch() + 1);
        assertThat(Holder.isDead(DATABASE, before.host())).isTrue();
        log.atInfo()
                .addKeyValue(
                        "millis",
                        after.after(DATABASE, before, Duration.ofSeconds(LEASE_SECONDS)).toMillis())
                .addKeyValue("leaseSeconds", LEASE_SECONDS)
                .log("from the last heartbeat to the new lease");
        for (int i = 0; i < 2; i++) {
            assertThat(port.send("GET", "/v1/dev/" + session, "").status()).isEqualTo(200);
        }
    }

    /** Field case D4: a host that was away for long wakes up and finds that others went on. */
    @Test
    void aHostThatStoodStillIsFencedAndEnds() {
        SessionId session = start(home, longCommand());
        Waiting.until(() -> Files.exists(project.resolve("m")));
        first.signal("STOP");
        ranOnce(session);
        first.signal("CONT");
        assertThat(first.ends(SOON)).as("the fenced host ends").isTrue();
        ranOnce(session);
    }

    /** A turn that one host takes in is worked on by whoever owns the session, seen from both. */
    @Test
    void eachHostTakesInTurnsForEverySessionAndStreamsIt() throws Exception {
        Scripts script = new Scripts();
        for (int i = 1; i <= 4; i++) {
            script.sh("echo " + i + " >> n").say("Turn " + i + ".");
        }
        Map<Path, Integer> before = port.taken();
        var begun = port.send("POST", "/v1/dev", request(script));
        assertThat(begun.status()).as(begun.body()).isEqualTo(201);
        String id = Lines.json(begun.body()).path("id").asText();
        List<JsonNode> seen = TurnStream.read(port.address(), TOKEN, id, 0);
        try (ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 2; i <= 4; i++) {
                Waiting.forState(store, new SessionId(id), SessionState.IDLE);
                int last = seen.getLast().path("seq").asInt();
                // One of the two does not own the session: its stream is told by the database.
                List<Future<List<JsonNode>>> following = new ArrayList<>();
                for (Path host : List.of(home, other)) {
                    following.add(
                            readers.submit(() -> TurnStream.read(Requests.hostOf(host), id, last)));
                }
                var taken = port.send("POST", "/v1/dev/" + id, "{\"prompt\": \"Turn " + i + ".\"}");
                assertThat(taken.status()).as(taken.body()).isEqualTo(202);
                seen = following.getFirst().get();
                assertThat(following.getLast().get()).isEqualTo(seen);
                assertThat(seen.getFirst().path("seq").asInt()).isEqualTo(last + 1);
            }
        }
        assertThat(Projects.read(project.resolve("n"))).isEqualTo("1\n2\n3\n4\n");
        for (Path host : List.of(home, other)) {
            assertThat(port.taken().get(host)).isGreaterThan(before.getOrDefault(host, 0));
        }
    }

    /** It could not reach the cells, and would take what runs in them for lost. */
    @Test
    void aHostOfAnotherStateDirectoryLeavesTheSessionsAlone() {
        Path elsewhere = root.resolve("elsewhere");
        SessionId session;
        try (ForkedHost stranger = host(elsewhere, "")) {
            session = start(elsewhere, longCommand());
            Waiting.until(() -> Files.exists(project.resolve("m")));
            stranger.kill();
        }
        Holder gone = Holder.of(DATABASE, session);
        Waiting.until(() -> Holder.isDead(DATABASE, gone.host()));
        Waiting.until(() -> Projects.read(project.resolve("m")).endsWith("ended\n"));
        assertThat(Holder.of(DATABASE, session)).isEqualTo(gone);
        assertThat(store.journal().openActions(TestHost.ORG, session)).hasSize(1);
        try (ForkedHost _ = host(elsewhere, "")) {
            ranOnce(session);
        }
        TestHost.endCells(elsewhere);
    }
}
