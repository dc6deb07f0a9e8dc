package ai.hanzo.dev.sandbox;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.zap.dev.CellCreditBuilder;
import ai.hanzo.dev.zap.dev.CellKillBuilder;
import ai.hanzo.dev.zap.dev.CellOp;
import ai.hanzo.dev.zap.dev.CellReplyView;
import ai.hanzo.dev.zap.dev.CellRequestBuilder;
import ai.hanzo.dev.zap.dev.CellWatchBuilder;
import ai.hanzo.dev.zap.dev.CellWatchResultView;
import java.time.Duration;
import java.util.Optional;

/** A watch behind a leased cell's pair. Threads: any; see {@link Watch}. */
final class LeasedWatch implements Watch {

    private final LeasedCell cell;
    private final CellLink link;
    private final long handle;
    private final Bytes path;
    private final boolean isDirectory;
    private final WatchPushes pushes;

    private LeasedWatch(LeasedCell cell, CellLink link, CellWatchResultView answer) {
        this.cell = cell;
        this.link = link;
        this.handle = answer.handle();
        this.path = Bytes.wrap(answer.path());
        this.isDirectory = answer.directory();
        this.pushes = link.watchPushes(handle);
    }

    /** The link opens the pushes when the answer comes, before what comes after it. */
    static Reply<Watch> open(LeasedCell cell, CellLink link, String path) {
        CellWatchBuilder watch = new CellWatchBuilder().path(cell.requests().relative(path));
        CellPacket packet = CellPacket.look(CellOp.WATCH, new CellRequestBuilder().watch(watch));
        return cell.ask(packet, reply -> new LeasedWatch(cell, link, Replies.watch(reply)));
    }

    @Override
    public Bytes path() {
        return path;
    }

    @Override
    public boolean isDirectory() {
        return isDirectory;
    }

    @Override
    public Optional<Changes> next(Duration atMost) {
        Optional<Changes> changes = pushes.take(atMost);
        if (changes.isPresent() && !changes.get().hasEnded()) {
            CellPacket more =
                    CellPacket.about(
                            CellOp.CREDIT,
                            handle,
                            new CellRequestBuilder().credit(new CellCreditBuilder().bytes(1)));
            // Refused: it was closed meanwhile, by another thread.
            Reply<Boolean> _ = cell.ask(more, (CellReplyView _) -> true);
        }
        return changes;
    }

    @Override
    public void close() {
        CellPacket end =
                CellPacket.about(
                        CellOp.KILL, handle, new CellRequestBuilder().kill(new CellKillBuilder()));
        try {
            // Refused: it has ended by itself.
            Reply<Boolean> _ = cell.ask(end, (CellReplyView _) -> true);
        } catch (CellException e) {
            // The lease is over, and with it all watches.
        }
        pushes.close();
        link.noWatch(handle);
    }
}
