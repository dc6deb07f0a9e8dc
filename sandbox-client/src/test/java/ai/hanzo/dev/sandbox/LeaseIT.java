package ai.hanzo.dev.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.sandbox.CellException.Code;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Leases: handed over, fenced, lost; one supervisor for all hosts. */
@Timeout(120)
class LeaseIT {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final ActionId ONE = new ActionId(1);

    private Scene scene;

    @BeforeEach
    void open(@TempDir Path root) throws IOException {
        scene = new Scene(root);
    }

    @AfterEach
    void close() {
        scene.close();
    }

    /** The command in flight outlives its host: it runs once and its outcome arrives once. */
    @Test
    void aCommandSurvivesTheDeathOfItsHost() throws Exception {
        Process host =
                holder(
                        1,
                        1,
                        "echo x >>m; touch begun; while ! [ -e go ]; do sleep 0.1; done; echo y"
                                + " >>m");
        Incarnation incarnation;
        try (BufferedReader out = host.inputReader()) {
            incarnation = new Incarnation(out.readLine());
            await().atMost(LONG).until(() -> Files.exists(scene.workspace().resolve("begun")));
            host.destroyForcibly().waitFor();
        }
        Cell cell = scene.cells().lease(scene.spec(2));
        assertThat(cell.incarnation()).isEqualTo(incarnation);
        assertThat(cell.status(ONE)).isEqualTo(new ActionStatus.Running());
        scene.write("go", "");
        assertThat(cell.await(ONE, LONG))
                .isInstanceOfSatisfying(
                        Reply.Done.class,
                        done -> assertThat(((ExecOutcome) done.value()).succeeded()).isTrue());
        assertThat(scene.read("m")).isEqualTo("x\ny\n");
        cell.ack(ONE);
        assertThat(cell.status(ONE)).isEqualTo(new ActionStatus.Forgotten());
    }

    /**
     * Without an acknowledgement: the mark alone frees what lies at or below it, and spends its id.
     */
    @Test
    void whatLiesAtOrBelowTheMarkIsForgottenAndNeverRunsAgain() throws Exception {
        Cell cell = scene.cells().lease(scene.spec(1));
        ExecRequest request = ExecRequest.shell("echo x >>m");
        for (long id = 1; id <= 3; id++) {
            assertThat(cell.exec(new ActionId(id), request)).isInstanceOf(Reply.Done.class);
        }
        cell.lowWater(new ActionId(2));
        assertThat(cell.status(ONE)).isEqualTo(new ActionStatus.Forgotten());
        assertThat(cell.status(new ActionId(2))).isEqualTo(new ActionStatus.Forgotten());
        assertThat(cell.status(new ActionId(3))).isInstanceOf(ActionStatus.Held.class);
        // It only rises, and the next lease finds it where it was.
        cell.lowWater(ONE);
        Cell later = scene.cells().lease(scene.spec(2));
        for (long id = 1; id <= 2; id++) {
            assertThat(later.exec(new ActionId(id), request))
                    .isInstanceOfSatisfying(
                            Reply.Refused.class,
                            refused -> assertThat(refused.code()).isEqualTo(RefusalCode.ID_SPENT));
        }
        assertThat(later.status(new ActionId(3))).isInstanceOf(ActionStatus.Held.class);
        assertThat(scene.read("m")).isEqualTo("x\nx\nx\n");
    }

    @Test
    void aLaterLeaseFencesTheEarlierOne() throws Exception {
        Cell earlier = scene.cells().lease(scene.spec(1));
        Cell later = scene.cells().lease(scene.spec(2));
        assertThat(later.incarnation()).isEqualTo(earlier.incarnation());
        assertThat(later.exec(ONE, ExecRequest.shell("echo 2 >>who")))
                .isInstanceOf(Reply.Done.class);
        assertThat(earlier.awaitEnd(LONG).orElseThrow().code()).isEqualTo(Code.FENCED);
        assertThat(codeOf(() -> earlier.exec(new ActionId(2), ExecRequest.shell("echo 1 >>who"))))
                .isEqualTo(Code.FENCED);
        assertThat(codeOf(() -> scene.cells().lease(scene.spec(1)))).isEqualTo(Code.FENCED);
        assertThat(codeOf(() -> scene.cells().kill(scene.session, new Epoch(1))))
                .isEqualTo(Code.FENCED);
        assertThat(scene.read("who")).isEqualTo("2\n");
    }

    @Test
    void aKilledCellIsLostAndTheNextOneIsAnother() {
        Cells cells = scene.cells();
        Cell first = cells.lease(scene.spec(1));
        Thread killer = Thread.ofVirtual().start(() -> cells.kill(scene.session, new Epoch(1)));
        assertThat(codeOf(() -> first.exec(ONE, ExecRequest.of("sleep", "60"))))
                .isEqualTo(Code.CELL_LOST);
        await().until(() -> !killer.isAlive());
        Cell second = cells.lease(scene.spec(2));
        assertThat(second.incarnation()).isNotEqualTo(first.incarnation());
        assertThat(second.status(ONE)).isEqualTo(new ActionStatus.Unknown());
        assertThat(cells.list()).hasSize(1);
    }

    @Test
    void aClosedLeaseCanBeTakenAgain() {
        Cells cells = scene.cells();
        Cell first = cells.lease(scene.spec(1));
        first.close();
        first.close();
        assertThat(codeOf(() -> first.exec(ONE, ExecRequest.of("true")))).isEqualTo(Code.CLOSED);
        Cell again = cells.lease(scene.spec(1));
        assertThat(again.incarnation()).isEqualTo(first.incarnation());
        assertThat(again.exec(ONE, ExecRequest.of("true"))).isInstanceOf(Reply.Done.class);
    }

    @Test
    void hostsThatStartTogetherMeetAtOneSupervisor() throws Exception {
        Set<Long> supervisors = ConcurrentHashMap.newKeySet();
        List<Thread> hosts = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            hosts.add(
                    Thread.ofVirtual()
                            .start(() -> {
                                try (Supervisor own =
                                        new Supervisor(CellsConfig.in(scene.supervisor()))) {
                                    supervisors.add(own.hello().pid());
                                }
                            }));
        }
        for (Thread host : hosts) {
            host.join();
        }
        assertThat(supervisors).hasSize(1);
    }

    @Test
    void manyLeasesLeaveNoDescriptorBehind() throws IOException {
        Cells cells = scene.cells();
        cells.lease(scene.spec(1)).close();
        long before = openDescriptors();
        for (int epoch = 2; epoch < 30; epoch++) {
            try (Cell cell = cells.lease(scene.spec(epoch))) {
                assertThat(cell.epoch()).isEqualTo(new Epoch(epoch));
            }
        }
        await().atMost(LONG).until(() -> openDescriptors() <= before);
    }

    @Test
    void theSupervisorSaysWhatTheMachineEnforces() {
        Enforced enforced = scene.cells().enforceable();
        assertThat(enforced.level()).isGreaterThanOrEqualTo(Level.LANDLOCK);
        assertThat(enforced.landlockAbi()).isPositive();
        assertThat(enforced.layers()).isNotEmpty();
    }

    @Test
    void aDirectoryTooDeepForASocketIsSaid() {
        Path deep = scene.supervisor().resolve("d".repeat(100));
        try (Cells cells = Cells.open(CellsConfig.in(deep))) {
            CellException failure = catchThrowableOfType(CellException.class, cells::list);
            assertThat(failure.code()).isEqualTo(Code.UNSUPPORTED);
            assertThat(failure).hasMessageContaining("HANZO_HOME");
        }
    }

    private static long openDescriptors() throws IOException {
        try (var all = Files.list(Path.of("/proc/self/fd"))) {
            return all.count();
        }
    }

    private static Code codeOf(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        return catchThrowableOfType(CellException.class, call).code();
    }

    private Process holder(long epoch, long action, String line) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xshare:auto",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        HolderMain.class.getName(),
                        scene.supervisor().toString(),
                        scene.workspace().toString(),
                        scene.places().toString(),
                        scene.session.value(),
                        String.valueOf(epoch),
                        String.valueOf(action),
                        line)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
