package ai.hanzo.dev.sandbox;

import static ai.hanzo.dev.sandbox.Answers.done;
import static ai.hanzo.dev.sandbox.Answers.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.sandbox.CellException.Code;
import ai.hanzo.dev.sandbox.LiveProgram.Heard;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs that a host talks to, in a real cell. */
@Timeout(120)
class ProgramIT {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int WINDOW = 1 << 20;

    private Scene scene;
    private Cell cell;

    @BeforeEach
    void lease(@TempDir Path root) throws IOException {
        scene = new Scene(root);
        cell = scene.cells().lease(scene.spec(1));
    }

    @AfterEach
    void end() {
        scene.close();
    }

    /** What was heard so far, by stream; a gap or a repeat is a failure. */
    private static final class Ear {
        private final LiveProgram program;
        private final Map<OutputStreamName, ByteArrayOutputStream> printed =
                new EnumMap<>(OutputStreamName.class);
        private final Map<OutputStreamName, Long> begin = new EnumMap<>(OutputStreamName.class);
        private Optional<Reply<ExecOutcome>> end = Optional.empty();

        Ear(LiveProgram program) {
            this.program = program;
        }

        private void hear() {
            Heard heard = program.next(LONG).orElseThrow(() -> new AssertionError("silence"));
            switch (heard) {
                case Heard.Printed(OutputStreamName stream, long offset, Bytes bytes) -> {
                    begin.putIfAbsent(stream, offset);
                    var all = printed.computeIfAbsent(stream, _ -> new ByteArrayOutputStream());
                    assertThat(offset).isEqualTo(begin.get(stream) + all.size());
                    all.writeBytes(bytes.toArray());
                }
                case Heard.Ended(Reply<ExecOutcome> reply) -> end = Optional.of(reply);
            }
        }

        String text(OutputStreamName stream) {
            return Bytes.wrap(bytes(stream)).toUtf8();
        }

        byte[] bytes(OutputStreamName stream) {
            var all = printed.get(stream);
            return all == null ? new byte[0] : all.toByteArray();
        }

        Ear until(String text) {
            while (!text(OutputStreamName.STDOUT).contains(text)) {
                assertThat(end).as(text(OutputStreamName.STDOUT)).isEmpty();
                hear();
            }
            return this;
        }

        ExecOutcome outcome() {
            return ((Reply.Done<ExecOutcome>) reply()).value();
        }

        Reply<ExecOutcome> reply() {
            while (end.isEmpty()) {
                hear();
            }
            return end.get();
        }
    }

    private static ExecRequest shell(String line) {
        return ExecRequest.shell(line);
    }

    @Test
    void aTerminalHasASizeTakesInputAndTellsItsExit() {
        LiveProgram program =
                cell.spawn(
                        scene.next(),
                        SpawnRequest.onTerminal(
                                shell(
                                        "stty -echo; tty -s && echo yes; stty size; echo $TERM;"
                                                + " trap 'stty size; exit 7' WINCH;"
                                                + " echo ready; read x; echo got $x;"
                                                + " while :; do sleep 0.05; done"),
                                100,
                                40));
        Ear ear = new Ear(program).until("ready");
        assertThat(ear.text(OutputStreamName.STDOUT))
                .startsWith("yes\r\n40 100\r\nxterm-256color\r\n");
        assertThat(program.input(0, Bytes.utf8("hello\n"))).isEqualTo(new Reply.Done<>(6L));
        ear.until("got hello");
        assertThat(program.resize(120, 50)).isEqualTo(new Reply.Done<>(true));
        assertThat(ear.outcome().exit()).isEqualTo(7);
        assertThat(ear.text(OutputStreamName.STDOUT)).endsWith("50 120\r\n");
        assertThat(program.resize(120, 50)).isInstanceOf(Reply.Refused.class);
        assertThat(program.next(Duration.ZERO)).hasValue(new Heard.Ended(ear.reply()));
    }

    @Test
    void ctrlCReachesWhatRunsInTheTerminal() {
        LiveProgram program =
                cell.spawn(scene.next(), SpawnRequest.onTerminal(ExecRequest.of("sh"), 80, 24));
        Ear ear = new Ear(program);
        // Said by the child: before there is one, Ctrl-C would be the shell's own.
        Bytes line = Bytes.utf8("sh -c \"echo wait''ing; exec sleep 600\"\n");
        program.input(0, line);
        ear.until("waiting");
        program.input(line.length(), Bytes.utf8("\003"));
        program.input(line.length() + 1L, Bytes.utf8("exit 5\n"));
        assertThat(ear.outcome().exit()).isEqualTo(5);
    }

    @Test
    void pipesKeepTheStreamsApartAndInputIsTakenOnce() {
        LiveProgram program =
                cell.spawn(
                        scene.next(),
                        SpawnRequest.onPipes(
                                shell("cat; echo errors >&2").withStdin(Bytes.utf8("first\n"))));
        assertThat(program.input(0, Bytes.utf8("second\n"))).isEqualTo(new Reply.Done<>(7L));
        assertThat(program.input(0, Bytes.utf8("second\n"))).isEqualTo(new Reply.Done<>(7L));
        assertThat(program.input(99, Bytes.utf8("x"))).isInstanceOf(Reply.Refused.class);
        assertThat(program.endInput(7)).isEqualTo(new Reply.Done<>(7L));
        Ear ear = new Ear(program);
        assertThat(ear.outcome().succeeded()).isTrue();
        assertThat(ear.text(OutputStreamName.STDOUT)).isEqualTo("first\nsecond\n");
        assertThat(ear.text(OutputStreamName.STDERR)).isEqualTo("errors\n");
    }

    @Test
    void aSignalReachesTheProgram() {
        LiveProgram program =
                cell.spawn(
                        scene.next(),
                        SpawnRequest.onPipes(
                                shell(
                                        "trap 'echo got; exit 3' USR1; echo up;"
                                                + " while :; do sleep 0.05; done")));
        Ear ear = new Ear(program).until("up\n");
        assertThat(program.signal(10)).isEqualTo(new Reply.Done<>(true));
        assertThat(ear.outcome().exit()).isEqualTo(3);
        assertThat(program.signal(10)).isInstanceOf(Reply.Refused.class);
    }

    @Test
    void allOfALongOutputComesInOrderAndThenTheEnd() {
        LiveProgram program =
                cell.spawn(
                        scene.next(),
                        SpawnRequest.onPipes(shell("seq 1 2000000; seq 1 300000 >&2")));
        Ear ear = new Ear(program);
        ExecOutcome outcome = ear.outcome();
        byte[] all = ear.bytes(OutputStreamName.STDOUT);
        assertThat(outcome.stdout().totalBytes()).isEqualTo(all.length);
        var expected = new StringBuilder();
        for (int i = 1; i <= 2_000_000; i++) {
            expected.append(i).append('\n');
        }
        assertThat(Sha256.of(Bytes.wrap(all)))
                .isEqualTo(Sha256.of(Bytes.utf8(expected.toString())));
        assertThat(ear.bytes(OutputStreamName.STDERR)).hasSize((int) outcome.stderr().totalBytes());
    }

    /** The program waits, the host holds a window at most, and the cell still answers others. */
    @Test
    void aFloodThatNobodyTakesIsHeldBack() {
        ActionId id = scene.next();
        long before = usedBytes();
        LiveProgram program = cell.spawn(id, SpawnRequest.onPipes(ExecRequest.of("yes")));
        Ear ear = new Ear(program).until("y\n");
        cell.exec(scene.next(), shell("sleep 0.5"));
        OutputChunk first = done(cell.output(id, OutputStreamName.STDOUT, 0, 1));
        cell.exec(scene.next(), shell("sleep 0.5"));
        OutputChunk second = done(cell.output(id, OutputStreamName.STDOUT, 0, 1));
        assertThat(second.totalBytes()).isEqualTo(first.totalBytes()).isLessThan(4L * WINDOW);
        assertThat(usedBytes() - before).isLessThan(16L * WINDOW);
        cell.cancel(id);
        assertThat(ear.outcome().end()).isEqualTo(ExecOutcome.End.CANCELLED);
    }

    @Test
    void whoLetsGoLeavesItRunningAndComesBackWhereItWas() {
        ActionId id = scene.next();
        Ear ear;
        try (LiveProgram program =
                cell.spawn(
                        id,
                        SpawnRequest.onPipes(
                                shell("echo one; read x; seq 1 200000; echo last; read y")))) {
            ear = new Ear(program).until("one\n");
            program.input(0, Bytes.utf8("go\n"));
        }
        // Nobody follows: it goes on to its second question.
        awaitPrinted(id, 4 + 1_288_895 + 5);
        LiveProgram again = cell.attach(id, 4, 0);
        Ear rest = new Ear(again).until("last\n");
        assertThat(rest.text(OutputStreamName.STDOUT)).startsWith("1\n2\n3\n");
        again.endInput(3);
        assertThat(rest.outcome().exit()).isEqualTo(1);
        assertThat(
                        ear.bytes(OutputStreamName.STDOUT).length
                                + rest.bytes(OutputStreamName.STDOUT).length)
                .isEqualTo(4 + 1_288_895 + 5);
    }

    @Test
    void whoComesLaterTakesOver() {
        ActionId id = scene.next();
        LiveProgram first =
                cell.spawn(id, SpawnRequest.onPipes(shell("echo one; read x; echo $x")));
        new Ear(first).until("one\n");
        LiveProgram second = cell.attach(id, 0, 0);
        Ear ear = new Ear(second).until("one\n");
        assertThat(codeOf(() -> first.next(LONG))).isEqualTo(Code.CLOSED);
        first.close();
        second.input(0, Bytes.utf8("two\n"));
        assertThat(ear.outcome().succeeded()).isTrue();
        assertThat(ear.text(OutputStreamName.STDOUT)).isEqualTo("one\ntwo\n");
    }

    @Test
    void aProgramOutlivesItsHostAndIsFoundByTheNext() {
        ActionId id = scene.next();
        LiveProgram program =
                cell.spawn(
                        id,
                        SpawnRequest.onTerminal(
                                shell("stty -echo; echo first; read x; echo got $x"), 80, 24));
        new Ear(program).until("first\r\n");
        Incarnation incarnation = cell.incarnation();
        Cell next = scene.cells().lease(scene.spec(2));
        assertThat(next.incarnation()).isEqualTo(incarnation);
        assertThat(next.epoch()).isEqualTo(new Epoch(2));
        assertThat(codeOf(() -> program.next(LONG))).isEqualTo(Code.FENCED);
        LiveProgram found = next.attach(id, 7, 0);
        found.input(0, Bytes.utf8("it\n"));
        Ear ear = new Ear(found);
        assertThat(ear.outcome().succeeded()).isTrue();
        assertThat(ear.text(OutputStreamName.STDOUT)).isEqualTo("got it\r\n");
        // It is held until it is acknowledged, with all that it printed.
        Ear again = new Ear(next.attach(id, 0, 0));
        assertThat(again.outcome()).isEqualTo(ear.outcome());
        assertThat(again.text(OutputStreamName.STDOUT)).isEqualTo("first\r\ngot it\r\n");
        next.ack(id);
        assertThat(refusal(new Ear(next.attach(id, 0, 0)).reply())).isEqualTo(RefusalCode.ID_SPENT);
    }

    @Test
    void theEndOfTheCellIsTheEndOfTheLease() {
        ActionId id = scene.next();
        LiveProgram program =
                cell.spawn(id, SpawnRequest.onTerminal(ExecRequest.of("cat"), 80, 24));
        program.input(0, Bytes.utf8("x\n"));
        new Ear(program).until("x\r\nx\r\n");
        scene.cells().kill(scene.session, new Epoch(1));
        assertThat(codeOf(() -> program.next(LONG))).isEqualTo(Code.CELL_LOST);
        Cell fresh = scene.cells().lease(scene.spec(1));
        assertThat(fresh.incarnation()).isNotEqualTo(cell.incarnation());
        assertThat(refusal(new Ear(fresh.attach(id, 0, 0)).reply()))
                .isEqualTo(RefusalCode.NOT_RUNNING);
    }

    @Test
    void whatCannotBeStartedSaysSo() {
        SpawnRequest none = SpawnRequest.onPipes(ExecRequest.of("no-such-program"));
        assertThat(refusal(new Ear(cell.spawn(scene.next(), none)).reply()))
                .isEqualTo(RefusalCode.NOT_EXECUTABLE);
        Bytes large = Bytes.wrap(new byte[200_000]);
        SpawnRequest tooMuch = SpawnRequest.onPipes(ExecRequest.of("cat").withStdin(large));
        assertThat(refusal(new Ear(cell.spawn(scene.next(), tooMuch)).reply()))
                .isEqualTo(RefusalCode.TOO_LARGE);
        assertThat(done(cell.exec(scene.next(), ExecRequest.of("true"))).succeeded()).isTrue();
    }

    @Test
    void anOrdinaryCommandCanBeFollowedToo() throws Exception {
        ActionId id = scene.next();
        Thread running =
                Thread.ofVirtual()
                        .start(() ->
                                cell.exec(
                                        id,
                                        shell("echo a; while ! [ -e go ]; do sleep 0.05; done")));
        awaitPrinted(id, 2);
        Ear ear = new Ear(cell.attach(id, 0, 0)).until("a\n");
        scene.write("go", "");
        assertThat(ear.outcome().succeeded()).isTrue();
        running.join();
    }

    private void awaitPrinted(ActionId id, long bytes) {
        org.awaitility.Awaitility.await()
                .atMost(LONG)
                .until(() ->
                        cell.output(id, OutputStreamName.STDOUT, 0, 1)
                                        instanceof Reply.Done<OutputChunk>(OutputChunk chunk)
                                && chunk.totalBytes() >= bytes);
    }

    private static long usedBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static Code codeOf(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        return catchThrowableOfType(CellException.class, call).code();
    }
}
