package ai.hanzo.dev.sandbox;

import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.protocol.id.SessionId;

/**
 * A cell as the supervisor lists it.
 *
 * @param epoch of its latest lease
 * @param pid of its daemon, outside
 * @param isHeld a host is attached
 */
public record CellSummary(
        SessionId session, Epoch epoch, Incarnation incarnation, int pid, boolean isHeld) {}
