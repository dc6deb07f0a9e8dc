package ai.hanzo.dev.host.service;

import ai.hanzo.dev.host.core.CoreDigest;
import ai.hanzo.dev.host.core.CoreException;
import ai.hanzo.dev.host.core.Cores;
import ai.hanzo.dev.host.core.SnapshotSeal;
import ai.hanzo.dev.host.op.Caller;
import ai.hanzo.dev.host.op.OpCode;
import ai.hanzo.dev.host.op.OpException;
import ai.hanzo.dev.host.op.v1.ForkRequest;
import ai.hanzo.dev.host.secret.SecretException;
import ai.hanzo.dev.host.secret.Vaults;
import ai.hanzo.dev.host.session.CoreHistory;
import ai.hanzo.dev.host.session.SessionParts;
import ai.hanzo.dev.host.session.SessionSetup;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.IdempotencyKey;
import ai.hanzo.dev.ledger.NewEntry;
import ai.hanzo.dev.ledger.NewFork;
import ai.hanzo.dev.ledger.Opened;
import ai.hanzo.dev.ledger.Sealed;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.Snapshot;
import ai.hanzo.dev.ledger.Store;
import ai.hanzo.dev.protocol.Note;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.id.TurnId;
import ai.hanzo.dev.protocol.id.Uuid7;
import ai.hanzo.dev.protocol.wire.ActionWire;
import ai.hanzo.dev.protocol.wire.NoteWire;
import ai.hanzo.dev.workspace.Checkpoints;
import ai.hanzo.dev.workspace.SnapshotId;
import ai.hanzo.dev.workspace.Workspace;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Begins sessions where others were: a copy of the journal up to a place of rest, the core by
 * replay, the workspace out of its checkpoint. The other session and its workspace are only read.
 * Safe for all threads.
 */
public final class Forks {
    private static final int PAGE = 500;

    /** After its configuration a journal says where the session works. */
    private static final Seq FIRST_SETUP = new Seq(2);

    private final Store store;
    private final Cores cores;
    private final SessionParts.SealFinder seals;
    private final Checkpoints checkpoints;
    private final Copies copies;
    private final Vaults vaults;
    private final Uuid7 ids;

    /** With what is kept of sessions. */
    public Forks(Store store, Cores cores, SessionParts.SealFinder seals, Kept kept, Uuid7 ids) {
        this.store = store;
        this.cores = cores;
        this.seals = seals;
        this.checkpoints = kept.checkpoints();
        this.copies = kept.copies();
        this.vaults = kept.vaults();
        this.ids = ids;
    }

    /** Where workspaces and bodies are. */
    public record Kept(Checkpoints checkpoints, Copies copies, Vaults vaults) {}

    /**
     * A place at which no turn was under way.
     *
     * @param consumed the last input up to there; 0 before the first turn, when the core has eaten
     *     nothing
     */
    private record Rest(Seq at, Seq consumed) {}

    Session fork(Caller caller, Session session, ForkRequest request) {
        Copies.checkOwner(caller);
        Optional<IdempotencyKey> key =
                RequestKeys.of(request.hasIdempotencyKey(), request.getIdempotencyKey(), request);
        Optional<Opened> before =
                key.flatMap(
                        given -> store.ledger().openedBefore(session.org(), caller.name(), given));
        if (before.isPresent()) {
            return made(before.get(), request);
        }
        Seq wanted =
                request.hasTo()
                        ? new Seq(Math.min(to(request), session.lastSeq().value()))
                        : session.lastSeq();
        Rest rest = rest(session, wanted);
        CoreHistory history = CoreHistory.of(store.journal(), session).upTo(rest.at());
        Optional<Snapshot> snapshot =
                rest.consumed().value() == 0
                        ? Optional.empty()
                        : Optional.of(core(session, history, rest));
        Workspace copy = copy(session, rest, Copies.path(request.getPath()));
        return made(
                store.ledger()
                        .fork(
                                row(
                                        caller,
                                        session,
                                        rest,
                                        new Begins(copy, history.last(), snapshot),
                                        key)),
                request);
    }

    private static int to(ForkRequest request) {
        if (request.getTo() < 0) {
            throw OpException.invalid("to", "is 0 or more");
        }
        return request.getTo();
    }

    private static Session made(Opened opened, ForkRequest request) {
        return switch (opened) {
            case Opened.Created(Session made, var _) -> made;
            case Opened.Existing(Session made) -> made;
            case Opened.KeyReused _ -> throw OpException.keyReused(request.getIdempotencyKey());
            case Opened.WorkspaceBusy(var holder) ->
                    throw OpException.workspaceBusy(request.getPath(), holder.value());
        };
    }

    /** The last place at or before {@code wanted} at which no turn was under way. */
    private Rest rest(Session session, Seq wanted) {
        Set<TurnId> open = new HashSet<>();
        Rest rest = new Rest(new Seq(0), new Seq(0));
        Seq lastInput = new Seq(0);
        boolean begun = false;
        Seq at = new Seq(0);
        while (at.compareTo(wanted) < 0) {
            List<Entry> page = store.journal().entries(session.org(), session.id(), at, PAGE);
            for (Entry entry : page) {
                if (entry.seq().compareTo(wanted) > 0) {
                    break;
                }
                at = entry.seq();
                if (entry.kind().isInput()) {
                    lastInput = at;
                }
                if (entry.kind().equals(EntryKind.TURN)) {
                    begun = true;
                    entry.turn().ifPresent(open::add);
                }
                if (entry.kind().equals(EntryKind.ACTION)
                        && ActionWire.decode(entry.payload()).op() instanceof Op.Done done) {
                    open.remove(done.turn());
                }
                boolean isEaten = lastInput.compareTo(session.consumed()) <= 0;
                if (open.isEmpty() && (!begun || isEaten)) {
                    rest = new Rest(at, begun ? lastInput : new Seq(0));
                }
            }
            if (page.size() < PAGE) {
                break;
            }
        }
        if (rest.at().compareTo(FIRST_SETUP) < 0) {
            throw OpException.invalid("to", "is before the session began");
        }
        return rest;
    }

    /** In the copy: the entry that says where it works. */
    private static Seq setupAt(Session session, Rest rest) {
        return session.setup().compareTo(rest.at()) <= 0 ? session.setup() : FIRST_SETUP;
    }

    private Snapshot core(Session session, CoreHistory history, Rest rest) {
        try (Replay replay = new Replay(cores, history, rest.consumed())) {
            Seq at = new Seq(0);
            while (at.compareTo(rest.at()) < 0) {
                for (Entry entry : store.journal().entries(session.org(), session.id(), at, PAGE)) {
                    if (entry.seq().compareTo(rest.at()) > 0) {
                        break;
                    }
                    at = entry.seq();
                    if (!replay.agrees(entry)) {
                        throw differs(session, at);
                    }
                }
            }
            if (replay.lacksAnAction()) {
                throw differs(session, rest.at());
            }
            return replay.snapshot().orElseThrow();
        } catch (CoreException e) {
            throw OpException.of(OpCode.CONFLICT, String.valueOf(e.getMessage()));
        }
    }

    private static OpException differs(Session session, Seq seq) {
        return OpException.of(
                OpCode.CONFLICT,
                "Entry " + seq + " is not what the core makes of those before it.",
                "Run hanzo dev verify " + session.id() + ".");
    }

    /** The workspace as it was at the place of rest, in a directory of its own. */
    private Workspace copy(Session session, Rest rest, Path path) {
        SnapshotId source =
                Marks.of(store.journal(), session)
                        .at(rest.at())
                        .map(Marks.Mark::snapshot)
                        .orElseGet(() -> checkpoints.take(original(session)).id());
        return copies.fill(path, source);
    }

    private Workspace original(Session session) {
        return session.workspace()
                .map(kept -> copies.admitted(Path.of(kept.path())))
                .orElseThrow(() ->
                        OpException.of(
                                OpCode.CONFLICT, "Session " + session.id() + " has no workspace."));
    }

    /** What a copy begins with. */
    private record Begins(Workspace workspace, CoreDigest core, Optional<Snapshot> snapshot) {}

    private NewFork row(
            Caller caller,
            Session session,
            Rest rest,
            Begins begins,
            Optional<IdempotencyKey> key) {
        Workspace copy = begins.workspace();
        SessionId made = SessionId.next(ids);
        var kept = session.workspace().orElseThrow();
        Entry setup =
                store.journal().entry(session.org(), session.id(), session.setup()).orElseThrow();
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("origin", session.id().value());
        facts.put("at", rest.at().toString());
        Note note = new Note("fork", "as " + session.id() + " was at entry " + rest.at(), facts);
        return new NewFork(
                session.org(),
                session.id(),
                rest.at(),
                rest.consumed(),
                made,
                Sha256.parse(begins.core().hex()),
                new ai.hanzo.dev.ledger.Workspace(
                        copy.path().toString(),
                        kept.machine(),
                        copy.device(),
                        copy.inode(),
                        kept.access()),
                caller.name(),
                key,
                setupAt(session, rest),
                SessionSetup.moved(NoteWire.decode(setup.payload()), copy.path().toString()),
                begins.snapshot().map(state -> sealed(session.org(), made, state)),
                NewEntry.ofHost(EntryKind.NOTE, Optional.empty(), NoteWire.encode(note))
                        .with(bodies(session, rest, setup, made)));
    }

    /** The bodies that the copied entries name, sealed for the copy. */
    private Sealed bodies(Session session, Rest rest, Entry setup, SessionId made) {
        Set<Sha256> names = new LinkedHashSet<>(StoredFiles.of(setup).bodies());
        Seq at = new Seq(0);
        while (at.compareTo(rest.at()) < 0) {
            List<Entry> page = store.journal().entries(session.org(), session.id(), at, PAGE);
            for (Entry entry : page) {
                at = entry.seq();
                if (at.compareTo(rest.at()) <= 0) {
                    names.addAll(StoredFiles.of(entry).bodies());
                }
            }
            if (page.size() < PAGE) {
                break;
            }
        }
        try {
            return vaults.of(session.org(), session.id())
                    .sealedFor(vaults.fresh(session.org(), made), names);
        } catch (SecretException e) {
            throw OpException.of(OpCode.CONFLICT, e.getMessage());
        }
    }

    private Snapshot sealed(OrgId org, SessionId made, Snapshot snapshot) {
        var place =
                new SnapshotSeal.Place(
                        made.value(),
                        snapshot.through().value(),
                        new CoreDigest(snapshot.core().toHex()));
        return new Snapshot(
                snapshot.through(),
                snapshot.core(),
                snapshot.state(),
                seals.of(org).seal(place, snapshot.state()));
    }
}
