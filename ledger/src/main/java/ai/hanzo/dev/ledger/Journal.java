package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.id.TurnId;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The reads. They see committed rows only, and of the given org only: another org's session is as
 * absent as one that never was. Safe for all threads; throws {@link LedgerException}.
 */
public interface Journal {

    /** The most rows that one page holds. */
    int MAX_LIMIT = 1000;

    /** The session's row. */
    Optional<Session> session(OrgId org, SessionId session);

    /**
     * Sessions, newest first.
     *
     * @param states only these; empty for all
     * @param before from a page's {@link Page#next}; empty for the first page
     * @param limit 1 to {@link #MAX_LIMIT}
     */
    Page<Session> sessions(
            OrgId org, Set<SessionState> states, Optional<SessionId> before, int limit);

    /** The newest session of this caller's org in the directory at {@code path}. */
    Optional<Session> newestAt(OrgId org, String path);

    /** Up to {@code limit} sessions that work in the directory {@code path}, newest first. */
    List<Session> sessionsAt(OrgId org, String path, int limit);

    /** Up to {@code limit} entries with a sequence above {@code after}, in order. */
    List<Entry> entries(OrgId org, SessionId session, Seq after, int limit);

    /** The entry at {@code seq}. */
    Optional<Entry> entry(OrgId org, SessionId session, Seq seq);

    /** Up to {@code limit} inputs that the core has not eaten yet, in order. */
    List<Entry> unconsumed(OrgId org, SessionId session, int limit);

    /** The latest snapshot; empty until the first step. */
    Optional<Snapshot> snapshot(OrgId org, SessionId session);

    /** The newest kept snapshot at or before {@code seq}. */
    Optional<Snapshot> keptSnapshot(OrgId org, SessionId session, Seq seq);

    /** Actions of these statuses (empty for all) with an id above {@code after}, in order. */
    List<ActionRow> actions(
            OrgId org, SessionId session, Set<ActionStatus> statuses, long after, int limit);

    /** Actions whose outcome is still to come, in order. */
    List<ActionRow> openActions(OrgId org, SessionId session);

    /** One action. */
    Optional<ActionRow> action(OrgId org, SessionId session, ActionId action);

    /** What policy said of an action. */
    Optional<DecisionRow> decision(OrgId org, SessionId session, ActionId action);

    /** Runs, oldest first, with a turn above {@code after} (0 for the first page). */
    List<Run> runs(OrgId org, SessionId session, long after, int limit);

    /** One run. */
    Optional<Run> run(OrgId org, SessionId session, TurnId turn);

    /**
     * Reads the whole journal, up to where its session's row ends now, and checks sequence, chain
     * and links, and that the rows of actions are those of their entries.
     */
    Verification verify(OrgId org, SessionId session);
}
