package ai.hanzo.dev.sandbox;

import static ai.hanzo.dev.sandbox.Answers.done;
import static ai.hanzo.dev.sandbox.Answers.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.id.ActionId;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What goes wrong gets its name, costs the host less than 64 MiB, and the cell goes on: after each
 * test the same cell still runs a command.
 */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CellBadInputIT {
    private static final long MOST_BYTES = 64L << 20;

    private Scene scene;
    private Cell cell;
    private long before;

    @BeforeAll
    void lease(@TempDir Path root) throws IOException {
        scene = new Scene(root);
        cell = scene.cells().lease(scene.spec(new CellLimits(0, 16 << 20, 8 << 20, 0, 200, 0)));
    }

    @AfterAll
    void end() {
        scene.close();
    }

    @BeforeEach
    void measure() {
        before = usedBytes();
    }

    @AfterEach
    void theHostIsAsSmallAsBeforeAndTheCellGoesOn() {
        assertThat(usedBytes() - before).isLessThan(MOST_BYTES);
        assertThat(run("echo alive").stdout().head().toUtf8()).isEqualTo("alive\n");
    }

    /** Heap after a collection, and what is kept outside of it. */
    private static long usedBytes() {
        System.gc();
        long direct =
                ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                        .mapToLong(BufferPoolMXBean::getMemoryUsed)
                        .sum();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() + direct;
    }

    @Test
    void aRequestThatFitsIntoNoPacketIsRefused() {
        String[] argv = new String[20_000];
        java.util.Arrays.fill(argv, "argument");
        assertThat(refusal(cell.exec(scene.next(), ExecRequest.of(argv))))
                .isEqualTo(RefusalCode.TOO_LARGE);
    }

    @Test
    void moreThanIsKeptIsNotStaged() {
        Bytes large = Bytes.wrap(new byte[(64 << 20) + 1]);
        assertThat(refusal(cell.write(scene.next(), WriteRequest.of("large", large))))
                .isEqualTo(RefusalCode.TOO_LARGE);
    }

    @Test
    void anIdIsNotUsedForAnotherRequest() {
        ActionId id = scene.next();
        cell.exec(id, ExecRequest.of("true"));
        assertThat(refusal(cell.exec(id, ExecRequest.of("false")))).isEqualTo(RefusalCode.ID_REUSE);
        assertThat(refusal(cell.mkdir(id, "d"))).isEqualTo(RefusalCode.ID_REUSE);
        cell.ack(id);
        assertThat(refusal(cell.exec(id, ExecRequest.of("true")))).isEqualTo(RefusalCode.ID_SPENT);
    }

    @ParameterizedTest
    @CsvSource({
        "../x, OUTSIDE",
        "a/../../x, OUTSIDE",
        "/etc/passwd, OUTSIDE",
        "/proc/self/environ, OUTSIDE",
        "./.././../x, OUTSIDE",
        "out/passwd, OUTSIDE",
        "out, OUTSIDE",
        "inner/../../x, OUTSIDE",
        "absolute, OUTSIDE",
        "fifo, NOT_REGULAR",
        "inner, NOT_REGULAR",
        "nothing, NOT_FOUND",
        "f/under, NOT_DIRECTORY",
    })
    void aPathIsResolvedBeneathByAnySpelling(String path, RefusalCode code) {
        run(
                "mkdir -p a inner; ln -sfn /etc out; ln -sfn $PWD/f absolute; echo x > f;"
                        + " [ -p fifo ] || mkfifo fifo");
        assertThat(refusal(cell.read(path, 0, 10))).isEqualTo(code);
        if (code == RefusalCode.OUTSIDE) {
            Bytes data = Bytes.utf8("x");
            assertThat(refusal(cell.write(scene.next(), WriteRequest.of(path, data))))
                    .isEqualTo(code);
            assertThat(refusal(cell.stat(path))).isEqualTo(code);
            assertThat(refusal(cell.exec(scene.next(), ExecRequest.of("true").in(path))))
                    .isEqualTo(code);
        }
    }

    @Test
    void aPathThatNoFileCanHaveIsInvalid() {
        assertThat(refusal(cell.read("x".repeat(5000), 0, 1))).isEqualTo(RefusalCode.INVALID);
        assertThat(refusal(cell.read("a\0b", 0, 1))).isEqualTo(RefusalCode.INVALID);
    }

    @Test
    void aFileBeyondItsLimitIsNoSpace() {
        Bytes large = Bytes.wrap(new byte[17 << 20]);
        assertThat(refusal(cell.write(scene.next(), WriteRequest.of("large", large))))
                .isEqualTo(RefusalCode.NO_SPACE);
        assertThat(scene.workspace().resolve("large")).doesNotExist();
        ExecOutcome outcome = run("head -c 20M /dev/zero > big");
        assertThat(outcome.exit()).isNotZero();
        assertThat(scene.workspace().resolve("big").toFile().length()).isLessThan(17 << 20);
    }

    @Test
    void aFullDiskIsToldToTheCommand() {
        ExecOutcome outcome = run("cd ${TMPDIR:-/tmp} && head -c 9M /dev/zero > a");
        if (cell.enforced().level() == Level.NAMESPACES) {
            assertThat(outcome.exit()).isNotZero();
            assertThat(outcome.stderr().head().toUtf8()).contains("No space left");
        }
        run("rm -f ${TMPDIR:-/tmp}/a");
    }

    @Test
    void aForkBombIsBoundedAndDies() {
        String program =
                """
                import os, time
                for i in range(12):
                    try: os.fork()
                    except OSError: pass
                time.sleep(600)
                """;
        ExecRequest bomb =
                ExecRequest.of("/usr/bin/python3", "-c", program)
                        .withTimeout(Duration.ofSeconds(3));
        ExecOutcome outcome = done(cell.exec(scene.next(), bomb));
        assertThat(outcome.end()).isEqualTo(ExecOutcome.End.TIMED_OUT);
    }

    @Test
    void fiveGigabytesOfOutputAreCountedAndCut() {
        ExecRequest request =
                ExecRequest.shell("yes | head -c 5G").withTimeout(Duration.ofMinutes(4));
        ExecOutcome outcome = done(cell.exec(scene.next(), request));
        assertThat(outcome.stdout().totalBytes()).isEqualTo(5L << 30);
        assertThat(outcome.stdout().keptBytes()).isLessThanOrEqualTo(64 << 20);
        assertThat(outcome.stdout().head().length()).isEqualTo(24_576);
    }

    @Test
    void aCommandThatIgnoresItsEndDiesAtTheDeadline() {
        ExecRequest deaf =
                ExecRequest.shell(
                                "trap '' TERM INT HUP; (setsid sh -c 'trap \"\" TERM; while :; do sleep 9431; done' &);"
                                        + " while :; do sleep 9431; done")
                        .withTimeout(Duration.ofSeconds(1));
        ExecOutcome outcome = done(cell.exec(scene.next(), deaf));
        assertThat(outcome.end()).isEqualTo(ExecOutcome.End.TIMED_OUT);
        org.awaitility.Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() ->
                        ProcessHandle.allProcesses()
                                .noneMatch(process ->
                                        process.info()
                                                .commandLine()
                                                .orElse("")
                                                .endsWith("sleep 9431")));
    }

    private ExecOutcome run(String line) {
        return done(cell.exec(scene.next(), ExecRequest.shell(line)));
    }
}
