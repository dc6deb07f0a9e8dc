package ai.hanzo.dev.host.service;

import ai.hanzo.dev.host.op.Caller;
import ai.hanzo.dev.host.session.CellRoom;
import ai.hanzo.dev.host.session.LiveSessions.Visit;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.IdempotencyKey;
import ai.hanzo.dev.ledger.LedgerException;
import ai.hanzo.dev.ledger.NewEntry;
import ai.hanzo.dev.ledger.Payload;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.Store;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Note;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.wire.NoteWire;
import ai.hanzo.dev.sandbox.Cell;
import ai.hanzo.dev.sandbox.CellException;
import ai.hanzo.dev.sandbox.CellOutcome;
import ai.hanzo.dev.sandbox.ExecOutcome;
import ai.hanzo.dev.sandbox.FileOutcome;
import ai.hanzo.dev.sandbox.Reply;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down that a shell began and ended. Each shell that this host knows of has a virtual thread
 * that waits for its end; one that ends while no host follows it is missed. Safe for all threads.
 */
public final class ShellEnds {
    private static final Logger log = LoggerFactory.getLogger(ShellEnds.class);
    private static final String TOPIC = "shell";
    private static final Duration FOREVER = Duration.ofDays(365);

    /** Of a session, whose ends can still be asked for: cells hold each with two descriptors. */
    private static final int HELD = 8;

    private final Store store;
    private final Set<ActionId> watched = ConcurrentHashMap.newKeySet();
    private final Map<SessionId, Deque<ActionId>> ended = new ConcurrentHashMap<>();

    public ShellEnds(Store store) {
        this.store = store;
    }

    /** Before it does. */
    void begins(Session session, Caller caller, ActionId id, List<String> argv) {
        Map<String, String> facts = facts(id);
        if (!argv.isEmpty()) {
            facts.put("argv", String.join(" ", argv));
        }
        note(
                session,
                caller.name(),
                "begin",
                new Note(TOPIC, "a person opened shell " + ShellIds.text(id), facts));
    }

    /** Waits for the end of a shell that runs in this cell, unless somebody does, and keeps it. */
    void watch(Session session, Visit visit, ActionId id) {
        if (watched.add(id)) {
            CellRoom.Hold hold = visit.longer().get();
            Thread.ofVirtual()
                    .name("shell-" + ShellIds.text(id))
                    .start(() -> {
                        try (hold) {
                            await(session, visit.cell(), id);
                        } catch (LedgerException e) {
                            log.atWarn()
                                    .addKeyValue("session", session.id())
                                    .addKeyValue("code", e.code())
                                    .log("the end of a shell was not recorded");
                        } finally {
                            watched.remove(id);
                        }
                    });
        }
    }

    private void await(Session session, Cell cell, ActionId id) {
        if (isKnown(session, id)) {
            return;
        }
        Optional<String> how = how(cell, id);
        if (how.isEmpty()) {
            return;
        }
        remember(session, cell, id);
        Note note = new Note(TOPIC, "a shell ended: " + how.get(), facts(id));
        note(session, NewEntry.HOST, "end", note);
    }

    /** How it ended; empty when this host has lost sight of it. */
    private static Optional<String> how(Cell cell, ActionId id) {
        try {
            return switch (cell.await(id, FOREVER)) {
                case Reply.Done<CellOutcome>(CellOutcome outcome) ->
                        Optional.of(
                                switch (outcome) {
                                    case ExecOutcome exec -> how(exec);
                                    case FileOutcome _ ->
                                            throw new IllegalStateException("a shell of files");
                                });
                case Reply.Refused<CellOutcome> _ -> Optional.empty();
            };
        } catch (CellException e) {
            return switch (e.code()) {
                case CELL_LOST, SUPERVISOR_GONE -> Optional.of("its sandbox ended");
                case FENCED,
                        PROTOCOL,
                        TIMEOUT,
                        NOT_ENFORCED,
                        REFUSED,
                        FULL,
                        INTERRUPTED,
                        CLOSED,
                        UNSUPPORTED ->
                        Optional.empty();
            };
        }
    }

    private static String how(ExecOutcome exec) {
        return exec.end() == ExecOutcome.End.ENDED ? "exit " + exec.exit() : "it was ended";
    }

    private boolean isKnown(Session session, ActionId id) {
        Deque<ActionId> ids = ended.computeIfAbsent(session.id(), _ -> new ArrayDeque<>());
        synchronized (ids) {
            return ids.contains(id);
        }
    }

    private void remember(Session session, Cell cell, ActionId id) {
        Deque<ActionId> ids = ended.computeIfAbsent(session.id(), _ -> new ArrayDeque<>());
        Optional<ActionId> oldest = Optional.empty();
        synchronized (ids) {
            ids.add(id);
            if (ids.size() > HELD) {
                oldest = Optional.of(ids.remove());
            }
        }
        try {
            oldest.ifPresent(cell::ack);
        } catch (CellException e) {
            log.atDebug().setCause(e).log("not acknowledged");
        }
    }

    private static Map<String, String> facts(ActionId id) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("shell", ShellIds.text(id));
        return facts;
    }

    /** Once, also when the next host hears of the same end. */
    private void note(Session session, String who, String what, Note note) {
        Bytes payload = NoteWire.encode(note);
        String key = what + "-" + note.fact("shell").orElse("");
        store.ledger()
                .append(
                        session.org(),
                        session.id(),
                        new NewEntry(
                                EntryKind.NOTE,
                                Optional.empty(),
                                who,
                                Optional.of(new IdempotencyKey(key, Sha256.of(payload))),
                                Payload.of(payload)));
    }
}
