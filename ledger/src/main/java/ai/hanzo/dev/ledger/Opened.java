package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.id.SessionId;
import java.util.List;

/** What came of {@link Ledger#open}. */
public sealed interface Opened {

    /** A new session, with its first entry and perhaps its first turn. */
    record Created(Session session, List<Entry> entries) implements Opened {
        public Created {
            entries = List.copyOf(entries);
        }
    }

    /** The same start, sent again: the session that it made the first time. */
    record Existing(Session session) implements Opened {}

    /** The key was used for a start with another body. */
    record KeyReused(SessionId session) implements Opened {}

    /** Another session is writing in this workspace; nothing was made. */
    record WorkspaceBusy(SessionId holder) implements Opened {}
}
