package ai.hanzo.dev.sandbox;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.zap.dev.CellCreditBuilder;
import ai.hanzo.dev.zap.dev.CellInputBuilder;
import ai.hanzo.dev.zap.dev.CellKillBuilder;
import ai.hanzo.dev.zap.dev.CellOp;
import ai.hanzo.dev.zap.dev.CellReplyView;
import ai.hanzo.dev.zap.dev.CellRequestBuilder;
import ai.hanzo.dev.zap.dev.CellResizeBuilder;
import ai.hanzo.dev.zap.dev.CellStreamName;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/** A program behind a leased cell's pair. Threads: any; see {@link LiveProgram}. */
final class LeasedProgram implements LiveProgram {

    /** CellCredit.has. */
    private static final long HAS_SINCE = 1;

    private final LeasedCell cell;
    private final ActionId id;
    private final Pushes pushes;
    private final CompletableFuture<Reply<ExecOutcome>> outcome;
    private final Runnable whenClosed;

    LeasedProgram(
            LeasedCell cell,
            ActionId id,
            Pushes pushes,
            CompletableFuture<Reply<ExecOutcome>> outcome,
            Runnable whenClosed) {
        this.cell = cell;
        this.whenClosed = whenClosed;
        this.id = id;
        this.pushes = pushes;
        this.outcome = outcome;
        Future<?> _ = outcome.whenComplete((_, _) -> pushes.wake());
    }

    /** Begins to follow at these offsets. */
    LeasedProgram follow(long stdout, long stderr) {
        pushes.follow(this);
        begin(OutputStreamName.STDOUT, stdout);
        begin(OutputStreamName.STDERR, stderr);
        return this;
    }

    /** At no moment nobody follows: the program would run on then, and what it prints pile up. */
    private void begin(OutputStreamName stream, long since) {
        pushes.talk().lock();
        try {
            restart(stream, since, outcome.isDone() ? 0 : Pushes.WINDOW_BYTES);
        } finally {
            pushes.talk().unlock();
        }
    }

    /**
     * A place to begin, and all the credit there is from then on; with none, nobody follows the
     * stream. Pushes that were under way are told from new ones by the answer between them.
     */
    private void restart(OutputStreamName stream, long since, int bytes) {
        CellCreditBuilder credit = credit(stream, bytes).has(HAS_SINCE).since(since);
        Reply<Boolean> reply = cell.ask(about(credit), () -> pushes.begin(stream, since, bytes));
        switch (reply) {
            case Reply.Done<Boolean> _ -> {}
            // It is over by now: what is left is pulled from there.
            case Reply.Refused<Boolean> _ -> pushes.begin(stream, since, 0);
        }
    }

    private void grant(OutputStreamName stream) {
        pushes.talk().lock();
        try {
            int bytes = outcome.isDone() || !pushes.isFollowedBy(this) ? 0 : pushes.credit(stream);
            if (bytes > 0) {
                Reply<Boolean> _ = cell.ask(about(credit(stream, bytes)), () -> {});
            }
        } finally {
            pushes.talk().unlock();
        }
    }

    private static CellCreditBuilder credit(OutputStreamName stream, int bytes) {
        CellStreamName name =
                switch (stream) {
                    case STDOUT -> CellStreamName.STDOUT;
                    case STDERR -> CellStreamName.STDERR;
                };
        return new CellCreditBuilder().stream(name).bytes(bytes);
    }

    private CellPacket about(CellCreditBuilder credit) {
        return CellPacket.about(CellOp.CREDIT, id, new CellRequestBuilder().credit(credit));
    }

    @Override
    public ActionId id() {
        return id;
    }

    @Override
    public Optional<Heard> next(Duration atMost) {
        Optional<Heard.Printed> piece = take(atMost);
        if (piece.isPresent()) {
            grant(piece.get().stream());
            return Optional.of(piece.get());
        }
        if (!outcome.isDone()) {
            return Optional.empty();
        }
        Reply<ExecOutcome> reply = Futures.get(outcome, Duration.ZERO, "The program");
        if (reply instanceof Reply.Done<ExecOutcome>(ExecOutcome ended)) {
            Optional<Heard> rest =
                    rest(OutputStreamName.STDOUT, ended.stdout())
                            .or(() -> rest(OutputStreamName.STDERR, ended.stderr()));
            if (rest.isPresent()) {
                return rest;
            }
        }
        return Optional.of(new Heard.Ended(reply));
    }

    private Optional<Heard.Printed> take(Duration atMost) {
        try {
            Optional<Heard.Printed> piece =
                    pushes.take(atMost, () -> outcome.isDone() || !pushes.isFollowedBy(this));
            if (!pushes.isFollowedBy(this)) {
                throw CellException.closed("This view of program " + id);
            }
            return piece;
        } catch (InterruptedException e) {
            throw CellException.interrupted("The wait for a program");
        }
    }

    /** What had no credit when it ended: from what is kept, or the tail that came with the end. */
    private Optional<Heard> rest(OutputStreamName stream, CapturedOutput captured) {
        long from = pushes.next(stream);
        if (from >= captured.totalBytes()) {
            return Optional.empty();
        }
        Bytes bytes = pulled(stream, from, captured);
        long offset = from;
        if (bytes.isEmpty()) {
            Bytes last = captured.tail().isEmpty() ? captured.head() : captured.tail();
            offset = Math.max(from, captured.totalBytes() - last.length());
            int skip = (int) (offset - (captured.totalBytes() - last.length()));
            bytes = last.slice(skip, last.length());
        }
        pushes.skip(stream, bytes.isEmpty() ? captured.totalBytes() : offset + bytes.length());
        return bytes.isEmpty()
                ? Optional.empty()
                : Optional.of(new Heard.Printed(stream, offset, bytes));
    }

    private Bytes pulled(OutputStreamName stream, long from, CapturedOutput captured) {
        if (from >= captured.keptBytes()) {
            return Bytes.empty();
        }
        return switch (cell.output(id, stream, from, cell.limits().chunkBytes())) {
            case Reply.Done<OutputChunk>(OutputChunk chunk) -> chunk.content();
            case Reply.Refused<OutputChunk> _ -> Bytes.empty();
        };
    }

    @Override
    public Reply<Long> input(long offset, Bytes bytes) {
        return input(new CellInputBuilder().offset(offset).data(bytes.toArray()));
    }

    @Override
    public Reply<Long> endInput(long offset) {
        return input(new CellInputBuilder().offset(offset).close(true));
    }

    private Reply<Long> input(CellInputBuilder input) {
        CellPacket packet =
                CellPacket.about(CellOp.INPUT, id, new CellRequestBuilder().input(input));
        return cell.ask(packet, Replies::accepted);
    }

    @Override
    public Reply<Boolean> resize(int columns, int rows) {
        CellResizeBuilder resize = new CellResizeBuilder().cols(columns).rows(rows);
        return cell.ask(
                CellPacket.about(CellOp.RESIZE, id, new CellRequestBuilder().resize(resize)),
                (CellReplyView _) -> true);
    }

    @Override
    public Reply<Boolean> signal(int signal) {
        if (signal < 1 || signal > 64) {
            throw new IllegalArgumentException("signal is not within 1 and 64: " + signal);
        }
        CellKillBuilder kill = new CellKillBuilder().signal(signal);
        return cell.ask(
                CellPacket.about(CellOp.KILL, id, new CellRequestBuilder().kill(kill)),
                (CellReplyView _) -> true);
    }

    @Override
    public void close() {
        whenClosed.run();
        pushes.talk().lock();
        try {
            if (!pushes.isFollowedBy(this)) {
                return;
            }
            pushes.follow(null);
            if (!outcome.isDone()) {
                restart(OutputStreamName.STDOUT, pushes.next(OutputStreamName.STDOUT), 0);
                restart(OutputStreamName.STDERR, pushes.next(OutputStreamName.STDERR), 0);
            }
        } catch (CellException e) {
            // The lease is over, and with it all credit.
        } finally {
            pushes.talk().unlock();
        }
    }
}
