package ai.hanzo.dev.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.sandbox.CellException.Code;
import ai.hanzo.dev.sandbox.LeaseSpec.Places;
import ai.hanzo.dev.sandbox.netty.PacketEnd;
import ai.hanzo.dev.sandbox.netty.PacketLoop;
import ai.hanzo.dev.zap.dev.CellChangesBuilder;
import ai.hanzo.dev.zap.dev.CellOp;
import ai.hanzo.dev.zap.dev.CellOutcomeBuilder;
import ai.hanzo.dev.zap.dev.CellPushBuilder;
import ai.hanzo.dev.zap.dev.CellRefusal;
import ai.hanzo.dev.zap.dev.CellRefusedBuilder;
import ai.hanzo.dev.zap.dev.CellReplyBuilder;
import ai.hanzo.dev.zap.dev.CellReplyKind;
import ai.hanzo.dev.zap.dev.CellRequestView;
import ai.hanzo.dev.zap.dev.CellStreamName;
import ai.hanzo.dev.zap.dev.CellWatchResultBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever a daemon says, only its own lease fails. */
@Timeout(120)
class HostileDaemonTest {
    private static final ActionId ONE = new ActionId(1);
    private static final Duration LONG = Duration.ofSeconds(60);

    private final PacketLoop loop = PacketLoop.start(1);
    private final CellsConfig patient = new CellsConfig(Path.of("/x"), LONG, LONG, 1, 0);

    @AfterEach
    void stop() {
        loop.close();
    }

    @Test
    void anHonestAnswerIsTaken() throws Exception {
        try (Pair pair = new Pair(HostileDaemonTest::honest)) {
            assertThat(stdoutOf(pair.cell.exec(ONE, ExecRequest.of("true")))).isEqualTo("hi");
            assertThat(pair.cell.incarnation()).isEqualTo(new Incarnation("00".repeat(16)));
            assertThat(pair.cell.limits()).isEqualTo(new Limits(131_072, 98_304, 1 << 26, 64));
        }
    }

    @Test
    void aRefusalLeavesTheLeaseGood() throws Exception {
        Function<CellRequestView, Optional<List<Bytes>>> refusing =
                request ->
                        request.action() == 1
                                ? packets(refused(request, CellRefusal.OUTSIDE, "no"))
                                : honest(request);
        try (Pair pair = new Pair(refusing)) {
            assertThat(pair.cell.exec(ONE, ExecRequest.of("true")))
                    .isEqualTo(new Reply.Refused<>(RefusalCode.OUTSIDE, "no"));
            assertThat(stdoutOf(pair.cell.exec(new ActionId(2), ExecRequest.of("true"))))
                    .isEqualTo("hi");
        }
    }

    @Test
    void aStaleEpochIsTheEndOfTheLease() throws Exception {
        try (Pair pair =
                new Pair(request -> packets(refused(request, CellRefusal.STALE_EPOCH, "old")))) {
            assertThat(codeOf(pair.cell)).isEqualTo(Code.FENCED);
            assertThat(codeOf(pair.cell)).isEqualTo(Code.FENCED);
        }
    }

    @Test
    void anAnswerToNothingEndsTheLease() throws Exception {
        endsAsProtocol(request ->
                packets(FakeDaemon.execOutcome(request, "x").request(request.request() + 1)));
    }

    @Test
    void anAnswerToSomethingElseEndsTheLease() throws Exception {
        endsAsProtocol(request -> packets(FakeDaemon.execOutcome(request, "x").op(CellOp.WRITE)));
        endsAsProtocol(request -> packets(FakeDaemon.execOutcome(request, "x").action(7)));
        endsAsProtocol(request ->
                packets(FakeDaemon.execOutcome(request, "x").kind(CellReplyKind.RESULT)));
    }

    @Test
    void anOutcomeOfAnotherRequestEndsTheLease() throws Exception {
        endsAsProtocol(request ->
                packets(
                        FakeDaemon.execOutcome(request, "x")
                                .outcome(new CellOutcomeBuilder().op(CellOp.EXEC))));
    }

    @Test
    void aSecondHelloEndsTheLease() throws Exception {
        endsAsProtocol(_ -> Optional.of(List.of(Bytes.wrap(FakeDaemon.hello(5)))));
    }

    @Test
    void aPushThatNobodyAskedForEndsTheLease() throws Exception {
        endsAsProtocol(request ->
                packets(FakeDaemon.execOutcome(request, "x").kind(CellReplyKind.PUSH).request(0)));
    }

    @Test
    void aPushBeyondItsCreditEndsTheLease() throws Exception {
        Function<CellRequestView, Optional<List<Bytes>>> eager =
                request ->
                        packets(
                                new CellReplyBuilder()
                                        .kind(CellReplyKind.PUSH)
                                        .op(CellOp.SPAWN)
                                        .action(request.action())
                                        .push(
                                                new CellPushBuilder()
                                                        .stream(CellStreamName.STDOUT)
                                                                .data(new byte[1])));
        SpawnRequest program = SpawnRequest.onPipes(ExecRequest.of("true"));
        try (Pair pair = new Pair(eager)) {
            assertThat(
                            catchThrowableOfType(
                                            CellException.class,
                                            () -> pair.cell.spawn(ONE, program))
                                    .code())
                    .isEqualTo(Code.PROTOCOL);
        }
    }

    @Test
    void aWatchIsToldOncePerCreditAndUnderItsHandle() throws Exception {
        assertThat(watchedBy(1L << 63, 1, 1L << 63, 1)).isEqualTo(Code.PROTOCOL);
        assertThat(watchedBy(1L << 63, 2)).isEqualTo(Code.PROTOCOL);
        assertThat(watchedBy(1L << 63, 1, (1L << 63) + 1, 1)).isEqualTo(Code.PROTOCOL);
        assertThat(watchedBy(7, 1)).isEqualTo(Code.PROTOCOL);
    }

    /** What becomes of a lease whose watch is answered with these pushes: handle, sequence, … */
    private Code watchedBy(long... pushes) throws Exception {
        try (Pair pair = new Pair(request -> Optional.of(watched(request, pushes)))) {
            CellException end =
                    catchThrowableOfType(
                            CellException.class,
                            () -> {
                                Reply<Watch> reply = pair.cell.watch("x");
                                pair.cell.awaitEnd(LONG);
                                pair.cell.stat(reply.toString());
                            });
            return end.code();
        }
    }

    private static List<Bytes> watched(CellRequestView request, long... pushes) {
        CellReplyBuilder answer =
                new CellReplyBuilder()
                        .kind(CellReplyKind.RESULT)
                        .op(CellOp.WATCH)
                        .request(request.request())
                        .watch(new CellWatchResultBuilder().handle(pushes[0]));
        List<Bytes> all = new ArrayList<>(List.of(Bytes.wrap(answer.toMessage())));
        for (int i = 0; i < pushes.length; i += 2) {
            CellReplyBuilder push =
                    new CellReplyBuilder()
                            .kind(CellReplyKind.PUSH)
                            .op(CellOp.WATCH)
                            .action(pushes[i])
                            .changes(new CellChangesBuilder().sequence(pushes[i + 1]));
            all.add(Bytes.wrap(push.toMessage()));
        }
        return all;
    }

    @Test
    void anOversizePacketEndsTheLease() throws Exception {
        endsAsProtocol(_ -> Optional.of(List.of(Bytes.wrap(new byte[131_073]))));
    }

    @Test
    void aDaemonThatHangsUpIsACellLost() throws Exception {
        try (Pair pair = new Pair(_ -> Optional.empty())) {
            assertThat(codeOf(pair.cell)).isEqualTo(Code.CELL_LOST);
        }
        try (Pair pair = new Pair(_ -> Optional.empty())) {
            assertThat(codeOfStat(pair.cell)).isEqualTo(Code.CELL_LOST);
        }
    }

    @Test
    void aDaemonThatDoesNotAnswerIsATimeoutAndNoMore() throws Exception {
        Duration brief = Duration.ofMillis(50);
        CellsConfig impatient = new CellsConfig(Path.of("/x"), brief, brief, 1, 0);
        Function<CellRequestView, Optional<List<Bytes>>> silentAboutFiles =
                request -> request.kind() == CellOp.STAT ? Optional.of(List.of()) : honest(request);
        try (Pair pair = new Pair(silentAboutFiles, impatient)) {
            CellException timeout =
                    catchThrowableOfType(CellException.class, () -> pair.cell.stat("x"));
            assertThat(timeout.code()).isEqualTo(Code.TIMEOUT);
            assertThat(pair.cell.awaitEnd(Duration.ZERO)).isEmpty();
            assertThat(stdoutOf(pair.cell.exec(ONE, ExecRequest.of("true")))).isEqualTo("hi");
        }
    }

    @Test
    void outcomesThatNobodyWaitsForAreNotKept() throws Exception {
        String filling = "x".repeat(100_000);
        Function<CellRequestView, Optional<List<Bytes>>> talkative =
                request -> {
                    List<Bytes> all = new ArrayList<>();
                    for (int i = 0; i < 1_000; i++) {
                        CellReplyBuilder outcome =
                                FakeDaemon.execOutcome(request, filling).request(0).action(100 + i);
                        all.add(Bytes.wrap(outcome.toMessage()));
                    }
                    all.addAll(honest(request).orElseThrow());
                    return Optional.of(all);
                };
        try (Pair pair = new Pair(talkative)) {
            assertThat(stdoutOf(pair.cell.exec(ONE, ExecRequest.of("true")))).isEqualTo("hi");
        }
    }

    /** Random changes of an honest answer: a value, a refusal, or the end of this lease. */
    @Test
    void mutatedAnswersNeverHurtAnotherLease() throws Exception {
        Random random = new Random(20_260_101);
        CellsConfig brief = new CellsConfig(Path.of("/x"), LONG, Duration.ofMillis(100), 1, 0);
        int ended = 0;
        try (Pair bystander = new Pair(HostileDaemonTest::honest)) {
            for (int round = 0; round < 400; round++) {
                try (Pair pair =
                        new Pair(
                                request ->
                                        Optional.of(
                                                List.of(mutated(honestMessage(request), random))),
                                brief)) {
                    ExecRequest quick = ExecRequest.of("true").withTimeout(Duration.ofMillis(1));
                    CellException end =
                            catchThrowableOfType(
                                    CellException.class, () -> pair.cell.exec(ONE, quick));
                    if (end != null) {
                        // TIMEOUT: it became an outcome that nobody asked for, of another action.
                        assertThat(end.code()).isIn(Code.PROTOCOL, Code.FENCED, Code.TIMEOUT);
                        ended++;
                    }
                }
            }
            assertThat(stdoutOf(bystander.cell.exec(ONE, ExecRequest.of("true")))).isEqualTo("hi");
        }
        assertThat(ended).isPositive();
    }

    private static Bytes mutated(byte[] message, Random random) {
        byte[] copy = message.clone();
        int changes = 1 + random.nextInt(4);
        for (int i = 0; i < changes; i++) {
            copy[random.nextInt(copy.length)] = (byte) random.nextInt(256);
        }
        int length = random.nextInt(4) == 0 ? 1 + random.nextInt(copy.length) : copy.length;
        return Bytes.wrap(copy).slice(0, length);
    }

    /** Whether the loop meets it, or who looks for a quick answer. */
    private void endsAsProtocol(Function<CellRequestView, Optional<List<Bytes>>> behaviour)
            throws Exception {
        endsAsProtocol(behaviour, HostileDaemonTest::codeOf);
        endsAsProtocol(behaviour, HostileDaemonTest::codeOfStat);
    }

    private void endsAsProtocol(
            Function<CellRequestView, Optional<List<Bytes>>> behaviour, Function<Cell, Code> asking)
            throws Exception {
        try (Pair pair = new Pair(behaviour);
                Pair bystander = new Pair(HostileDaemonTest::honest)) {
            assertThat(asking.apply(pair.cell)).isEqualTo(Code.PROTOCOL);
            assertThat(pair.cell.awaitEnd(LONG).orElseThrow().code()).isEqualTo(Code.PROTOCOL);
            assertThat(stdoutOf(bystander.cell.exec(ONE, ExecRequest.of("true")))).isEqualTo("hi");
        }
    }

    private static String stdoutOf(Reply<ExecOutcome> reply) {
        return switch (reply) {
            case Reply.Done<ExecOutcome>(ExecOutcome outcome) -> outcome.stdout().head().toUtf8();
            case Reply.Refused<ExecOutcome> refused -> refused.toString();
        };
    }

    private static Code codeOf(Cell cell) {
        return catchThrowableOfType(
                        CellException.class, () -> cell.exec(ONE, ExecRequest.of("true")))
                .code();
    }

    private static Code codeOfStat(Cell cell) {
        return catchThrowableOfType(CellException.class, () -> cell.stat("x")).code();
    }

    private static byte[] honestMessage(CellRequestView request) {
        return FakeDaemon.execOutcome(request, "hi").toMessage();
    }

    private static Optional<List<Bytes>> honest(CellRequestView request) {
        return Optional.of(List.of(Bytes.wrap(honestMessage(request))));
    }

    private static Optional<List<Bytes>> packets(CellReplyBuilder reply) {
        return Optional.of(List.of(Bytes.wrap(reply.toMessage())));
    }

    private static CellReplyBuilder refused(
            CellRequestView request, CellRefusal code, String message) {
        return new CellReplyBuilder()
                .kind(CellReplyKind.REFUSED)
                .op(request.kind())
                .request(request.request())
                .action(request.action())
                .refused(new CellRefusedBuilder().code(code).message(message));
    }

    /** A lease on a fake daemon. */
    private final class Pair implements AutoCloseable {
        private final FakeDaemon daemon;
        private final LeasedCell cell;

        Pair(Function<CellRequestView, Optional<List<Bytes>>> behaviour) {
            this(behaviour, patient);
        }

        Pair(Function<CellRequestView, Optional<List<Bytes>>> behaviour, CellsConfig config) {
            int[] pair = Libc.packetPair();
            daemon = new FakeDaemon(pair[1], 5, behaviour);
            assertThat(Descriptors.prepare(pair[0])).isEmpty();
            CellLink link = new CellLink(loop, pair[0], Pair::explain);
            LeaseSpec spec =
                    LeaseSpec.of(
                            TestIds.session(),
                            new Epoch(5),
                            Path.of("/w"),
                            Places.in(Path.of("/places")));
            cell = LeasedCell.greet(spec, link, config);
        }

        private static CellException explain(PacketEnd end) {
            return switch (end) {
                case PacketEnd.Oversize _ -> CellException.protocol("oversize");
                case PacketEnd.PeerGone _, PacketEnd.Failed _, PacketEnd.ClosedHere _ ->
                        CellException.cellLost("gone");
            };
        }

        @Override
        public void close() {
            cell.close();
            daemon.close();
        }
    }
}
