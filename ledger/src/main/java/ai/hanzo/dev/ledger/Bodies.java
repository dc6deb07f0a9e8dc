package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.SessionId;
import java.util.Optional;

/**
 * The sealed bodies of sessions, and the wrapped keys that they are sealed with. They are written
 * with the entries that name them: {@link NewEntry#with}. Safe for all threads; throws {@link
 * LedgerException}.
 */
public interface Bodies {

    /** The key of a session as it was wrapped; empty if it has none, or there is no session. */
    Optional<Bytes> key(OrgId org, SessionId session);

    /** A body as it was sealed. */
    Optional<Bytes> body(OrgId org, SessionId session, Sha256 name);
}
