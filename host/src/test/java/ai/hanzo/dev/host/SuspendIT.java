package ai.hanzo.dev.host;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.Hanzo.Ran;
import ai.hanzo.dev.ledger.ActionRow;
import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.Completed;
import ai.hanzo.dev.ledger.Ending;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.Lease;
import ai.hanzo.dev.ledger.NewEntry;
import ai.hanzo.dev.ledger.RunStatus;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.ledger.jdbc.DatabaseConfig;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.Note;
import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.protocol.id.HostId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.id.TurnId;
import ai.hanzo.dev.protocol.wire.EventWire;
import ai.hanzo.dev.protocol.wire.NoteWire;
import ai.hanzo.dev.sandbox.Cells;
import ai.hanzo.dev.sandbox.CellsConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions that are put away, taken up again and forked. */
class SuspendIT {
    @TempDir Path root;
    private final DatabaseConfig database = Databases.fresh();
    private final AtomicReference<Assembly> assembly = new AtomicReference<>();
    private Path home;
    private Path project;
    private TestHost host;

    @BeforeEach
    void open() {
        home = root.resolve("home");
        project = Projects.make(root);
        host = start();
    }

    private TestHost start() {
        HostConfig config = HostConfig.of(home, Map.of()).withDatabase(database);
        return new TestHost(
                home,
                database,
                (TestHost.Assembler)
                        whenDead -> {
                            assembly.set(new Assembly(config, whenDead));
                            return assembly.get();
                        });
    }

    @AfterEach
    void close() {
        host.close();
    }

    private Session session() {
        return host.store().journal().newestAt(TestHost.ORG, project.toString()).orElseThrow();
    }

    private List<Entry> entries(SessionId id) {
        return host.store().journal().entries(TestHost.ORG, id, new Seq(0), 1000);
    }

    /** A turn that nobody waits for. */
    private void begin(String script) {
        var response =
                host.send(
                        "POST",
                        "/v1/dev",
                        """
                        {"prompt": "Go.", "model": "script:s", "script": %s, "workspace": {"path": "%s"}}
                        """
                                .formatted(Lines.quoted(script), project));
        assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
    }

    private long number(String query) throws SQLException {
        try (Connection db =
                        DriverManager.getConnection(
                                database.url(),
                                database.owner().user(),
                                database.owner().password());
                Statement statement = db.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private void holdsNothing() throws SQLException {
        assertThat(number("SELECT count(*) FROM leases")).isZero();
        assertThat(assembly.get().busy()).isFalse();
        try (Cells cells = Cells.open(CellsConfig.in(home.resolve("cells")))) {
            assertThat(cells.list()).isEmpty();
        }
    }

    /** The snapshot ids of the notes of that kind. */
    private List<String> snapshots(SessionId id, String kind) {
        return entries(id).stream()
                .filter(entry -> entry.kind().equals(EntryKind.NOTE))
                .map(entry -> NoteWire.decode(entry.payload()))
                .filter(note -> note.fact("kind").filter(kind::equals).isPresent())
                .map(note -> note.fact("snapshot").orElseThrow())
                .toList();
    }

    /** Field case S13. */
    @Test
    void aSessionThatIsAwayHoldsNothingAndGoesOnWhereItWas() throws SQLException {
        String script =
                new Scripts().sh("echo 1 >> n").say("One.").sh("echo 2 >> n").say("Two.").text();
        Ran first = host.in(project).exec(script, "Count.");
        assertThat(first.exit()).as(first.err()).isZero();
        Session before = session();
        host.awaitIdle(before.id());
        long last = session().lastSeq().value();

        for (int i = 0; i < 3; i++) {
            Ran away = host.in(project).run("suspend", before.id().value());
            assertThat(away.exit()).as(away.err()).isZero();
            assertThat(away.out()).isEqualTo("suspended\n");
            holdsNothing();
            Ran back = host.in(project).run("resume", before.id().value());
            assertThat(back.exit()).as(back.err()).isZero();
            host.awaitIdle(before.id());
            assertThat(session().lastSeq().value()).isGreaterThan(last);
            last = session().lastSeq().value();
        }

        assertThat(session().id()).isEqualTo(before.id());
        assertThat(snapshots(before.id(), "suspended")).hasSize(3);
        assertThat(snapshots(before.id(), "resumed"))
                .as("byte for byte the same workspace")
                .isEqualTo(snapshots(before.id(), "suspended"));
        Ran second = host.in(project).run("--continue", "exec", "Once more.");
        assertThat(second.exit()).as(second.err()).isZero();
        assertThat(Projects.read(project.resolve("n"))).isEqualTo("1\n2\n");
        assertThat(host.in(project).run("verify", before.id().value()).exit()).isZero();
        assertThat(host.in(project).run("log", before.id().value()).exit()).isZero();
    }

    @Test
    void aQuestionOutlivesTheTimeAwayAndTheHost() throws SQLException {
        String script =
                new Scripts()
                        .sh("echo 1 >> n")
                        .call("ask", "question", "Which colour?")
                        .sh("echo 2 >> n")
                        .say("Done.")
                        .text();
        Ran asked = host.in(project).exec(script, "Ask.");
        assertThat(asked.exit()).isEqualTo(3);
        SessionId id = session().id();
        Waiting.forState(host.store(), id, SessionState.WAITING_INPUT);

        assertThat(host.in(project).run("suspend", id.value()).exit()).isZero();
        holdsNothing();
        Ran refused = host.in(project).run("answer", id.value(), "green");
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err()).contains("put away", "hanzo dev resume " + id);
        host.stop();
        host.close();
        host = start();
        assertThat(session().state()).isEqualTo(SessionState.SUSPENDED);
        assertThat(assembly.get().busy()).isFalse();

        assertThat(host.in(project).run("resume", id.value()).exit()).isZero();
        Waiting.forState(host.store(), id, SessionState.WAITING_INPUT);
        assertThat(host.in(project).run("answer", id.value(), "green").exit()).isZero();
        host.awaitIdle(id);
        assertThat(Projects.read(project.resolve("n"))).isEqualTo("1\n2\n");
    }

    /** It is kept by whoever brought it while the loop ended, behind the step that put it away. */
    @Test
    void aReplyThatCameWhileTheSessionWasPutAwayEndsItsTurn() throws SQLException {
        String script = "[{\"text\": \"Too late.\", \"delayMs\": 600000}]";
        begin(script);
        SessionId id = session().id();
        Waiting.until(() -> !asked(id).isEmpty());
        assertThat(host.in(project).run("suspend", id.value()).exit()).isZero();

        Ending reply =
                new Ending(
                        asked(id).getFirst().id(),
                        ActionStatus.COMPLETED,
                        new NewEntry(
                                EntryKind.MODEL_REPLY,
                                asked(id).getFirst().turn(),
                                NewEntry.HOST,
                                Optional.empty(),
                                place ->
                                        EventWire.encode(
                                                new Event.ModelReply(
                                                        asked(id).getFirst().id(),
                                                        Optional.of("In time."),
                                                        List.of(),
                                                        Event.Usage.NONE),
                                                place.seq())));
        Lease was = new Lease(TestHost.ORG, id, epoch(id), new HostId("that-was"));
        assertThat(host.store().ledger().complete(was, reply))
                .isInstanceOf(Completed.Committed.class);
        assertThat(host.in(project).run("resume", id.value()).exit()).isZero();

        host.awaitIdle(id);
        assertThat(host.store().journal().run(TestHost.ORG, id, new TurnId(1)))
                .hasValueSatisfying(run -> assertThat(run.status()).isEqualTo(RunStatus.COMPLETED));
        assertThat(host.in(project).run("log", id.value()).out()).contains("In time.");
    }

    private List<ActionRow> asked(SessionId id) {
        return host.store().journal().openActions(TestHost.ORG, id);
    }

    private Epoch epoch(SessionId id) throws SQLException {
        return new Epoch(number("SELECT epoch FROM sessions WHERE id = '" + id + "'"));
    }

    @Test
    void whatIsUnderWayIsNotPutAway() {
        String script = new Scripts().sh("echo 1 >> n; sleep 600").say("Done.").text();
        begin(script);
        Waiting.until(() -> Files.exists(project.resolve("n")));

        Ran away = host.in(project).run("suspend", session().id().value());

        assertThat(away.exit()).isEqualTo(1);
        assertThat(away.err()).contains("under way").contains("cancel the turn");
        assertThat(host.in(project).run("cancel", session().id().value()).exit()).isZero();
        host.awaitIdle(session().id());
        assertThat(host.in(project).run("suspend", session().id().value()).exit()).isZero();
        assertThat(host.in(project).run("rm", session().id().value()).out()).isEqualTo("stopped\n");
        assertThat(host.in(project).run("log", session().id().value()).exit()).isZero();
    }

    @Test
    void aForkBeginsWhereTheOtherWasAndTheOtherIsNotTouched() throws SQLException {
        String script =
                new Scripts()
                        .sh("echo 1 >> n; mkdir d; echo x > d/x; ln -s d/x link; chmod 700 d")
                        .say("One.")
                        .sh("echo 2 >> n; rm -r d link")
                        .say("Two.")
                        .sh("echo 3 >> n")
                        .say("Three.")
                        .text();
        assertThat(host.in(project).exec(script, "One.").exit()).isZero();
        Session origin = session();
        host.awaitIdle(origin.id());
        long afterOne = session().lastSeq().value();
        assertThat(host.in(project).run("--continue", "exec", "Two.").exit()).isZero();
        host.awaitIdle(origin.id());
        List<Entry> before = entries(origin.id());
        Path copy = root.resolve("copy");

        // A place within the second turn: where the first one had ended.
        Ran forked =
                host.in(project)
                        .run(
                                "fork",
                                "--to",
                                Long.toString(afterOne + 3),
                                origin.id().value(),
                                copy.toString());

        assertThat(forked.exit()).as(forked.err()).isZero();
        SessionId id = new SessionId(forked.out().strip());
        assertThat(Projects.read(copy.resolve("n"))).isEqualTo("1\n");
        assertThat(Projects.read(copy.resolve("link"))).isEqualTo("x\n");
        assertThat(Files.isSymbolicLink(copy.resolve("link"))).isTrue();
        assertThat(Projects.read(copy.resolve("hello.txt"))).isEqualTo("hello\n");
        Ran verified = host.in(copy).run("verify", id.value());
        assertThat(verified.exit()).as(verified.out()).isZero();
        List<Entry> copied = entries(id);
        assertThat(copied).hasSize((int) afterOne + 1);
        Note note = NoteWire.decode(copied.getLast().payload());
        assertThat(note.topic()).isEqualTo("fork");
        assertThat(note.fact("origin")).contains(origin.id().value());

        // It goes on with the script's second turn, in its own place.
        Ran on = host.in(copy).run("--continue", "exec", "Two, again.");
        assertThat(on.exit()).as(on.err()).isZero();
        assertThat(Projects.read(copy.resolve("n"))).isEqualTo("1\n2\n");
        assertThat(entries(origin.id())).isEqualTo(before);
        assertThat(Projects.read(project.resolve("n"))).isEqualTo("1\n2\n");
        assertThat(host.in(project).run("--continue", "exec", "Three.").exit()).isZero();
        assertThat(Projects.read(project.resolve("n"))).isEqualTo("1\n2\n3\n");
        assertThat(Projects.read(copy.resolve("n"))).isEqualTo("1\n2\n");
        assertThat(host.in(copy).run("verify", id.value()).exit()).isZero();
    }

    @Test
    void aForkIsMadeOnceAndNeverOverSomething() {
        String script = new Scripts().sh("echo 1 >> n").say("One.").text();
        assertThat(host.in(project).exec(script, "One.").exit()).isZero();
        String route = "/v1/dev/" + session().id() + "/fork";
        host.awaitIdle(session().id());
        Path copy = root.resolve("copy");
        String body = "{\"path\": \"" + copy + "\"}";

        var first = host.send("POST", route, body, "Idempotency-Key", "f");
        var again = host.send("POST", route, body, "Idempotency-Key", "f");
        var other = host.send("POST", route, "{\"path\": \"/nowhere\"}", "Idempotency-Key", "f");
        var over = host.send("POST", route, body, "Idempotency-Key", "g");

        assertThat(first.statusCode()).as(first.body()).isEqualTo(201);
        assertThat(Lines.json(again.body()).path("id"))
                .isEqualTo(Lines.json(first.body()).path("id"));
        assertThat(other.statusCode()).isEqualTo(422);
        assertThat(over.statusCode()).isEqualTo(422);
        assertThat(over.body()).contains("is there already");
    }
}
