package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;

/** What came of an entry that a surface, a timer or the host appended without a lease. */
public sealed interface Appended {

    /** It is in the journal. */
    record Committed(Entry entry) implements Appended {}

    /** It was there already under this key; nothing was written. */
    record Duplicate(Entry entry) implements Appended {}

    /** The key was used in this session for another body; nothing was written. */
    record KeyReused(Seq seq) implements Appended {}

    /** There is no such session in this org. */
    record NoSession() implements Appended {}

    /** The session takes no such entry in the state it is in. */
    record Closed(SessionState state) implements Appended {}

    /** A turn cannot begin: another session is writing in this workspace. */
    record WorkspaceBusy(SessionId holder) implements Appended {}

    /** The question has its answer already, or was never asked. */
    record NotOpen(ActionId action) implements Appended {}
}
