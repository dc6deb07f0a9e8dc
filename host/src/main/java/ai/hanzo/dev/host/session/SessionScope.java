package ai.hanzo.dev.host.session;

import ai.hanzo.dev.ledger.Lease;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.protocol.Config;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.SessionId;

/**
 * What stays the same while a host owns a session.
 *
 * @param setup what the session was started with
 */
record SessionScope(Lease lease, Session row, Config config, SessionSetup setup) {

    OrgId org() {
        return lease.org();
    }

    SessionId id() {
        return lease.session();
    }
}
