package ai.hanzo.dev.host.service;

import ai.hanzo.dev.host.op.OpCode;
import ai.hanzo.dev.host.op.OpException;
import ai.hanzo.dev.host.session.LiveSessions;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.NewEntry;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.Store;
import ai.hanzo.dev.ledger.Tails;
import ai.hanzo.dev.protocol.Note;
import ai.hanzo.dev.protocol.wire.NoteWire;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Ends sessions for good. Safe for all threads. */
public final class Endings {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Store store;
    private final LiveSessions live;

    public Endings(Store store, LiveSessions live) {
        this.store = store;
        this.live = live;
    }

    /** Asks whoever owns the session to end it, and waits until it has. */
    void stop(Session session) {
        if (session.state().isFinal()) {
            return;
        }
        Semaphore news = new Semaphore(0);
        try (Tails.Subscription _ =
                store.tails().of(session.org(), session.id(), (_, _, _) -> news.release())) {
            Note note = new Note("stop", "the session is to end", Map.of());
            store.ledger()
                    .append(
                            session.org(),
                            session.id(),
                            NewEntry.ofHost(
                                    EntryKind.STOP, Optional.empty(), NoteWire.encode(note)));
            live.ensure(session.org(), session.id());
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (!isOver(session)) {
                long left = deadline - System.nanoTime();
                if (left <= 0 || !news.tryAcquire(left, TimeUnit.NANOSECONDS)) {
                    throw OpException.of(
                            OpCode.CONFLICT,
                            "Session " + session.id() + " has not ended yet.",
                            "Look again in a moment: it will end.");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw OpException.of(OpCode.DRAINING, "The host is going down.", "Try again.");
        }
    }

    private boolean isOver(Session session) {
        return store.journal()
                .session(session.org(), session.id())
                .map(row -> row.state().isFinal())
                .orElse(true);
    }
}
