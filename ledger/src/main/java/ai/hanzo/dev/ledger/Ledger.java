package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.SessionId;
import java.util.Optional;

/**
 * The writes of a session: what is not here never happened. Each method is one transaction, and
 * when it returns a result other than a refusal, that result is on disk.
 *
 * <p>{@link #append}, {@link #answer} and {@link #complete} are T1: an input is committed before
 * anything acts on it. {@link #step} is T2: what the core made of one input is committed before
 * anything of it is sent. An action costs one of each, or with {@link #turnOver} one for both.
 *
 * <p>Safe for all threads. Writers of one session queue at its row. Throws {@link LedgerException}
 * when the database cannot do it; then nothing of that call is in the ledger, except after {@link
 * LedgerException.Code#UNKNOWN_OUTCOME}, when the connection broke during the commit.
 */
public interface Ledger {

    /**
     * Makes a session: its row, entry 1 (config) and, if given, its first turn, all or nothing. The
     * same key of the same caller gives the same session.
     */
    Opened open(NewSession session);

    /** The session that a start or a fork of this caller made under this key before. */
    Optional<Opened> openedBefore(OrgId org, String createdBy, IdempotencyKey key);

    /**
     * Makes a session that begins with the journal of another, up to an entry at which that one
     * rested: its own chain, runs and actions that are over, and the given snapshot of the core.
     * The other session is only read. The same key of the same caller gives the same session.
     */
    Opened fork(NewFork fork);

    /**
     * Appends an input from a surface, a timer or the host, or a note; no lease needed. A {@code
     * turn} without a number gets the next one and a queued run, and an idle session becomes
     * running. Outcomes of actions go by {@link #complete} and {@link #answer} instead.
     */
    Appended append(OrgId org, SessionId session, NewEntry entry);

    /** Appends the answer to an open question and ends its action, once. */
    Appended answer(OrgId org, SessionId session, ActionId question, NewEntry answer);

    /**
     * Appends the outcome of an open action and ends it, once: a reply that arrives twice, or after
     * the action was cancelled, changes nothing.
     */
    Completed complete(Lease lease, Ending ending);

    /** Commits all that came of eating one input. */
    Stepped step(Lease lease, StepCommit step);

    /**
     * T1 of an outcome and T2 of the step that eats it, in one commit: nothing of the step may be
     * sent before this has returned {@link TurnedOver.Committed}. The outcome is committed whatever
     * becomes of the step, also when {@code next} throws; not when this throws {@link
     * LedgerException}.
     *
     * @param ending of an action that was sent; its entry names the action's turn
     */
    TurnedOver turnOver(Lease lease, Ending ending, TurnedOver.NextStep next);
}
