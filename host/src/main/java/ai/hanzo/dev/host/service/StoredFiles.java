package ai.hanzo.dev.host.service;

import ai.hanzo.dev.host.secret.References;
import ai.hanzo.dev.host.session.SessionSetup;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.protocol.Blob;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.Note;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.wire.ActionWire;
import ai.hanzo.dev.protocol.wire.EventWire;
import ai.hanzo.dev.protocol.wire.NoteWire;
import ai.hanzo.dev.workspace.Digest;
import ai.hanzo.dev.workspace.SnapshotId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What of the store an entry of a journal names.
 *
 * @param blobs files that it names one by one
 * @param bodies what the session's vault has under these names, or the store if it is older
 * @param workspace a snapshot of the workspace, with all that is in it
 */
record StoredFiles(List<Digest> blobs, List<Sha256> bodies, Optional<SnapshotId> workspace) {
    private static final StoredFiles NONE = new StoredFiles(List.of(), List.of(), Optional.empty());

    StoredFiles {
        blobs = List.copyOf(blobs);
        bodies = List.copyOf(bodies);
    }

    /** Of an entry of a kind that this release does not know: nothing. */
    static StoredFiles of(Entry entry) {
        EntryKind kind = entry.kind();
        if (kind.equals(EntryKind.ACTION)) {
            return named(References.of(ActionWire.decode(entry.payload()).op()));
        }
        if (kind.equals(EntryKind.NOTE)) {
            return of(NoteWire.decode(entry.payload()));
        }
        boolean isEvent = kind.isForCore() && !kind.equals(EntryKind.CONFIG);
        return isEvent ? ofEvent(EventWire.decode(entry.payload())) : NONE;
    }

    private static StoredFiles of(Note note) {
        Optional<SnapshotId> workspace =
                note.topic().equals(Marks.CHECKPOINT) || note.topic().equals(Marks.UNDO)
                        ? note.fact("snapshot").map(SnapshotId::parse)
                        : Optional.empty();
        List<Sha256> script = SessionSetup.script(note).flatMap(References::in).stream().toList();
        return new StoredFiles(List.of(), script, workspace);
    }

    private static StoredFiles named(Stream<Sha256> bodies) {
        return new StoredFiles(List.of(), bodies.toList(), Optional.empty());
    }

    private static StoredFiles named(List<Blob> blobs) {
        return new StoredFiles(
                blobs.stream().map(blob -> digest(blob.digest())).toList(),
                List.of(),
                Optional.empty());
    }

    static Digest digest(Sha256 digest) {
        return Digest.fromBytes(digest.bytes().toArray());
    }

    private static StoredFiles ofEvent(Event event) {
        return switch (event) {
            case Event.Turn turn -> named(turn.attachments());
            case Event.Result result -> named(result.outcome().artifacts());
            case Event.ModelReply reply -> named(reply.calls().stream().flatMap(References::of));
            case Event.ModelFailed _,
                    Event.Answer _,
                    Event.Timer _,
                    Event.Cancel _,
                    Event.Resume _,
                    Event.Configure _ ->
                    NONE;
        };
    }
}
