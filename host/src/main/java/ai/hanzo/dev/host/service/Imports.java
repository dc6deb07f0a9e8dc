package ai.hanzo.dev.host.service;

import ai.hanzo.dev.host.archive.SessionFile.Part;
import ai.hanzo.dev.host.archive.SessionFileException;
import ai.hanzo.dev.host.archive.SessionFileReader;
import ai.hanzo.dev.host.core.CoreDigest;
import ai.hanzo.dev.host.core.CoreException;
import ai.hanzo.dev.host.core.Cores;
import ai.hanzo.dev.host.core.SnapshotSeal;
import ai.hanzo.dev.host.op.Caller;
import ai.hanzo.dev.host.op.OpCode;
import ai.hanzo.dev.host.op.OpException;
import ai.hanzo.dev.host.op.v1.ImportRequest;
import ai.hanzo.dev.host.secret.Vaults;
import ai.hanzo.dev.host.session.CoreHistory;
import ai.hanzo.dev.host.session.NewSessions.Machine;
import ai.hanzo.dev.host.session.Outputs;
import ai.hanzo.dev.host.session.SessionParts;
import ai.hanzo.dev.host.session.SessionSetup;
import ai.hanzo.dev.ledger.ArchiveRow;
import ai.hanzo.dev.ledger.Archives;
import ai.hanzo.dev.ledger.Artifact;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.NewEntry;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.Snapshot;
import ai.hanzo.dev.ledger.Store;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.wire.NoteWire;
import ai.hanzo.dev.workspace.BlobStore;
import ai.hanzo.dev.workspace.Checkpoints;
import ai.hanzo.dev.workspace.Digest;
import ai.hanzo.dev.workspace.SnapshotId;
import ai.hanzo.dev.workspace.Workspace;
import ai.hanzo.dev.workspace.WorkspaceException;
import ai.hanzo.dev.zap.CodecException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;

/**
 * Sessions out of files. The file is read four times: to learn on which cores it ran; to check all
 * of it, which makes the core's state by eating the journal; to store its files; to write its rows.
 * What is refused leaves no session behind. Safe for all threads.
 */
public final class Imports {
    private final Store store;
    private final Cores cores;
    private final SessionParts.SealFinder seals;
    private final Files files;
    private final Machine machine;
    private final Path directory;

    /** Where bytes go. */
    public record Files(BlobStore blobs, Checkpoints checkpoints, Copies copies, Vaults vaults) {}

    /** With files on their way in {@code directory}. */
    public Imports(
            Store store,
            Cores cores,
            SessionParts.SealFinder seals,
            Files files,
            Machine machine,
            Path directory) {
        this.store = store;
        this.cores = cores;
        this.seals = seals;
        this.files = files;
        this.machine = machine;
        this.directory = directory;
    }

    Session take(Caller caller, ImportRequest request, InputStream body) {
        Copies.checkOwner(caller);
        Path path = Copies.path(request.getPath());
        try (Spool spool = Spool.in(directory)) {
            receive(body, spool);
            Checked checked = check(new OrgId(caller.org()), spool);
            keep(spool);
            verify(checked);
            Workspace workspace =
                    checked.workspaces().isEmpty()
                            ? files.copies().empty(path)
                            : files.copies().fill(path, checked.last());
            return taken(
                    store.archives()
                            .take(
                                    arrival(checked, workspace, request),
                                    new Rows(new SessionFileReader(spool.content()))));
        } catch (SessionFileException e) {
            throw OpException.of(OpCode.IMPORT_REFUSED, String.valueOf(e.getMessage()));
        } catch (CoreException e) {
            throw OpException.of(OpCode.IMPORT_REFUSED, String.valueOf(e.getMessage()));
        } catch (CodecException e) {
            throw refused("An entry of the file cannot be read: " + e.getMessage() + ".");
        }
    }

    private static void receive(InputStream body, Spool spool) {
        try (OutputStream out = spool.out()) {
            body.transferTo(out);
        } catch (IOException e) {
            throw Spool.fault(e);
        }
    }

    /** What the first reading found. */
    private record Checked(
            Archives.Head head,
            Optional<Snapshot> snapshot,
            Bytes setup,
            Set<Digest> blobs,
            Map<Sha256, Bytes> bodies,
            List<Artifact> outputs,
            Set<SnapshotId> workspaces) {

        /** The workspace as the session left it. */
        SnapshotId last() {
            return workspaces.stream().reduce((_, later) -> later).orElseThrow();
        }
    }

    private Checked check(OrgId org, Spool spool) {
        var reader = new SessionFileReader(spool.content());
        Archives.Head head =
                reader.next()
                        .map(part -> ((Part.Head) part).head())
                        .orElseThrow(() -> refused("The file holds no session."));
        require(org, head.session());
        Set<Digest> blobs = new LinkedHashSet<>();
        Set<Sha256> named = new LinkedHashSet<>();
        Map<Sha256, Bytes> bodies = new LinkedHashMap<>();
        List<Artifact> outputs = new ArrayList<>();
        Set<SnapshotId> workspaces = new LinkedHashSet<>();
        Optional<Bytes> setup = Optional.empty();
        Session session = head.session();
        try (var replay = new Replay(cores, history(session, spool), Replay.eaten(session))) {
            for (var part = reader.next(); part.isPresent(); part = reader.next()) {
                if (part.get() instanceof Part.Row(ArchiveRow.OfEntry(Entry entry, _))) {
                    StoredFiles files = StoredFiles.of(entry);
                    blobs.addAll(files.blobs());
                    named.addAll(files.bodies());
                    outputs.addAll(Outputs.of(entry));
                    files.workspace().ifPresent(id -> last(workspaces, id));
                    if (!replay.agrees(entry)) {
                        throw differs(entry.seq());
                    }
                    if (entry.seq().equals(session.setup())) {
                        setup = Optional.of(entry.payload());
                    }
                } else if (part.get() instanceof Part.Body(Sha256 name, Bytes content)) {
                    bodies.put(name, content);
                }
            }
            if (replay.lacksAnAction()) {
                throw differs(session.lastSeq());
            }
            return new Checked(
                    head,
                    replay.snapshot().map(snapshot -> sealed(session, snapshot)),
                    setup.orElseThrow(() -> refused("The file does not say where it worked.")),
                    withOlder(blobs, named, bodies),
                    bodies,
                    outputs,
                    workspaces);
        }
    }

    /** Read before the rest, because a note of another core follows what that has eaten. */
    private static CoreHistory history(Session session, Spool spool) {
        List<CoreHistory.Move> moves = new ArrayList<>();
        var reader = new SessionFileReader(spool.content());
        for (var part = reader.next(); part.isPresent(); part = reader.next()) {
            if (part.get() instanceof Part.Row(ArchiveRow.OfEntry(Entry entry, _))) {
                try {
                    CoreHistory.Move.of(entry).ifPresent(moves::add);
                } catch (IllegalArgumentException e) {
                    throw refused("Entry " + entry.seq() + " of the file names no core.");
                }
            }
        }
        return CoreHistory.of(session.core(), moves);
    }

    /** In a file of an older session the bodies are stored files. What nobody names is left out. */
    private static Set<Digest> withOlder(
            Set<Digest> blobs, Set<Sha256> named, Map<Sha256, Bytes> bodies) {
        bodies.keySet().retainAll(named);
        named.removeAll(bodies.keySet());
        named.forEach(name -> blobs.add(StoredFiles.digest(name)));
        return blobs;
    }

    private static void last(Set<SnapshotId> workspaces, SnapshotId id) {
        workspaces.remove(id);
        workspaces.add(id);
    }

    private void require(OrgId org, Session session) {
        if (!session.org().equals(org)) {
            throw refused(
                    "The session belongs to the organisation "
                            + session.org()
                            + ", and this host works for "
                            + org
                            + ": import it where that one is served.");
        }
        if (session.formatVersion() > Entry.FORMAT_VERSION) {
            throw refused(
                    "The session was written in format "
                            + session.formatVersion()
                            + " and this hanzo knows up to "
                            + Entry.FORMAT_VERSION
                            + ": import it with a newer hanzo.");
        }
        if (session.state().holdsWorkspace()) {
            throw refused("The session did not rest when it was exported: export it again.");
        }
        if (store.journal().session(org, session.id()).isPresent()) {
            throw alreadyHere(session);
        }
    }

    /** Stores the files. */
    private void keep(Spool spool) {
        var reader = new SessionFileReader(spool.content());
        try (BlobStore.Batch batch = files.blobs().batch()) {
            for (var part = reader.next(); part.isPresent(); part = reader.next()) {
                if (part.get() instanceof Part.Stored(_, Bytes content)) {
                    batch.put(content.toArray(), content.length());
                }
            }
            batch.commit();
        }
    }

    /** Whatever the journal names is here now. */
    private void verify(Checked checked) {
        try {
            checked.blobs().forEach(files.blobs()::get);
            Set<Digest> seen = new HashSet<>();
            checked.workspaces().forEach(id -> files.checkpoints().verify(id, seen));
        } catch (WorkspaceException e) {
            throw refused("The file lacks what its journal names: " + e.getMessage());
        }
    }

    private Archives.Arrival arrival(Checked checked, Workspace workspace, ImportRequest request) {
        var person =
                new SessionSetup.Person(
                        request.getToolPath(),
                        request.getHome(),
                        request.getGitAuthorName(),
                        request.getGitAuthorEmail(),
                        request.getLang());
        Session session = checked.head().session();
        var access = session.workspace().orElseThrow().access();
        String path = workspace.path().toString();
        return new Archives.Arrival(
                checked.head(),
                new ai.hanzo.dev.ledger.Workspace(
                        path, machine.id(), workspace.device(), workspace.inode(), access),
                machine.runner(),
                checked.snapshot(),
                NewEntry.ofHost(
                                EntryKind.NOTE,
                                Optional.empty(),
                                SessionSetup.arrived(
                                        NoteWire.decode(checked.setup()), path, person))
                        .with(
                                files.vaults()
                                        .fresh(session.org(), session.id())
                                        .seal(checked.bodies())
                                        .with(checked.outputs())));
    }

    private Snapshot sealed(Session session, Snapshot snapshot) {
        var place =
                new SnapshotSeal.Place(
                        session.id().value(),
                        snapshot.through().value(),
                        new CoreDigest(snapshot.core().toHex()));
        return new Snapshot(
                snapshot.through(),
                snapshot.core(),
                snapshot.state(),
                seals.of(session.org()).seal(place, snapshot.state()));
    }

    private static Session taken(Archives.Taken taken) {
        return switch (taken) {
            case Archives.Taken.Here(Session session) -> session;
            case Archives.Taken.AlreadyHere() ->
                    throw OpException.of(OpCode.CONFLICT, "That session is here already.");
            case Archives.Taken.Broken(Seq seq, String reason) ->
                    throw refused("Entry " + seq + " of the file: " + reason);
        };
    }

    private static OpException alreadyHere(Session session) {
        return OpException.of(
                        OpCode.CONFLICT,
                        "Session " + session.id() + " is here already.",
                        "Look at it: hanzo dev show " + session.id() + ".")
                .relatedTo(session.id().value());
    }

    private static OpException differs(Seq seq) {
        return refused(
                "Entry " + seq + " of the file is not what the core makes of those before it.");
    }

    private static OpException refused(String sentence) {
        return OpException.of(OpCode.IMPORT_REFUSED, sentence);
    }

    /** The rows of a file that has been checked. */
    private static final class Rows implements Iterator<ArchiveRow> {
        private final SessionFileReader reader;
        private Optional<ArchiveRow> next = Optional.empty();

        Rows(SessionFileReader reader) {
            this.reader = reader;
            advance();
        }

        private void advance() {
            next = Optional.empty();
            for (var part = reader.next(); part.isPresent(); part = reader.next()) {
                switch (part.get()) {
                    case Part.Row(ArchiveRow row) -> {
                        next = Optional.of(row);
                        return;
                    }
                    case Part.Stored _, Part.Body _ -> {
                        // The stored files and the bodies follow the rows.
                        return;
                    }
                    case Part.Head _ -> {}
                }
            }
        }

        @Override
        public boolean hasNext() {
            return next.isPresent();
        }

        @Override
        public ArchiveRow next() {
            ArchiveRow row = next.orElseThrow(NoSuchElementException::new);
            advance();
            return row;
        }
    }
}
