package ai.hanzo.dev.host;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.ledger.ActionRow;
import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.id.Uuid7;
import ai.hanzo.dev.sandbox.CellException;
import ai.hanzo.dev.sandbox.Cells;
import ai.hanzo.dev.sandbox.CellsConfig;
import ai.hanzo.dev.sandbox.LeaseSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A supervisor that has room for three cells more: sessions take turns at them. */
@Timeout(180)
class MoreSessionsThanCellsIT {
    private static final int MOST_CELLS = 256;
    private static final int ROOM = 3;
    private static final int SESSIONS = 7;
    private static final String WAIT = "until [ -e go ]; do sleep 0.05; done; ";

    @TempDir static Path root;
    private static Cells others;
    private static TestHost host;

    @BeforeAll
    static void open() {
        Path home = root.resolve("home");
        host = new TestHost(home);
        others = Cells.open(CellsConfig.in(home.resolve("cells")));
        Uuid7 ids = TestHost.ids();
        for (int i = 0; i < MOST_CELLS - ROOM; i++) {
            others.lease(spec(SessionId.next(ids), i));
        }
    }

    private static LeaseSpec spec(SessionId session, int i) {
        Path place = root.resolve("others/" + i);
        Path workspace = place.resolve("workspace");
        Projects.write(workspace.resolve("x"), "");
        return LeaseSpec.of(session, new Epoch(1), workspace, LeaseSpec.Places.in(place));
    }

    @AfterAll
    static void close() {
        others.close();
        host.close();
    }

    /** One session in a directory of its own. */
    private record Work(Path project, SessionId session) {
        static Work start(Scripts script) {
            Path project = Projects.make(root);
            String body =
                    """
                    {"prompt": "Go.", "model": "script:many", "script": %s, "workspace": {"path": "%s"}}
                    """
                            .formatted(Lines.quoted(script.text()), project);
            var answer = host.send("POST", "/v1/dev", body);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
            return new Work(project, new SessionId(Lines.json(answer.body()).path("id").asText()));
        }

        void turn() {
            var answer = host.send("POST", "/v1/dev/" + session, "{\"prompt\": \"Go on.\"}");
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
        }

        void rests() {
            Waiting.forState(host.store(), session, SessionState.IDLE);
        }

        void begins() {
            Waiting.until(() -> Files.exists(project.resolve("began")));
        }

        void go() {
            Projects.write(project.resolve("go"), "");
        }

        String counted() {
            return Projects.read(project.resolve("n"));
        }

        List<ActionStatus> execs() {
            return host
                    .store()
                    .journal()
                    .actions(TestHost.ORG, session, EnumSet.allOf(ActionStatus.class), 0, 100)
                    .stream()
                    .filter(row -> row.kind().equals("exec"))
                    .map(ActionRow::status)
                    .toList();
        }
    }

    @Test
    void eachWorksATurnAndAnotherAndNothingIsLost() {
        List<Work> all = new ArrayList<>();
        for (int i = 0; i < SESSIONS; i++) {
            all.add(
                    Work.start(
                            new Scripts()
                                    .sh("echo 1 > n; echo mine > ~/kept")
                                    .say("One.")
                                    .sh("cat ~/kept && echo 2 >> n")
                                    .say("Two.")));
        }
        all.forEach(Work::rests);
        all.forEach(Work::turn);
        all.forEach(Work::rests);
        for (Work one : all) {
            assertThat(one.counted()).isEqualTo("1\n2\n");
            assertThat(one.execs()).containsExactly(ActionStatus.COMPLETED, ActionStatus.COMPLETED);
        }
    }

    @Test
    void whenAllAreInUseASessionWaitsForTheFirstThatIsNot() {
        Scripts script = new Scripts().sh("touch began; " + WAIT + "echo done > n").say("Done.");
        List<Work> busy = IntStream.range(0, ROOM).mapToObj(_ -> Work.start(script)).toList();
        busy.forEach(Work::begins);
        var next = CompletableFuture.supplyAsync(() -> Work.start(script));
        busy.getFirst().go();
        next.join().begins();
        next.join().go();
        next.join().rests();
        busy.stream().skip(1).forEach(Work::go);
        busy.forEach(Work::rests);
        for (Work one : busy) {
            assertThat(one.counted()).isEqualTo("done\n");
            assertThat(one.execs()).containsExactly(ActionStatus.COMPLETED);
        }
        assertThat(next.join().execs()).containsExactly(ActionStatus.COMPLETED);
    }

    @Test
    void aShellKeepsItsCellWhileOthersCome() {
        Work person = Work.start(new Scripts().say("Here."));
        person.rests();
        var shell =
                host.send(
                        "POST",
                        "/v1/dev/" + person.session() + "/shell",
                        "{\"argv\": [\"sh\", \"-c\", \"%secho kept > n\"]}".formatted(WAIT));
        assertThat(shell.statusCode()).as(shell.body()).isEqualTo(201);
        for (int i = 0; i < ROOM + 1; i++) {
            Work other = Work.start(new Scripts().sh("echo 1 > n").say("Done."));
            other.rests();
            assertThat(other.execs()).containsExactly(ActionStatus.COMPLETED);
        }
        person.go();
        Waiting.until(() -> Files.exists(person.project().resolve("n")));
        Waiting.until(() -> person.counted().equals("kept\n"));
    }

    @Test
    void theSupervisorSaysThatThereIsNoRoom() {
        Scripts script = new Scripts().sh("touch began; " + WAIT).say("Done.");
        List<Work> busy = IntStream.range(0, ROOM).mapToObj(_ -> Work.start(script)).toList();
        busy.forEach(Work::begins);
        SessionId one = SessionId.next(TestHost.ids());
        assertThat(
                        org.assertj.core.api.Assertions.catchThrowableOfType(
                                        CellException.class,
                                        () -> others.lease(spec(one, MOST_CELLS)))
                                .code())
                .isEqualTo(CellException.Code.FULL);
        busy.forEach(Work::go);
        busy.forEach(Work::rests);
    }
}
