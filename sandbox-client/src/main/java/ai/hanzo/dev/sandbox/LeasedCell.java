package ai.hanzo.dev.sandbox;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.zap.CodecException;
import ai.hanzo.dev.zap.dev.CellAckBuilder;
import ai.hanzo.dev.zap.dev.CellHelloResultView;
import ai.hanzo.dev.zap.dev.CellListBuilder;
import ai.hanzo.dev.zap.dev.CellOp;
import ai.hanzo.dev.zap.dev.CellOutputBuilder;
import ai.hanzo.dev.zap.dev.CellReadBuilder;
import ai.hanzo.dev.zap.dev.CellReplyView;
import ai.hanzo.dev.zap.dev.CellRequestBuilder;
import ai.hanzo.dev.zap.dev.CellStageResultView;
import ai.hanzo.dev.zap.dev.CellStatBuilder;
import ai.hanzo.dev.zap.dev.CellStreamName;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** A cell behind its pair. Threads: any. */
final class LeasedCell implements Cell {

    /** As the supervisor hands it over; CellHelloResult and SupervisorHello. */
    static final int PROTOCOL = 1;

    private final SessionId session;
    private final Epoch epoch;
    private final CellLink link;
    private final CellsConfig config;
    private final Incarnation incarnation;
    private final Enforced enforced;
    private final Limits limits;
    private final Path workspace;
    private final LeasedPrograms programs;

    private LeasedCell(LeaseSpec spec, CellLink link, CellsConfig config, CellReplyView first) {
        CellHelloResultView hello = first.hello();
        if (hello.protocol() != PROTOCOL) {
            throw CodecException.badValue("protocol " + hello.protocol());
        }
        if (hello.epoch() != spec.epoch().value()) {
            throw CodecException.badValue("a hello for epoch " + hello.epoch());
        }
        this.session = spec.session();
        this.epoch = spec.epoch();
        this.link = link;
        this.config = config;
        this.incarnation = Replies.incarnation(hello.incarnation());
        this.enforced = Replies.enforced(hello);
        this.limits = Replies.limits(hello);
        this.workspace = Path.of(hello.workspace());
        this.programs = new LeasedPrograms(this, link, config);
    }

    /** Waits for the daemon's hello: only then has the hand-over happened. */
    static LeasedCell greet(LeaseSpec spec, CellLink link, CellsConfig config) {
        CellReplyView first = link.hello(config.replyTimeout());
        try {
            LeasedCell cell = new LeasedCell(spec, link, config, first);
            link.open(cell.limits.requestsAtOnce());
            return cell;
        } catch (CodecException | IllegalArgumentException e) {
            throw link.fail(CellException.protocol("The cell's hello makes no sense", e)).again();
        }
    }

    @Override
    public SessionId session() {
        return session;
    }

    @Override
    public Epoch epoch() {
        return epoch;
    }

    @Override
    public Incarnation incarnation() {
        return incarnation;
    }

    @Override
    public Enforced enforced() {
        return enforced;
    }

    @Override
    public Limits limits() {
        return limits;
    }

    @Override
    public Path workspace() {
        return workspace;
    }

    @Override
    public Reply<ExecOutcome> exec(ActionId id, ExecRequest request) {
        Requests requests = requests();
        CellPacket packet = requests.exec(id, request);
        Duration atMost = request.effectiveTimeout().plus(config.execGrace());
        return effect(id, requests, packet, atMost, ExecOutcome.class);
    }

    @Override
    public LiveProgram spawn(ActionId id, SpawnRequest request) {
        return programs.spawn(id, request);
    }

    @Override
    public LiveProgram attach(ActionId id, long stdoutSince, long stderrSince) {
        return programs.attach(id, stdoutSince, stderrSince);
    }

    @Override
    public Reply<FileOutcome> write(ActionId id, WriteRequest request) {
        Requests requests = requests();
        return file(id, requests, requests.write(id, request));
    }

    @Override
    public Reply<FileOutcome> apply(ActionId id, List<FileChange> changes) {
        Requests requests = requests();
        return file(id, requests, requests.apply(id, changes));
    }

    @Override
    public Reply<FileOutcome> remove(ActionId id, String path, Expected expected) {
        Requests requests = requests();
        return file(id, requests, requests.remove(id, path, expected));
    }

    @Override
    public Reply<FileOutcome> rename(ActionId id, String path, String target, Expected expected) {
        Requests requests = requests();
        return file(id, requests, requests.rename(id, path, target, expected));
    }

    @Override
    public Reply<FileOutcome> mkdir(ActionId id, String path) {
        Requests requests = requests();
        return file(id, requests, requests.mkdir(id, path));
    }

    Requests requests() {
        return new Requests(workspace, limits.chunkBytes());
    }

    private Reply<FileOutcome> file(ActionId id, Requests requests, CellPacket packet) {
        return effect(id, requests, packet, config.replyTimeout(), FileOutcome.class);
    }

    private <T extends CellOutcome> Reply<T> effect(
            ActionId id, Requests requests, CellPacket packet, Duration atMost, Class<T> type) {
        if (packet.isTooLarge()) {
            return new Reply.Refused<>(
                    RefusalCode.TOO_LARGE,
                    ("The request has %d bytes without file contents, at most %d are possible:"
                                    + " give what is long by standard input or a file.")
                            .formatted(packet.sizeBytes(), limits.packetBytes()));
        }
        for (Requests.Staging staging : requests.toStage()) {
            Optional<Reply.Refused<T>> refusal = stage(id, staging);
            if (refusal.isPresent()) {
                return refusal.get();
            }
        }
        return ask(packet, atMost, of(packet, type));
    }

    /** Decodes the outcome of this very request. */
    static <T extends CellOutcome> Function<CellReplyView, T> of(CellPacket packet, Class<T> type) {
        return reply -> {
            Bytes digest = Bytes.wrap(reply.outcome().digest());
            if (!packet.digest().equals(Optional.of(digest))) {
                throw CodecException.badValue("the outcome of another request");
            }
            return cast(Replies.outcome(reply), type);
        };
    }

    static <T extends CellOutcome> T cast(CellOutcome outcome, Class<T> type) {
        if (!type.isInstance(outcome)) {
            throw CodecException.badValue("the outcome of another kind of request");
        }
        return type.cast(outcome);
    }

    private <T> Optional<Reply.Refused<T>> stage(ActionId id, Requests.Staging staging) {
        Bytes content = staging.content();
        if (content.length() > limits.keptBytes()) {
            return Optional.of(
                    new Reply.Refused<>(
                            RefusalCode.TOO_LARGE,
                            "%d bytes are too many for one request, at most %d are possible."
                                    .formatted(content.length(), limits.keptBytes())));
        }
        int offset = 0;
        boolean isComplete = false;
        while (offset < content.length() && !isComplete) {
            int length = Math.min(limits.chunkBytes(), content.length() - offset);
            Reply<Boolean> reply =
                    ask(
                            Requests.stage(id, staging, offset, length),
                            config.replyTimeout(),
                            LeasedCell::isStaged);
            switch (reply) {
                case Reply.Refused<Boolean> refused -> {
                    return Optional.of(refused.as());
                }
                case Reply.Done<Boolean>(Boolean done) -> isComplete = done;
            }
            offset += length;
        }
        return Optional.empty();
    }

    private static boolean isStaged(CellReplyView reply) {
        if (!reply.hasStage()) {
            throw CodecException.badValue("no word of what is staged");
        }
        CellStageResultView stage = reply.stage();
        return stage.complete();
    }

    @Override
    public Reply<FileContent> read(String path, long offset, int length) {
        return ask(
                readRequest(path, offset, length, /* wholeDigest= */ false),
                config.replyTimeout(),
                Replies::content);
    }

    private CellPacket readRequest(String path, long offset, int length, boolean wholeDigest) {
        CellReadBuilder read =
                new CellReadBuilder()
                        .path(requests().relative(path))
                        .offset(offset)
                        .length(length)
                        .wholeDigest(wholeDigest);
        return CellPacket.look(CellOp.READ, new CellRequestBuilder().read(read));
    }

    /** One piece of a file and the digest of the whole at that moment. */
    private record Piece(FileContent content, Sha256 whole) {}

    @Override
    public Reply<WholeFile> readWhole(String path, int atMostBytes) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        Optional<Piece> first = Optional.empty();
        while (true) {
            int length = Math.min(limits.chunkBytes(), atMostBytes - content.size() + 1);
            Reply<Piece> reply = readPiece(path, content.size(), length, first.isEmpty());
            switch (reply) {
                case Reply.Refused<Piece> refused -> {
                    return refused.as();
                }
                case Reply.Done<Piece>(Piece piece) -> {
                    first = first.or(() -> Optional.of(piece));
                    content.writeBytes(piece.content.content().toArray());
                    if (piece.content.sizeBytes() > atMostBytes || content.size() > atMostBytes) {
                        return new Reply.Refused<>(
                                RefusalCode.TOO_LARGE,
                                "%s has %d bytes, at most %d can be handled as a whole."
                                        .formatted(path, piece.content.sizeBytes(), atMostBytes));
                    }
                    if (content.size() >= piece.content.sizeBytes()
                            || piece.content.content().isEmpty()) {
                        return whole(path, Bytes.wrap(content.toByteArray()), first.get());
                    }
                }
            }
        }
    }

    private Reply<Piece> readPiece(String path, long offset, int length, boolean isFirst) {
        return ask(
                readRequest(path, offset, length, isFirst),
                config.replyTimeout(),
                reply ->
                        new Piece(
                                Replies.content(reply),
                                new Sha256(Bytes.wrap(Replies.read(reply).digest()))));
    }

    private static Reply<WholeFile> whole(String path, Bytes content, Piece first) {
        if (!Sha256.of(content).equals(first.whole)) {
            return new Reply.Refused<>(
                    RefusalCode.CONFLICT, path + " was changed while it was read: read it again.");
        }
        return new Reply.Done<>(new WholeFile(content, first.whole, first.content.mode()));
    }

    @Override
    public Reply<FileStat> stat(String path) {
        CellStatBuilder stat = new CellStatBuilder().path(requests().relative(path));
        CellPacket packet = CellPacket.look(CellOp.STAT, new CellRequestBuilder().stat(stat));
        return ask(packet, config.replyTimeout(), Replies::stat);
    }

    @Override
    public Reply<DirectoryPage> list(String path, int offset, int limit) {
        CellListBuilder list =
                new CellListBuilder().path(requests().relative(path)).offset(offset).limit(limit);
        CellPacket packet = CellPacket.look(CellOp.LIST, new CellRequestBuilder().list(list));
        return ask(packet, config.replyTimeout(), Replies::page);
    }

    @Override
    public Reply<SearchResult> search(SearchRequest request) {
        CellPacket packet = requests().search(request);
        if (packet.isTooLarge()) {
            return new Reply.Refused<>(RefusalCode.TOO_LARGE, "What is searched for is too long.");
        }
        Duration atMost = request.effectiveTimeout().plus(config.execGrace());
        return ask(packet, atMost, Replies::search);
    }

    @Override
    public Reply<Watch> watch(String path) {
        return LeasedWatch.open(this, link, path);
    }

    @Override
    public Reply<OutputChunk> output(
            ActionId id, OutputStreamName stream, long offset, int length) {
        CellOutputBuilder output =
                new CellOutputBuilder()
                        .stream(
                                        switch (stream) {
                                            case STDOUT -> CellStreamName.STDOUT;
                                            case STDERR -> CellStreamName.STDERR;
                                        })
                                .offset(offset)
                                .length(length);
        CellPacket packet =
                CellPacket.about(CellOp.OUTPUT, id, new CellRequestBuilder().output(output));
        return ask(packet, config.replyTimeout(), Replies::output);
    }

    @Override
    public ActionStatus status(ActionId id) {
        return status(id, config.replyTimeout());
    }

    private ActionStatus status(ActionId id, Duration atMost) {
        CellPacket packet = CellPacket.about(CellOp.STATUS, id, new CellRequestBuilder());
        return expectDone(ask(packet, atMost, Replies::status));
    }

    @Override
    public Reply<CellOutcome> await(ActionId id, Duration atMost) {
        // Watched before it is asked for: the outcome may come in between.
        CompletableFuture<CellReplyView> watcher = link.watch(id.value());
        try {
            return switch (status(id, config.replyTimeout())) {
                case ActionStatus.Held(CellOutcome outcome) -> new Reply.Done<>(outcome);
                case ActionStatus.Unknown unknown -> notRunning(id, unknown);
                case ActionStatus.Forgotten forgotten -> notRunning(id, forgotten);
                case ActionStatus.Running _ ->
                        decoded(Futures.get(watcher, atMost, "Action " + id), Replies::outcome);
            };
        } finally {
            link.unwatch(id.value(), watcher);
        }
    }

    static <T> Reply<T> notRunning(ActionId id, ActionStatus status) {
        return status instanceof ActionStatus.Forgotten
                ? new Reply.Refused<>(
                        RefusalCode.ID_SPENT, "Action " + id + " was settled earlier.")
                : new Reply.Refused<>(
                        RefusalCode.NOT_RUNNING, "Action " + id + " never ran in this cell.");
    }

    @Override
    public void ack(ActionId... ids) {
        if (ids.length == 0) {
            return;
        }
        long[] numbers = Arrays.stream(ids).mapToLong(ActionId::value).toArray();
        CellAckBuilder ack = new CellAckBuilder().actions(numbers);
        CellPacket packet = CellPacket.about(CellOp.ACK, ids[0], new CellRequestBuilder().ack(ack));
        expectDone(ask(packet, config.replyTimeout(), _ -> true));
    }

    @Override
    public void lowWater(ActionId id) {
        link.raiseLowWater(id.value());
    }

    @Override
    public void cancel(ActionId id) {
        CellPacket packet = CellPacket.about(CellOp.CANCEL, id, new CellRequestBuilder());
        Reply<Boolean> reply = ask(packet, config.replyTimeout(), _ -> true);
        if (reply instanceof Reply.Refused<Boolean>(RefusalCode code, _)
                && code == RefusalCode.NOT_RUNNING) {
            return;
        }
        expectDone(reply);
    }

    /** For requests that a cell that keeps to the protocol has no reason to refuse. */
    private static <T> T expectDone(Reply<T> reply) {
        return switch (reply) {
            case Reply.Done<T>(T value) -> value;
            case Reply.Refused<T>(RefusalCode code, String message) ->
                    throw CellException.refused(
                            "The cell refused (%s): %s".formatted(code, message));
        };
    }

    /** Asks for what needs no command to run. */
    <T> Reply<T> ask(CellPacket packet, Function<CellReplyView, T> decode) {
        return ask(packet, config.replyTimeout(), decode);
    }

    /** The same, and runs this between the answer and what the cell sends after it. */
    Reply<Boolean> ask(CellPacket packet, Runnable onAnswer) {
        return decoded(
                link.call(packet, epoch.value(), config.replyTimeout(), onAnswer), _ -> true);
    }

    private <T> Reply<T> ask(
            CellPacket packet, Duration atMost, Function<CellReplyView, T> decode) {
        return decoded(link.call(packet, epoch.value(), atMost), decode);
    }

    <T> Reply<T> decoded(CellReplyView reply, Function<CellReplyView, T> decode) {
        try {
            return switch (reply.kind()) {
                case OUTCOME, RESULT -> new Reply.Done<>(decode.apply(reply));
                case REFUSED -> {
                    if (Replies.isStale(reply)) {
                        throw link.fail(fenced()).again();
                    }
                    yield Replies.refused(reply);
                }
                case PUSH -> throw CodecException.badValue("a push in the place of an answer");
            };
        } catch (CodecException | IllegalArgumentException e) {
            throw link.fail(
                            CellException.protocol(
                                    "The cell's answer makes no sense, so it was let go: what was"
                                            + " in flight is in doubt",
                                    e))
                    .again();
        }
    }

    private CellException fenced() {
        return CellException.fenced(
                "Another host holds the cell of %s by now (epoch above %s)"
                        .formatted(session, epoch));
    }

    @Override
    public Optional<CellException> awaitEnd(Duration atMost) {
        try {
            return Optional.of(link.end().get(atMost.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            throw CellException.interrupted("The watch over the cell");
        } catch (java.util.concurrent.ExecutionException e) {
            throw new IllegalStateException("the end of a lease is a value", e);
        }
    }

    @Override
    public boolean isOver() {
        return link.end().isDone();
    }

    @Override
    public void close() {
        link.close();
    }
}
