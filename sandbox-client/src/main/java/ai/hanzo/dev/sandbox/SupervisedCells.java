package ai.hanzo.dev.sandbox;

import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.sandbox.SupervisorConnection.Answer;
import ai.hanzo.dev.sandbox.netty.PacketEnd;
import ai.hanzo.dev.sandbox.netty.PacketLoop;
import ai.hanzo.dev.zap.CodecException;
import ai.hanzo.dev.zap.dev.AdoptCellBuilder;
import ai.hanzo.dev.zap.dev.ForgetCellBuilder;
import ai.hanzo.dev.zap.dev.KillCellBuilder;
import ai.hanzo.dev.zap.dev.OpenNetworkBuilder;
import ai.hanzo.dev.zap.dev.SupervisorHelloResultView;
import ai.hanzo.dev.zap.dev.SupervisorOp;
import ai.hanzo.dev.zap.dev.SupervisorRefusedView;
import ai.hanzo.dev.zap.dev.SupervisorReplyView;
import ai.hanzo.dev.zap.dev.SupervisorRequestBuilder;
import ai.hanzo.dev.zap.dev.SupervisorShutdownBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/** {@link Cells} through the supervisor. Threads: any. */
final class SupervisedCells implements Cells {

    /** Attempts to lease while others spawn, adopt or end the same cell. */
    private static final int ATTEMPTS = 50;

    private static final Duration BUSY_PAUSE = Duration.ofMillis(20);

    /** For finding out why a pair ended; its callers wait for it. */
    private static final Duration DIAGNOSIS = Duration.ofSeconds(5);

    private final CellsConfig config;
    private final PacketLoop loop;
    private final Supervisor supervisor;
    private final Set<CellLink> links = ConcurrentHashMap.newKeySet();

    SupervisedCells(CellsConfig config) {
        this.config = config;
        try {
            this.loop = PacketLoop.start(config.loopThreads());
        } catch (UnsupportedOperationException e) {
            throw CellException.unsupported(String.valueOf(e.getMessage()), e);
        }
        this.supervisor = new Supervisor(config);
    }

    @Override
    public Cell lease(LeaseSpec spec) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            // Who waits for a new cell waits for one answer; one that lives can wait for two.
            Optional<Answer> answer = trySpawn(spec).or(() -> tryAdopt(spec));
            if (answer.isPresent()) {
                return attach(spec, answer.get());
            }
            LockSupport.parkNanos(BUSY_PAUSE.toNanos());
            if (Thread.currentThread().isInterrupted()) {
                throw CellException.interrupted("Leasing the cell");
            }
        }
        throw CellException.refused(
                "The cell of %s took no lease in %d attempts: try again"
                        .formatted(spec.session(), ATTEMPTS));
    }

    /** Empty: there is no such cell any more, or it takes no adoption at this moment. */
    private Optional<Answer> tryAdopt(LeaseSpec spec) {
        AdoptCellBuilder adopt =
                new AdoptCellBuilder().session(spec.session().value()).epoch(spec.epoch().value());
        Answer answer =
                supervisor.ask(SupervisorOp.ADOPT, new SupervisorRequestBuilder().adopt(adopt));
        if (!answer.reply().hasRefused()) {
            return Optional.of(answer);
        }
        answer.discard();
        SupervisorRefusedView refused = answer.reply().refused();
        return switch (refused.code()) {
            case NOT_FOUND, BUSY -> Optional.empty();
            case ENDED -> {
                forget(spec.session());
                yield Optional.empty();
            }
            case STALE_EPOCH -> throw fenced(spec.session(), spec.epoch());
            case MALFORMED, UNKNOWN_OP, VERSION, INVALID, EXISTS, LEVEL, LAUNCH ->
                    throw refusal("adopt", refused);
        };
    }

    /** Empty: the session has a living cell. */
    private Optional<Answer> trySpawn(LeaseSpec spec) {
        SupervisorRequestBuilder request =
                new SupervisorRequestBuilder().spawn(SpawnSpecs.of(spec));
        Answer answer = supervisor.ask(SupervisorOp.SPAWN, request);
        if (!answer.reply().hasRefused()) {
            return Optional.of(answer);
        }
        answer.discard();
        SupervisorRefusedView refused = answer.reply().refused();
        return switch (refused.code()) {
            case EXISTS -> Optional.empty();
            case LEVEL -> throw CellException.notEnforced(refused.message() + ".");
            case STALE_EPOCH -> throw fenced(spec.session(), spec.epoch());
            case BUSY ->
                    throw CellException.full(
                            "All cells are in use (%s): wait until a command ends"
                                    .formatted(refused.message()));
            case MALFORMED, UNKNOWN_OP, VERSION, INVALID, NOT_FOUND, LAUNCH, ENDED ->
                    throw refusal("start", refused);
        };
    }

    private Cell attach(LeaseSpec spec, Answer answer) {
        int descriptor = prepared(answer);
        CellLink link =
                new CellLink(loop, descriptor, end -> diagnose(spec.session(), spec.epoch(), end));
        links.add(link);
        Future<?> _ = link.end().thenRun(() -> links.remove(link));
        try {
            LeasedCell cell = LeasedCell.greet(spec, link, config);
            Incarnation told = Replies.incarnation(answer.reply().cell().incarnation());
            if (!cell.incarnation().equals(told)) {
                throw CellException.protocol("The cell is not the one that the supervisor leased");
            }
            return cell;
        } catch (CellException e) {
            link.close();
            throw e;
        }
    }

    private static int prepared(Answer answer) {
        int descriptor =
                answer.descriptor()
                        .orElseThrow(() ->
                                CellException.protocol(
                                        "The supervisor gave a lease without descriptor"));
        Optional<String> fault = Descriptors.prepare(descriptor);
        if (fault.isPresent()) {
            Libc.close(descriptor);
            throw CellException.cellLost("The cell's descriptor is unusable: " + fault.get());
        }
        return descriptor;
    }

    /** Finds out why a pair ended. Called on a virtual thread. */
    private CellException diagnose(SessionId session, Epoch epoch, PacketEnd end) {
        switch (end) {
            case PacketEnd.Oversize(int bytes) -> {
                return CellException.protocol(
                        "The cell sent a packet of %d bytes or more and was let go"
                                .formatted(bytes));
            }
            case PacketEnd.PeerGone _, PacketEnd.Failed _, PacketEnd.ClosedHere _ -> {
                try {
                    return summary(session)
                            .map(cell -> explain(cell, epoch))
                            .orElseGet(
                                    () -> lost(session.value(), "the supervisor knows it no more"));
                } catch (CellException e) {
                    return e.code() == CellException.Code.SUPERVISOR_GONE
                            ? e
                            : lost(session.value(), String.valueOf(e.getMessage()));
                }
            }
        }
    }

    private Optional<CellSummary> summary(SessionId session) {
        return list(DIAGNOSIS).stream()
                .filter(cell -> cell.session().equals(session.value()))
                .findFirst();
    }

    private static CellException explain(CellSummary cell, Epoch epoch) {
        return switch (cell.life()) {
            // One that is being killed has let go of its pair before the supervisor sees it end.
            case CellSummary.Running _ when cell.epoch() <= epoch.value() ->
                    lost(cell.session(), "it let go of its end of the pair");
            case CellSummary.Running _ ->
                    CellException.fenced(
                            "Another host holds the cell of %s by now (epoch %d, ours %s)"
                                    .formatted(cell.session(), cell.epoch(), epoch));
            case CellSummary.Exited(var reason, int exit, int signal) ->
                    CellException.cellLost(
                            "The cell of %s ended (%s, %s): what was in flight is in doubt"
                                    .formatted(
                                            cell.session(),
                                            reason,
                                            signal > 0 ? "signal " + signal : "exit " + exit));
        };
    }

    private static CellException lost(String session, String why) {
        return CellException.cellLost(
                "The cell of %s is gone (%s): what was in flight is in doubt"
                        .formatted(session, why));
    }

    private static CellException fenced(SessionId session, Epoch epoch) {
        return CellException.fenced(
                "Another host holds a later lease on the cell of %s than epoch %s"
                        .formatted(session, epoch));
    }

    private static CellException refusal(String what, SupervisorRefusedView refused) {
        return CellException.refused(
                "The supervisor did not %s the cell (%s): %s"
                        .formatted(what, refused.code(), refused.message()));
    }

    @Override
    public List<CellSummary> list() {
        return list(config.replyTimeout());
    }

    private List<CellSummary> list(Duration atMost) {
        Answer answer = supervisor.ask(SupervisorOp.LIST, new SupervisorRequestBuilder(), atMost);
        answer.discard();
        SupervisorReplyView reply = answer.reply();
        if (reply.hasRefused()) {
            throw refusal("list", reply.refused());
        }
        List<CellSummary> cells = new ArrayList<>();
        for (int i = 0; i < reply.cellsCount(); i++) {
            cells.add(SpawnSpecs.summary(reply.cells(i)));
        }
        return cells;
    }

    @Override
    public void kill(SessionId session, Epoch epoch) {
        KillCellBuilder kill = new KillCellBuilder().session(session.value()).epoch(epoch.value());
        Answer answer =
                supervisor.ask(SupervisorOp.KILL, new SupervisorRequestBuilder().kill(kill));
        answer.discard();
        if (answer.reply().hasRefused()) {
            SupervisorRefusedView refused = answer.reply().refused();
            switch (refused.code()) {
                case NOT_FOUND -> {
                    return;
                }
                case ENDED -> {}
                case STALE_EPOCH -> throw fenced(session, epoch);
                case MALFORMED, UNKNOWN_OP, VERSION, INVALID, EXISTS, BUSY, LEVEL, LAUNCH ->
                        throw refusal("kill", refused);
            }
        }
        forget(session);
    }

    /** Takes an ended cell off the supervisor's list; one that is not there is no fault. */
    private void forget(SessionId session) {
        ForgetCellBuilder forget = new ForgetCellBuilder().session(session.value());
        supervisor
                .ask(SupervisorOp.FORGET, new SupervisorRequestBuilder().forget(forget))
                .discard();
    }

    @Override
    public CellNetwork openNetwork(SessionId session, Epoch epoch) {
        OpenNetworkBuilder network =
                new OpenNetworkBuilder().session(session.value()).epoch(epoch.value());
        Answer answer =
                supervisor.ask(
                        SupervisorOp.NETWORK, new SupervisorRequestBuilder().network(network));
        if (answer.reply().hasRefused()) {
            answer.discard();
            SupervisorRefusedView refused = answer.reply().refused();
            throw switch (refused.code()) {
                case LEVEL -> CellException.notEnforced(refused.message() + ".");
                case STALE_EPOCH -> fenced(session, epoch);
                case MALFORMED,
                        UNKNOWN_OP,
                        VERSION,
                        INVALID,
                        NOT_FOUND,
                        EXISTS,
                        BUSY,
                        LAUNCH,
                        ENDED ->
                        refusal("connect", refused);
            };
        }
        return new NetworkLink(loop, prepared(answer));
    }

    @Override
    public int ready() {
        return (int) supervisor.greet().ready();
    }

    @Override
    public Enforced enforceable() {
        SupervisorHelloResultView hello = supervisor.hello();
        List<String> layers = new ArrayList<>();
        for (int i = 0; i < hello.layersCount(); i++) {
            layers.add(hello.layers(i).value());
        }
        List<String> missing = new ArrayList<>();
        for (int i = 0; i < hello.missingCount(); i++) {
            missing.add(hello.missing(i).value());
        }
        try {
            return new Enforced(Replies.level(hello.level()), hello.landlockAbi(), layers, missing);
        } catch (CodecException e) {
            throw CellException.protocol("The supervisor named no level", e);
        }
    }

    @Override
    public void endAll() {
        supervisor
                .ask(
                        SupervisorOp.SHUTDOWN,
                        new SupervisorRequestBuilder()
                                .shutdown(new SupervisorShutdownBuilder().killCells(true)))
                .discard();
    }

    @Override
    public void close() {
        links.forEach(CellLink::close);
        supervisor.close();
        loop.close();
    }
}
