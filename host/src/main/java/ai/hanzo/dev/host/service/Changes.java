package ai.hanzo.dev.host.service;

import ai.hanzo.dev.host.op.Caller;
import ai.hanzo.dev.host.op.OpCode;
import ai.hanzo.dev.host.op.OpException;
import ai.hanzo.dev.host.op.v1.DiffRequest;
import ai.hanzo.dev.host.op.v1.DiffResponse;
import ai.hanzo.dev.host.op.v1.UndoRequest;
import ai.hanzo.dev.host.op.v1.UndoResponse;
import ai.hanzo.dev.host.service.Marks.Mark;
import ai.hanzo.dev.ledger.Appended;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.NewEntry;
import ai.hanzo.dev.ledger.Payload;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.Store;
import ai.hanzo.dev.protocol.Note;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.wire.NoteWire;
import ai.hanzo.dev.workspace.Admission;
import ai.hanzo.dev.workspace.Checkpoints;
import ai.hanzo.dev.workspace.SnapshotId;
import ai.hanzo.dev.workspace.TreePath;
import ai.hanzo.dev.workspace.UndoPlan;
import ai.hanzo.dev.workspace.UndoResult;
import ai.hanzo.dev.workspace.Workspace;
import ai.hanzo.dev.workspace.Workspaces;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a session changed in its workspace: shows it, and takes it back. Safe for all threads. */
public final class Changes {
    private final Store store;
    private final Queries queries;
    private final Checkpoints checkpoints;
    private final Workspaces workspaces;
    private final DiffText texts;

    public Changes(Store store, Queries queries, Checkpoints checkpoints, Workspaces workspaces) {
        this.store = store;
        this.queries = queries;
        this.checkpoints = checkpoints;
        this.workspaces = workspaces;
        this.texts = new DiffText(checkpoints);
    }

    DiffResponse diff(Caller caller, DiffRequest request) {
        Session session = queries.session(caller, request.getId());
        Marks marks = Marks.of(store.journal(), session);
        Optional<Mark> from =
                request.hasFrom() ? marks.at(seq("from", request.getFrom())) : marks.first();
        if (from.isEmpty()) {
            return DiffResponse.getDefaultInstance();
        }
        SnapshotId to =
                request.hasTo()
                        ? marks.at(seq("to", request.getTo())).orElseThrow().snapshot()
                        : checkpoints.take(workspace(session)).id();
        return texts.of(checkpoints.diff(from.get().snapshot(), to));
    }

    UndoResponse undo(Caller caller, UndoRequest request) {
        Session session = queries.session(caller, request.getId());
        if (queries.unfinished(session).isPresent()) {
            throw OpException.of(
                    OpCode.CONFLICT,
                    "A turn of session " + session.id() + " is under way.",
                    "Cancel it first, or wait for its end.");
        }
        Marks marks = Marks.of(store.journal(), session);
        Optional<Mark> before =
                request.hasTo() ? marks.at(seq("to", request.getTo())) : marks.beforeNewestTurn();
        Optional<Mark> after = marks.last();
        if (before.isEmpty() || after.isEmpty()) {
            return UndoResponse.getDefaultInstance();
        }
        Workspace workspace = workspace(session);
        UndoPlan plan =
                checkpoints.planUndo(
                        workspace,
                        before.get().snapshot(),
                        after.get().snapshot(),
                        others(marks.from(before.get())));
        UndoResponse.Builder response =
                UndoResponse.newBuilder().addAllNotCovered(texts(plan.left()));
        if (!plan.conflicts().isEmpty()) {
            return response.addAllConflicts(conflicts(plan.conflicts())).build();
        }
        return switch (checkpoints.undo(plan)) {
            case UndoResult.Refused refused ->
                    response.addAllConflicts(conflicts(refused.conflicts()))
                            .addAllRestored(texts(refused.changed()))
                            .build();
            case UndoResult.Done done -> {
                List<TreePath> changed = done.changed();
                plan.steps().stream()
                        .filter(step -> changed.contains(step.path()))
                        .forEach(step -> {
                            if (step.act() == UndoPlan.Act.DELETE) {
                                response.addDeleted(step.path().text());
                            } else {
                                response.addRestored(step.path().text());
                            }
                        });
                yield response.setSequence(record(session, before.get(), workspace, changed.size()))
                        .build();
            }
        };
    }

    /** What changed between the turns was not the agent's doing. */
    private UndoPlan.Others others(List<Mark> marks) {
        Set<TreePath> theirs = new HashSet<>();
        Set<TreePath> ours = new HashSet<>();
        for (int i = 1; i < marks.size(); i++) {
            Set<TreePath> whose = marks.get(i).afterOthers() ? theirs : ours;
            checkpoints
                    .diff(marks.get(i - 1).snapshot(), marks.get(i).snapshot())
                    .changes()
                    .stream()
                    .map(change -> change.path())
                    .forEach(whose::add);
        }
        Set<TreePath> both = new HashSet<>(theirs);
        both.retainAll(ours);
        theirs.removeAll(both);
        return new UndoPlan.Others(theirs, both);
    }

    /** The undo as an entry: the workspace as it is now is the new last state. */
    private int record(Session session, Mark to, Workspace workspace, int paths) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("kind", "after_undo");
        facts.put("snapshot", checkpoints.take(workspace).id().text());
        facts.put("to", to.seq().toString());
        Note note = new Note(Marks.UNDO, paths + " paths put back to entry " + to.seq(), facts);
        Appended appended =
                store.ledger()
                        .append(
                                session.org(),
                                session.id(),
                                new NewEntry(
                                        EntryKind.NOTE,
                                        Optional.empty(),
                                        NewEntry.HOST,
                                        Optional.empty(),
                                        Payload.of(NoteWire.encode(note))));
        return switch (appended) {
            case Appended.Committed(var entry) -> Math.toIntExact(entry.seq().value());
            case Appended.Duplicate _,
                    Appended.KeyReused _,
                    Appended.NoSession _,
                    Appended.Closed _,
                    Appended.WorkspaceBusy _,
                    Appended.NotOpen _ ->
                    0;
        };
    }

    private Workspace workspace(Session session) {
        var kept =
                session.workspace()
                        .orElseThrow(() ->
                                OpException.of(
                                        OpCode.CONFLICT,
                                        "Session " + session.id() + " has no workspace."));
        Path path = Path.of(kept.path());
        return switch (workspaces.admit(path, Set.of(path))) {
            case Admission.Admitted(Workspace now) -> {
                if (now.device() != kept.device() || now.inode() != kept.inode()) {
                    throw OpException.of(
                            OpCode.CONFLICT,
                            kept.path() + " is another directory than the session's by now.");
                }
                yield now;
            }
            case Admission.Refused(var _, String sentence) ->
                    throw OpException.of(OpCode.CONFLICT, sentence);
        };
    }

    private static Seq seq(String field, int value) {
        if (value < 0) {
            throw OpException.invalid(field, "is 0 or more");
        }
        return new Seq(value);
    }

    private static List<String> texts(List<TreePath> paths) {
        return paths.stream().map(TreePath::text).toList();
    }

    private static List<String> conflicts(List<UndoPlan.Conflict> conflicts) {
        return conflicts.stream()
                .map(conflict -> conflict.path().text() + ": " + conflict.sentence())
                .toList();
    }
}
