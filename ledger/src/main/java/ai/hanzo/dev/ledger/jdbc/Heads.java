package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.Lease;
import ai.hanzo.dev.protocol.id.SessionId;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where the sessions stand that this process owns, as its last write to each left them. A hint: a
 * write that relies on one says so to the server, which refuses it when the row has moved. Each is
 * read and changed in its session's turn ({@link SessionQueues}), so that no writer of this process
 * makes one stale. Safe for all threads.
 */
final class Heads {
    private final Map<SessionId, SessionHead> known = new ConcurrentHashMap<>();

    /** Where the session of {@code lease} stands, if that is known under this very lease. */
    Optional<SessionHead> of(Lease lease) {
        return Optional.ofNullable(known.get(lease.session()))
                .filter(head -> head.epoch() == lease.epoch().value());
    }

    void learn(SessionHead head) {
        known.put(head.session(), head);
    }

    void forget(SessionId session) {
        known.remove(session);
    }
}
