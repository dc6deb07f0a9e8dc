package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.protocol.id.HostId;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.SessionId;

/** The right to step a session. Every write under it is refused once a later epoch exists. */
public record Lease(OrgId org, SessionId session, Epoch epoch, HostId host) {}
