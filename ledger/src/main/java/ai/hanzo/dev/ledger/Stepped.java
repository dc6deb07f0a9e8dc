package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.protocol.id.Seq;
import java.util.List;

/** What came of {@link Ledger#step}. */
public sealed interface Stepped {

    /**
     * All of it is in the ledger: now the effects may be sent.
     *
     * @param entries one per action, in order, then the notes
     * @param state of the session; RUNNING where IDLE was asked for while a turn is waiting
     */
    record Committed(List<Entry> entries, SessionState state) implements Stepped {
        public Committed {
            entries = List.copyOf(entries);
        }
    }

    /** The lease is no longer the session's: stop at once. */
    record Fenced(Epoch current) implements Stepped {}

    /** That entry was eaten before; nothing was written. */
    record Stale(Seq consumed) implements Stepped {}
}
