package ai.hanzo.dev.host.dispatch;

import ai.hanzo.dev.host.tool.patch.Patch;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.Outcome;
import ai.hanzo.dev.protocol.Outcome.Status;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.sandbox.Cell;
import ai.hanzo.dev.sandbox.FileChange;
import ai.hanzo.dev.sandbox.FileOutcome;
import ai.hanzo.dev.sandbox.RefusalCode;
import ai.hanzo.dev.sandbox.Reply;
import ai.hanzo.dev.sandbox.WholeFile;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Patches files: what the patch names is read through the cell, the changes are computed here, and
 * the cell applies all of them or none, each against the content that was read. Threads: any.
 */
final class CellPatches {
    private final Cell cell;
    private final CellOutcomes outcomes;
    private final Function<Reply.Refused<?>, Outcome> refusal;

    /**
     * @param refusal what it means that the cell refuses
     */
    CellPatches(Cell cell, CellOutcomes outcomes, Function<Reply.Refused<?>, Outcome> refusal) {
        this.cell = cell;
        this.outcomes = outcomes;
        this.refusal = refusal;
    }

    Outcome apply(ActionId id, Op.Patch op) {
        return switch (Patch.parse(outcomes.load(op.patch()))) {
            case Patch.Refused(String message) -> Outcome.of(Status.FAILED, message);
            case Patch.Read(Patch patch) -> apply(id, patch);
        };
    }

    private Outcome apply(ActionId id, Patch patch) {
        Map<String, Optional<WholeFile>> files = new HashMap<>();
        for (String path : patch.paths()) {
            switch (cell.readWhole(path, CellEffects.MAX_FILE_BYTES)) {
                case Reply.Done<WholeFile>(WholeFile file) -> files.put(path, Optional.of(file));
                case Reply.Refused<WholeFile> refused -> {
                    if (refused.code() != RefusalCode.NOT_FOUND) {
                        return refusal.apply(refused);
                    }
                    files.put(path, Optional.empty());
                }
            }
        }
        return switch (patch.compute(path -> files.getOrDefault(path, Optional.empty()))) {
            case Patch.Refused(String message) -> Outcome.of(Status.FAILED, message);
            case Patch.Changes(List<FileChange> changes) -> send(id, changes);
        };
    }

    private Outcome send(ActionId id, List<FileChange> changes) {
        return switch (cell.apply(id, changes)) {
            case Reply.Done<FileOutcome>(FileOutcome files) ->
                    outcomes.ofFiles(files, changes.stream().map(FileChange::path).toList());
            case Reply.Refused<FileOutcome> refused -> refusal.apply(refused);
        };
    }
}
