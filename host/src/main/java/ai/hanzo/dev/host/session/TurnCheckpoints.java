package ai.hanzo.dev.host.session;

import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.NewEntry;
import ai.hanzo.dev.protocol.Failpoint;
import ai.hanzo.dev.protocol.Note;
import ai.hanzo.dev.protocol.id.TurnId;
import ai.hanzo.dev.protocol.wire.NoteWire;
import ai.hanzo.dev.workspace.Checkpoint;
import ai.hanzo.dev.workspace.Checkpoints;
import ai.hanzo.dev.workspace.SnapshotId;
import ai.hanzo.dev.workspace.Workspace;
import ai.hanzo.dev.workspace.WorkspaceException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checkpoints of the workspace before each turn and after each batch of effects, as notes of the
 * journal. A workspace that cannot be recorded does not stop the turn: the note says that undo does
 * not reach there. Owned by the session's thread.
 */
final class TurnCheckpoints {
    static final String TOPIC = "checkpoint";
    private static final String BEFORE_TURN = "before_turn";
    private static final String AFTER_BATCH = "after_batch";
    private static final String SUSPENDED = "suspended";
    private static final String RESUMED = "resumed";
    private static final Logger log = LoggerFactory.getLogger(TurnCheckpoints.class);

    private final Checkpoints checkpoints;
    private final Workspace workspace;
    private final boolean readOnly;

    TurnCheckpoints(Checkpoints checkpoints, Workspace workspace, boolean readOnly) {
        this.checkpoints = checkpoints;
        this.workspace = workspace;
        this.readOnly = readOnly;
    }

    /** A place to go back to. */
    record Mark(String kind, SnapshotId snapshot, Optional<TurnId> turn) {
        boolean isBeforeTurn() {
            return kind.equals(BEFORE_TURN);
        }
    }

    Optional<NewEntry> beforeTurn(TurnId turn) {
        return take(BEFORE_TURN, Optional.of(turn));
    }

    Optional<NewEntry> afterBatch(Optional<TurnId> turn) {
        return take(AFTER_BATCH, turn);
    }

    /** As the session leaves it behind. */
    Optional<NewEntry> suspended() {
        return take(SUSPENDED, Optional.empty());
    }

    /** As the session finds it again; what differs is not its doing. */
    Optional<NewEntry> resumed() {
        return take(RESUMED, Optional.empty());
    }

    /** What a note marks, if it marks a checkpoint that was taken. */
    static Optional<Mark> read(Note note, Optional<TurnId> turn) {
        if (!note.topic().equals(TOPIC)) {
            return Optional.empty();
        }
        return note.fact("snapshot")
                .map(id ->
                        new Mark(
                                note.fact("kind").orElse(AFTER_BATCH), SnapshotId.parse(id), turn));
    }

    private Optional<NewEntry> take(String kind, Optional<TurnId> turn) {
        if (readOnly) {
            return Optional.empty();
        }
        Note note;
        try {
            note = noteOf(kind, checkpoints.take(workspace));
            Failpoint.CHECKPOINT_TAKEN.reached();
        } catch (WorkspaceException e) {
            log.atWarn().addKeyValue("code", e.code()).setCause(e).log("no checkpoint");
            note =
                    new Note(
                            TOPIC,
                            "no checkpoint, undo does not reach here: " + e.getMessage(),
                            Map.of("kind", kind));
        }
        return Optional.of(NewEntry.ofHost(EntryKind.NOTE, turn, NoteWire.encode(note)));
    }

    private static Note noteOf(String kind, Checkpoint checkpoint) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("kind", kind);
        facts.put("snapshot", checkpoint.id().text());
        facts.put("files", Long.toString(checkpoint.files()));
        facts.put("newBytes", Long.toString(checkpoint.newBytes()));
        facts.put("notCovered", Long.toString(checkpoint.notCoveredCount()));
        String left =
                checkpoint.notCoveredCount() == 0
                        ? ""
                        : ", " + checkpoint.notCoveredCount() + " paths not covered";
        return new Note(TOPIC, checkpoint.files() + " files recorded" + left, facts);
    }
}
