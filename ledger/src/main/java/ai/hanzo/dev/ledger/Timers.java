package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.id.TurnId;
import java.time.Duration;
import java.time.Instant;

/**
 * Durable timers: a row of the database each, so they outlive every host. The only timer of the
 * system that holds state. Safe for all threads; throws {@link LedgerException}.
 */
public interface Timers {

    /**
     * Appends an entry of kind {@code timer} with {@code payload} to the session once, at or soon
     * after {@code at}. A timer of that name in that session is replaced.
     */
    void schedule(OrgId org, SessionId session, Timer timer);

    /** Forgets a timer; nothing happens if it is gone. */
    void cancel(OrgId org, SessionId session, String name);

    /**
     * Appends an entry of kind {@code cancel} for a turn once, at or soon after {@code at}, unless
     * {@link #unlimit} came before. What is there for that turn already stays as it is.
     *
     * @param cancel the payload of the entry
     */
    void limit(OrgId org, SessionId session, TurnId turn, Instant at, Bytes cancel);

    /** Forgets the limit of a turn; nothing happens if it is gone. */
    void unlimit(OrgId org, SessionId session, TurnId turn);

    /** Runs {@code task} in this process every {@code period}, on one host at a time. */
    void every(String name, Duration period, Runnable task);

    /** Starts to fire what is due. */
    void start();

    /**
     * A timer.
     *
     * @param name unique in its session, 1 to 60 characters
     */
    record Timer(String name, Instant at, Bytes payload) {}
}
