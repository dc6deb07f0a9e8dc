package ai.hanzo.dev.sandbox;

import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.zap.dev.CellReplyView;
import java.util.concurrent.CompletableFuture;

/** Starts programs in a leased cell, and finds those that run. Threads: any. */
final class LeasedPrograms {

    private final LeasedCell cell;
    private final CellLink link;
    private final CellsConfig config;

    LeasedPrograms(LeasedCell cell, CellLink link, CellsConfig config) {
        this.cell = cell;
        this.link = link;
        this.config = config;
    }

    LiveProgram spawn(ActionId id, SpawnRequest request) {
        Requests requests = cell.requests();
        CellPacket packet = requests.spawn(id, request);
        if (packet.isTooLarge() || !requests.toStage().isEmpty()) {
            Reply<ExecOutcome> refusal =
                    new Reply.Refused<>(
                            RefusalCode.TOO_LARGE,
                            "What a program reads first has at most %d bytes: send the rest as input."
                                    .formatted(cell.limits().chunkBytes()));
            return over(id, refusal);
        }
        Pushes pushes = link.pushes(id.value());
        pushes.allow(Requests.FIRST_CREDIT_BYTES);
        CompletableFuture<Reply<ExecOutcome>> outcome =
                link.send(packet, cell.epoch().value(), config.replyTimeout())
                        .thenApply(reply ->
                                cell.decoded(reply, LeasedCell.of(packet, ExecOutcome.class)));
        return new LeasedProgram(cell, id, pushes, outcome, () -> {}).follow(0, 0);
    }

    /** A program of which nothing more will come. */
    private LeasedProgram over(ActionId id, Reply<ExecOutcome> reply) {
        Pushes none = new Pushes();
        LeasedProgram program =
                new LeasedProgram(
                        cell, id, none, CompletableFuture.completedFuture(reply), () -> {});
        none.follow(program);
        return program;
    }

    LiveProgram attach(ActionId id, long stdoutSince, long stderrSince) {
        // Both before it is asked for: it may end in between.
        CompletableFuture<CellReplyView> watcher = link.watch(id.value());
        Pushes pushes = link.pushes(id.value());
        ActionStatus status = cell.status(id);
        if (!(status instanceof ActionStatus.Running)) {
            link.unwatch(id.value(), watcher);
            link.noPushes(id.value());
        }
        return switch (status) {
            case ActionStatus.Held(CellOutcome outcome) ->
                    over(id, new Reply.Done<>(LeasedCell.cast(outcome, ExecOutcome.class)))
                            .follow(stdoutSince, stderrSince);
            case ActionStatus.Unknown _, ActionStatus.Forgotten _ ->
                    over(id, LeasedCell.notRunning(id, status));
            case ActionStatus.Running _ -> {
                CompletableFuture<Reply<ExecOutcome>> outcome =
                        watcher.thenApply(reply ->
                                cell.decoded(
                                        reply,
                                        r ->
                                                LeasedCell.cast(
                                                        Replies.outcome(r), ExecOutcome.class)));
                yield new LeasedProgram(
                                cell, id, pushes, outcome, () -> link.unwatch(id.value(), watcher))
                        .follow(
                                atMostTotal(id, OutputStreamName.STDOUT, stdoutSince),
                                atMostTotal(id, OutputStreamName.STDERR, stderrSince));
            }
        };
    }

    /** No stream begins behind its end: a cell would begin at the end then. */
    private long atMostTotal(ActionId id, OutputStreamName stream, long since) {
        return switch (cell.output(id, stream, since, 1)) {
            case Reply.Done<OutputChunk>(OutputChunk chunk) -> Math.min(since, chunk.totalBytes());
            case Reply.Refused<OutputChunk> _ -> since;
        };
    }
}
