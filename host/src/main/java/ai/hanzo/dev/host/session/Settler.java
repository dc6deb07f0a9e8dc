package ai.hanzo.dev.host.session;

import ai.hanzo.dev.host.secret.MaskedPieces;
import ai.hanzo.dev.host.secret.Vault;
import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.Completed;
import ai.hanzo.dev.ledger.Ending;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.Lease;
import ai.hanzo.dev.ledger.Ledger;
import ai.hanzo.dev.ledger.LedgerException;
import ai.hanzo.dev.ledger.NewEntry;
import ai.hanzo.dev.ledger.Sealed;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.Outcome;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.TurnId;
import ai.hanzo.dev.protocol.wire.EventWire;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings what came of an action into the ledger, and does not give up while the database is away:
 * until then the outcome is held. What is secret in it is masked or sealed first. Threads: any.
 */
final class Settler {
    private static final Logger log = LoggerFactory.getLogger(Settler.class);
    private static final Duration FIRST_WAIT = Duration.ofMillis(100);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private final Ledger ledger;
    private final Lease lease;
    private final Vault vault;
    private final Outcomes outcomes;
    private final Runnable whenFenced;

    /**
     * @param outcomes where an outcome is brought first
     * @param whenFenced told when another host owns the session by now
     */
    Settler(Ledger ledger, Lease lease, Vault vault, Outcomes outcomes, Runnable whenFenced) {
        this.ledger = ledger;
        this.lease = lease;
        this.vault = vault;
        this.outcomes = outcomes;
        this.whenFenced = whenFenced;
    }

    /** What became of an outcome. */
    enum Settled {
        /** It is in the journal, now or since an earlier try. */
        KEPT,
        /** Another host owns the session. */
        FENCED
    }

    /** The outcome of an effect. */
    Settled effect(ActionId id, Event.Family family, Optional<TurnId> turn, Outcome outcome)
            throws InterruptedException {
        return settle(
                id,
                end(outcome.status()),
                EntryKind.RESULT,
                turn,
                new Event.Result(family, id, vault.mask(outcome)),
                Sealed.NONE.with(Outputs.of(id, outcome)));
    }

    /** The outcome of an effect that policy or a person refused. */
    Settled refusal(ActionId id, Event.Family family, Optional<TurnId> turn, String reason)
            throws InterruptedException {
        Outcome denied = Outcome.of(Outcome.Status.DENIED, vault.mask(reason));
        return settle(
                id,
                ActionStatus.BLOCKED,
                EntryKind.RESULT,
                turn,
                new Event.Result(family, id, denied),
                Sealed.NONE);
    }

    /** What a model said. */
    Settled reply(ActionId id, Optional<TurnId> turn, Event.ModelReply reply)
            throws InterruptedException {
        Vault.Recorded recorded = vault.record(reply);
        return settle(
                id,
                ActionStatus.COMPLETED,
                EntryKind.MODEL_REPLY,
                turn,
                recorded.reply(),
                recorded.sealed());
    }

    /** That a model said nothing. */
    Settled failure(ActionId id, Optional<TurnId> turn, Event.FailureCode code, String message)
            throws InterruptedException {
        return settle(
                id,
                ActionStatus.FAILED,
                EntryKind.MODEL_FAILED,
                turn,
                new Event.ModelFailed(id, code, vault.mask(message)),
                Sealed.NONE);
    }

    /** Masks what is told of an answer while it comes. */
    MaskedPieces pieces(Consumer<String> to) {
        return vault.pieces(to);
    }

    /** A text that is kept outside of the journal. */
    String mask(String text) {
        return vault.mask(text);
    }

    private static ActionStatus end(Outcome.Status status) {
        return switch (status) {
            case OK -> ActionStatus.COMPLETED;
            case FAILED, DENIED -> ActionStatus.FAILED;
            case IN_DOUBT -> ActionStatus.IN_DOUBT;
            case CANCELLED -> ActionStatus.CANCELLED;
        };
    }

    private Settled settle(
            ActionId id,
            ActionStatus end,
            EntryKind kind,
            Optional<TurnId> turn,
            Event event,
            Sealed sealed)
            throws InterruptedException {
        NewEntry entry =
                new NewEntry(
                        kind,
                        turn,
                        NewEntry.HOST,
                        Optional.empty(),
                        place -> EventWire.encode(event, place.seq()),
                        sealed);
        Ending ending = new Ending(id, end, entry);
        return switch (outcomes.bring(ending)) {
            case KEPT -> Settled.KEPT;
            case FENCED -> fenced();
            case LEFT -> keep(ending);
        };
    }

    private Settled fenced() {
        whenFenced.run();
        return Settled.FENCED;
    }

    /** Brings an outcome into the journal by itself. */
    Settled keep(Ending ending) throws InterruptedException {
        Duration wait = FIRST_WAIT;
        while (true) {
            try {
                return switch (ledger.complete(lease, ending)) {
                    case Completed.Committed _, Completed.NotOpen _ -> Settled.KEPT;
                    case Completed.Fenced _ -> fenced();
                };
            } catch (LedgerException e) {
                // A commit of unknown outcome may be tried again: the second time it is not open.
                if (!e.isRetryable() && e.code() != LedgerException.Code.UNKNOWN_OUTCOME) {
                    throw e;
                }
                log.atWarn()
                        .addKeyValue("session", lease.session())
                        .addKeyValue("action", ending.action())
                        .addKeyValue("code", e.code())
                        .log("the outcome waits for the database");
            }
            Thread.sleep(wait);
            wait =
                    wait.multipliedBy(2).compareTo(LONGEST_WAIT) > 0
                            ? LONGEST_WAIT
                            : wait.multipliedBy(2);
        }
    }
}
