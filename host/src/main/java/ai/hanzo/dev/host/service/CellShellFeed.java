package ai.hanzo.dev.host.service;

import ai.hanzo.dev.host.op.ShellFeed;
import ai.hanzo.dev.host.op.v1.ShellExit;
import ai.hanzo.dev.sandbox.CellException;
import ai.hanzo.dev.sandbox.ExecOutcome;
import ai.hanzo.dev.sandbox.LiveProgram;
import ai.hanzo.dev.sandbox.LiveProgram.Heard;
import ai.hanzo.dev.sandbox.Reply;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** A shell in a cell, for one who follows it. One thread takes; any closes. */
final class CellShellFeed implements ShellFeed {
    private final LiveProgram program;
    private final Runnable whenClosed;
    private final AtomicBoolean closed = new AtomicBoolean();

    CellShellFeed(LiveProgram program, Runnable whenClosed) {
        this.program = program;
        this.whenClosed = whenClosed;
    }

    @Override
    public Optional<Item> next(Duration wait) throws InterruptedException {
        try {
            return program.next(wait).map(CellShellFeed::item);
        } catch (CellException e) {
            return Optional.of(
                    switch (e.code()) {
                        case INTERRUPTED -> throw new InterruptedException(e.getMessage());
                        case CLOSED, FENCED ->
                                new Item.Cut(closed.get() ? Reason.DRAINING : Reason.TAKEN);
                        case SUPERVISOR_GONE,
                                CELL_LOST,
                                PROTOCOL,
                                TIMEOUT,
                                NOT_ENFORCED,
                                REFUSED,
                                FULL,
                                UNSUPPORTED ->
                                new Item.Exit(without(String.valueOf(e.getMessage())));
                    });
        }
    }

    private static Item item(Heard heard) {
        return switch (heard) {
            case Heard.Printed(var _, long offset, var bytes) -> new Item.Output(offset, bytes);
            case Heard.Ended(Reply<ExecOutcome> reply) ->
                    new Item.Exit(
                            switch (reply) {
                                case Reply.Done<ExecOutcome>(ExecOutcome outcome) ->
                                        ShellExit.newBuilder().setExit(outcome.exit()).build();
                                case Reply.Refused<ExecOutcome>(var _, String message) ->
                                        without(message);
                            });
        };
    }

    private static ShellExit without(String message) {
        return ShellExit.newBuilder().setMessage(message).build();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            program.close();
            whenClosed.run();
        }
    }
}
