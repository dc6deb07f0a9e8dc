package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.Epoch;

/** What came of {@link Ledger#complete}. */
public sealed interface Completed {

    /** The outcome is in the journal and the action is over. */
    record Committed(Entry entry) implements Completed {}

    /** The action is over already, or is unknown; nothing was written. */
    record NotOpen(ActionId action) implements Completed {}

    /** The lease is no longer the session's: stop at once. */
    record Fenced(Epoch current) implements Completed {}
}
