package ai.hanzo.dev.host.service;

import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.protocol.Blob;
import ai.hanzo.dev.protocol.Call;
import ai.hanzo.dev.protocol.Content;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.Note;
import ai.hanzo.dev.protocol.Op;
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
 * @param workspace a snapshot of the workspace, with all that is in it
 */
record StoredFiles(List<Digest> blobs, Optional<SnapshotId> workspace) {
    private static final StoredFiles NONE = new StoredFiles(List.of(), Optional.empty());

    StoredFiles {
        blobs = List.copyOf(blobs);
    }

    /** Of an entry of a kind that this release does not know: nothing. */
    static StoredFiles of(Entry entry) {
        EntryKind kind = entry.kind();
        if (kind.equals(EntryKind.ACTION)) {
            return named(ofOp(ActionWire.decode(entry.payload()).op()));
        }
        if (kind.equals(EntryKind.NOTE)) {
            return of(NoteWire.decode(entry.payload()));
        }
        boolean isEvent = kind.isForCore() && !kind.equals(EntryKind.CONFIG);
        return isEvent ? named(ofEvent(EventWire.decode(entry.payload()))) : NONE;
    }

    private static StoredFiles of(Note note) {
        return note.topic().equals(Marks.CHECKPOINT) || note.topic().equals(Marks.UNDO)
                ? new StoredFiles(List.of(), note.fact("snapshot").map(SnapshotId::parse))
                : NONE;
    }

    private static StoredFiles named(Stream<Blob> blobs) {
        List<Digest> digests =
                blobs.map(blob -> Digest.fromBytes(blob.digest().bytes().toArray())).toList();
        return digests.isEmpty() ? NONE : new StoredFiles(digests, Optional.empty());
    }

    private static Stream<Blob> ofEvent(Event event) {
        return switch (event) {
            case Event.Turn turn -> turn.attachments().stream();
            case Event.Result result -> result.outcome().artifacts().stream();
            case Event.ModelReply reply -> reply.calls().stream().flatMap(StoredFiles::ofCall);
            case Event.ModelFailed _,
                    Event.Answer _,
                    Event.Timer _,
                    Event.Cancel _,
                    Event.Resume _,
                    Event.Configure _ ->
                    Stream.empty();
        };
    }

    private static Stream<Blob> ofCall(Call call) {
        return switch (call.request()) {
            case Call.Operation(Op op) -> ofOp(op);
            case Call.Agent _, Call.Plan _, Call.Invalid _ -> Stream.empty();
        };
    }

    private static Stream<Blob> ofOp(Op op) {
        return switch (op) {
            case Op.Write write -> ofContent(write.content());
            case Op.Patch patch -> ofContent(patch.patch());
            case Op.Exec exec -> ofContent(exec.stdin());
            case Op.Browse browse -> ofContent(browse.body());
            case Op.Read _,
                    Op.Git _,
                    Op.ModelAsk _,
                    Op.Ask _,
                    Op.Send _,
                    Op.Emit _,
                    Op.Save _,
                    Op.Done _,
                    Op.ListFiles _,
                    Op.Search _,
                    Op.Stat _ ->
                    Stream.empty();
        };
    }

    private static Stream<Blob> ofContent(Content content) {
        return switch (content) {
            case Content.Inline _ -> Stream.empty();
            case Content.Stored(Blob blob) -> Stream.of(blob);
        };
    }
}
