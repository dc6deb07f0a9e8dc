package ai.hanzo.dev.host.session;

import ai.hanzo.dev.ledger.Artifact;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.Outcome;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.wire.EventWire;
import java.util.List;

/** Which outputs an outcome names as kept whole: for each the ledger has a row. Pure functions. */
public final class Outputs {
    private Outputs() {}

    /** Those of an outcome. */
    static List<Artifact> of(ActionId action, Outcome outcome) {
        return outcome.artifacts().stream()
                .map(blob ->
                        new Artifact(
                                action,
                                blob.name(),
                                blob.digest(),
                                blob.sizeBytes(),
                                blob.mediaType()))
                .toList();
    }

    /** Those that an entry names; none if it is no outcome of an effect. */
    public static List<Artifact> of(Entry entry) {
        boolean isResult = entry.kind().equals(EntryKind.RESULT);
        return isResult && EventWire.decode(entry.payload()) instanceof Event.Result result
                ? of(result.id(), result.outcome())
                : List.of();
    }
}
