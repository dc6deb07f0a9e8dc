package ai.hanzo.dev.host.service;

import ai.hanzo.dev.host.model.ProviderSettings;
import ai.hanzo.dev.host.op.Caller;
import ai.hanzo.dev.host.op.OpCode;
import ai.hanzo.dev.host.op.OpException;
import ai.hanzo.dev.host.session.LiveSessions;
import ai.hanzo.dev.ledger.Appended;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.NewEntry;
import ai.hanzo.dev.ledger.Payload;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.ledger.Store;
import ai.hanzo.dev.ledger.Tails;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.Note;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.wire.EventWire;
import ai.hanzo.dev.protocol.wire.NoteWire;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Puts sessions away and takes them up again. A session that is away is its rows and nothing else:
 * no lease, cell, thread, core or key. Safe for all threads.
 */
public final class Suspensions {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** How often the end of a loop of this host is looked for; it follows its last commit. */
    private static final long LOOK_MILLIS = 20;

    private final Store store;
    private final LiveSessions live;

    public Suspensions(Store store, LiveSessions live) {
        this.store = store;
        this.live = live;
    }

    /** Asks whoever owns the session to put it away, and waits until it is. */
    Session suspend(Caller caller, Session session) {
        if (session.state() == SessionState.SUSPENDED) {
            return session;
        }
        Semaphore news = new Semaphore(0);
        try (Tails.Subscription _ =
                store.tails().of(session.org(), session.id(), (_, _, _) -> news.release())) {
            Note note = new Note("suspend", "the session is to be put away", Map.of());
            Seq asked =
                    append(caller, session, EntryKind.SUSPEND, NoteWire.encode(note)).orElseThrow();
            live.ensure(session.org(), session.id());
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (true) {
                Session now = look(session);
                boolean eaten = now.consumed().compareTo(asked) >= 0;
                if (eaten && now.state() != SessionState.SUSPENDED) {
                    throw OpException.of(
                            OpCode.CONFLICT,
                            "Something is under way in session " + session.id() + ".",
                            "Wait for its end, or cancel the turn; then suspend it.");
                }
                if (eaten && live.leaseOf(session.id()).isEmpty()) {
                    return now;
                }
                if (System.nanoTime() > deadline) {
                    throw OpException.of(
                            OpCode.CONFLICT,
                            "Session " + session.id() + " has not been put away yet.",
                            "Look again in a moment.");
                }
                news.tryAcquire(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw OpException.of(OpCode.DRAINING, "The host is going down.", "Try again.");
        }
    }

    /** Goes on with it; {@code env} are provider variables, from the local principal only. */
    Session resume(Caller caller, Session session, Map<String, String> env) {
        if (!env.isEmpty() && !caller.local()) {
            throw OpException.of(
                    OpCode.LOCAL_ONLY,
                    "Provider variables are taken from the owner of this machine only.");
        }
        if (session.state() != SessionState.SUSPENDED) {
            return session;
        }
        if (!env.isEmpty()) {
            live.learn(session.id(), ProviderSettings.of(env));
        }
        append(caller, session, EntryKind.RESUME, EventWire.encode(new Event.Resume(0)));
        live.ensure(session.org(), session.id());
        return look(session);
    }

    private Session look(Session session) {
        return store.journal()
                .session(session.org(), session.id())
                .orElseThrow(() -> OpException.notFound("session", session.id().value()));
    }

    /** Where it was appended; empty if somebody resumed the session a moment before. */
    private Optional<Seq> append(Caller caller, Session session, EntryKind kind, Bytes payload) {
        Appended appended =
                store.ledger()
                        .append(
                                session.org(),
                                session.id(),
                                new NewEntry(
                                        kind,
                                        Optional.empty(),
                                        caller.name(),
                                        Optional.empty(),
                                        Payload.of(payload)));
        return switch (appended) {
            case Appended.Committed(var entry) -> Optional.of(entry.seq());
            case Appended.WorkspaceBusy(var holder) ->
                    throw OpException.workspaceBusy(
                            session.workspace().map(w -> w.path()).orElse(""), holder.value());
            case Appended.Closed(SessionState state) -> {
                if (state.isFinal() || kind.equals(EntryKind.SUSPEND)) {
                    throw OpException.of(
                            OpCode.SESSION_STOPPED,
                            "Session " + session.id() + " is " + state + ".",
                            "Start a new one.");
                }
                yield Optional.empty();
            }
            case Appended.NoSession _,
                    Appended.Duplicate _,
                    Appended.KeyReused _,
                    Appended.NotOpen _ ->
                    throw OpException.notFound("session", session.id().value());
        };
    }
}
