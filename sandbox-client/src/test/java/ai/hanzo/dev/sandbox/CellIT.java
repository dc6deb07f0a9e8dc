package ai.hanzo.dev.sandbox;

import static ai.hanzo.dev.sandbox.Answers.done;
import static ai.hanzo.dev.sandbox.Answers.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.ActionId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What can be asked of a real cell. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CellIT {
    private Scene scene;
    private Cell cell;

    @BeforeAll
    void lease(@TempDir Path root) throws IOException {
        scene = new Scene(root);
        cell = scene.cells().lease(scene.spec(1));
    }

    @AfterAll
    void end() {
        scene.close();
    }

    @Test
    void theHelloSaysWhatIsEnforced() {
        assertThat(cell.enforced().level()).isGreaterThanOrEqualTo(Level.LANDLOCK);
        assertThat(cell.enforced().layers()).isNotEmpty();
        assertThat(cell.workspace()).isEqualTo(scene.workspace());
    }

    @Test
    void aCommandsExitAndBothStreamsComeBack() {
        ExecOutcome outcome = run(ExecRequest.shell("echo out; echo err >&2; exit 3"));
        assertThat(outcome.end()).isEqualTo(ExecOutcome.End.ENDED);
        assertThat(outcome.exit()).isEqualTo(3);
        assertThat(outcome.stdout().head()).isEqualTo(Bytes.utf8("out\n"));
        assertThat(outcome.stderr().head()).isEqualTo(Bytes.utf8("err\n"));
        assertThat(run(ExecRequest.of("true")).succeeded()).isTrue();
        assertThat(run(ExecRequest.shell("kill -9 $$")).exit()).isEqualTo(137);
    }

    @Test
    void stdinDirectoryAndEnvironmentReachTheCommand() throws IOException {
        Files.createDirectories(scene.workspace().resolve("sub"));
        ExecRequest request =
                ExecRequest.shell("cat; pwd; echo $X")
                        .in("sub")
                        .withStdin(Bytes.utf8("given\n"))
                        .withEnv(java.util.Map.of("X", "y"));
        assertThat(run(request).stdout().head())
                .isEqualTo(Bytes.utf8("given\n" + scene.workspace().resolve("sub") + "\ny\n"));
    }

    @Test
    void catWithNoStdinEndsAtOnce() {
        assertThat(run(ExecRequest.of("cat")).succeeded()).isTrue();
    }

    @Test
    void aLargeStdinIsStaged() {
        byte[] bytes = new byte[700_000];
        new Random(1).nextBytes(bytes);
        Bytes content = Bytes.wrap(bytes);
        ExecOutcome outcome = run(ExecRequest.of("sha256sum").withStdin(content));
        assertThat(outcome.stdout().head().toUtf8()).startsWith(Sha256.of(content).toHex());
    }

    @Test
    void aLargeFileIsStagedWrittenAndReadBack() {
        byte[] bytes = new byte[700_000];
        new Random(2).nextBytes(bytes);
        Bytes content = Bytes.wrap(bytes);
        FileOutcome outcome =
                done(cell.write(scene.next(), WriteRequest.of("deep/er/large", content)));
        assertThat(outcome.files().getFirst().isNew()).isTrue();
        assertThat(outcome.files().getFirst().sha256()).hasValue(Sha256.of(content));
        WholeFile file = done(cell.readWhole("deep/er/large", 1 << 20));
        assertThat(file.content()).isEqualTo(content);
        assertThat(cell.readWhole("deep/er/large", 699_999))
                .isInstanceOfSatisfying(
                        Reply.Refused.class,
                        refused -> assertThat(refused.code()).isEqualTo(RefusalCode.TOO_LARGE));
    }

    @Test
    void aRangeIsReadAndAnAbsolutePathBeneathTheWorkspaceIsTaken() throws IOException {
        scene.write("r", "0123456789");
        FileContent content = done(cell.read("r", 3, 4));
        assertThat(content.content()).isEqualTo(Bytes.utf8("3456"));
        assertThat(content.sizeBytes()).isEqualTo(10);
        String absolute = scene.workspace().resolve("r").toString();
        assertThat(done(cell.stat(absolute)).kind()).isEqualTo(FileKind.FILE);
        assertThat(refusal(cell.read("/etc/passwd", 0, 10))).isEqualTo(RefusalCode.OUTSIDE);
        assertThat(refusal(cell.read("../x", 0, 10))).isEqualTo(RefusalCode.OUTSIDE);
        assertThat(refusal(cell.read("nowhere", 0, 10))).isEqualTo(RefusalCode.NOT_FOUND);
    }

    @Test
    void aDirectoryIsListedInPages() throws IOException {
        Files.createDirectories(scene.workspace().resolve("many"));
        for (int i = 0; i < 25; i++) {
            scene.write("many/f%02d".formatted(i), "x");
        }
        DirectoryPage page = done(cell.list("many", 10, 10));
        assertThat(page.total()).isEqualTo(25);
        assertThat(page.entries()).hasSize(10);
        assertThat(page.entries().getFirst().name()).isEqualTo(Bytes.utf8("f10"));
    }

    @Test
    void anApplyIsAllOrNothing() throws IOException {
        scene.write("one", "1\n");
        scene.write("two", "2\n");
        FileChange good =
                new FileChange.Write(
                        "one",
                        Bytes.utf8("ONE\n"),
                        OptionalInt.empty(),
                        Expected.content(Sha256.of(Bytes.utf8("1\n"))));
        FileChange stale =
                new FileChange.Remove("two", Expected.content(Sha256.of(Bytes.utf8("else"))));
        assertThat(refusal(cell.apply(scene.next(), List.of(good, stale))))
                .isEqualTo(RefusalCode.CONFLICT);
        assertThat(scene.read("one")).isEqualTo("1\n");

        FileChange fresh =
                new FileChange.Remove("two", Expected.content(Sha256.of(Bytes.utf8("2\n"))));
        FileOutcome outcome = done(cell.apply(scene.next(), List.of(good, fresh)));
        assertThat(outcome.succeeded()).isTrue();
        assertThat(outcome.files()).hasSize(2);
        assertThat(scene.read("one")).isEqualTo("ONE\n");
        assertThat(scene.workspace().resolve("two")).doesNotExist();
    }

    @Test
    void filesAreMadeMovedAndRemoved() throws IOException {
        done(cell.mkdir(scene.next(), "a/b"));
        done(cell.write(scene.next(), WriteRequest.of("a/b/f", Bytes.utf8("x"))));
        done(cell.rename(scene.next(), "a/b/f", "a/g", Expected.anything()));
        assertThat(scene.read("a/g")).isEqualTo("x");
        scene.write("there", "y");
        assertThat(refusal(cell.rename(scene.next(), "a/g", "there", Expected.anything())))
                .isEqualTo(RefusalCode.EXISTS);
        done(cell.remove(scene.next(), "a/g", Expected.content(Sha256.of(Bytes.utf8("x")))));
        assertThat(refusal(cell.stat("a/g"))).isEqualTo(RefusalCode.NOT_FOUND);
    }

    @Test
    void theSameRequestTwiceRunsOnceAndAnotherUnderItsIdIsRefused() throws IOException {
        ActionId id = scene.next();
        ExecRequest request = ExecRequest.shell("echo x >>once; cat once");
        Reply<ExecOutcome> first = cell.exec(id, request);
        assertThat(cell.exec(id, request)).isEqualTo(first);
        assertThat(scene.read("once")).isEqualTo("x\n");
        assertThat(refusal(cell.exec(id, ExecRequest.of("true")))).isEqualTo(RefusalCode.ID_REUSE);
        assertThat(cell.status(id)).isEqualTo(new ActionStatus.Held(done(first)));
        assertThat(cell.await(id, Duration.ofSeconds(60))).isEqualTo(new Reply.Done<>(done(first)));

        cell.ack(id);
        cell.ack(id);
        assertThat(cell.status(id)).isEqualTo(new ActionStatus.Forgotten());
        assertThat(refusal(cell.exec(id, request))).isEqualTo(RefusalCode.ID_SPENT);
        assertThat(scene.read("once")).isEqualTo("x\n");
    }

    @Test
    void anUnknownActionIsSaidToBeUnknown() {
        ActionId never = new ActionId(900_000);
        assertThat(cell.status(never)).isEqualTo(new ActionStatus.Unknown());
        assertThat(refusal(cell.await(never, Duration.ofSeconds(60))))
                .isEqualTo(RefusalCode.NOT_RUNNING);
        cell.cancel(never);
    }

    @Test
    void longOutputKeepsHeadTailAndCountAndTheRestCanBePulled() {
        ActionId id = scene.next();
        ExecOutcome outcome = done(cell.exec(id, ExecRequest.shell("seq 1 100000; echo LAST")));
        CapturedOutput stdout = outcome.stdout();
        assertThat(stdout.totalBytes()).isEqualTo(588_895 + 5);
        assertThat(stdout.head().toUtf8()).startsWith("1\n2\n3\n");
        assertThat(stdout.tail().toUtf8()).endsWith("100000\nLAST\n");
        assertThat(stdout.leftOutBytes()).isPositive();

        long offset = 0;
        StringBuilder all = new StringBuilder();
        while (offset < stdout.keptBytes()) {
            OutputChunk chunk = done(cell.output(id, OutputStreamName.STDOUT, offset, 98_304));
            assertThat(chunk.content().isEmpty()).isFalse();
            all.append(chunk.content().toUtf8());
            offset += chunk.content().length();
        }
        assertThat(all).hasSize(588_900).endsWith("99999\n100000\nLAST\n");
    }

    @Test
    void atTheDeadlineTheWholeTreeDies() throws IOException {
        ExecRequest request =
                ExecRequest.shell("(sleep 30; echo late >late) & sleep 30")
                        .withTimeout(Duration.ofMillis(500));
        ExecOutcome outcome = run(request);
        assertThat(outcome.end()).isEqualTo(ExecOutcome.End.TIMED_OUT);
        assertThat(outcome.elapsedMillis()).isBetween(500L, 20_000L);
        assertThat(run(ExecRequest.shell("ps -e 2>/dev/null | grep -c sleep || true")))
                .extracting(done -> done.stdout().head().toUtf8().strip())
                .isIn("0", "");
        assertThat(scene.workspace().resolve("late")).doesNotExist();
    }

    @Test
    void aRunningCommandIsCancelled() throws Exception {
        ActionId id = scene.next();
        Thread canceller =
                Thread.ofVirtual()
                        .start(() -> {
                            org.awaitility.Awaitility.await()
                                    .until(() -> Files.exists(scene.workspace().resolve("begun")));
                            cell.cancel(id);
                        });
        ExecOutcome outcome = done(cell.exec(id, ExecRequest.shell("touch begun; sleep 60")));
        assertThat(outcome.end()).isEqualTo(ExecOutcome.End.CANCELLED);
        canceller.join();
    }

    @Test
    void whatIsNotThereIsNotRun() {
        assertThat(refusal(cell.exec(scene.next(), ExecRequest.of("no-such-program"))))
                .isEqualTo(RefusalCode.NOT_EXECUTABLE);
    }

    private ExecOutcome run(ExecRequest request) {
        return done(cell.exec(scene.next(), request));
    }
}
