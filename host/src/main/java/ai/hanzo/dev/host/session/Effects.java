package ai.hanzo.dev.host.session;

import ai.hanzo.dev.host.dispatch.CellEffects;
import ai.hanzo.dev.host.dispatch.WebEffects;
import ai.hanzo.dev.host.secret.SecretException;
import ai.hanzo.dev.host.secret.Vault;
import ai.hanzo.dev.host.session.OpenActions.Open;
import ai.hanzo.dev.host.session.Settler.Settled;
import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.Ending;
import ai.hanzo.dev.ledger.LedgerException;
import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.ledger.StepCommit.StateChange;
import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.Failpoint;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.Outcome;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.sandbox.Cell;
import ai.hanzo.dev.sandbox.CellException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends what was committed, each on a virtual thread of its own, and brings home what came of it.
 * {@link #launch}, {@link #refuse} and the questions about state are for the session's thread.
 */
final class Effects implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Effects.class);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final SessionCell cell;
    private final Function<Cell, CellEffects> inCell;
    private final WebEffects web;
    private final Vault vault;
    private final Asks asks;
    private final Settler settler;
    private final ExecutorService threads;
    private final Consumer<RuntimeException> whenBroken;
    private final Set<ActionId> inFlight = ConcurrentHashMap.newKeySet();

    /** In flight, and given up: one that was not sent yet never is. */
    private final Set<ActionId> givenUp = ConcurrentHashMap.newKeySet();

    /**
     * For one loop.
     *
     * @param whenBroken told, on the effect's thread, that an action has no outcome here: whoever
     *     rebuilds the session from the ledger finds it open
     */
    Effects(
            Means means,
            Asks asks,
            Settler settler,
            ExecutorService threads,
            Consumer<RuntimeException> whenBroken) {
        this.cell = means.cell();
        this.inCell = means.inCell();
        this.web = means.web();
        this.vault = means.vault();
        this.asks = asks;
        this.settler = settler;
        this.threads = threads;
        this.whenBroken = whenBroken;
    }

    /**
     * With what effects are carried out.
     *
     * @param vault where the bodies of actions are
     */
    record Means(
            SessionCell cell, Function<Cell, CellEffects> inCell, WebEffects web, Vault vault) {}

    /** What is noted of an effect as it goes out: which life of the cell it is sent to. */
    Optional<String> marker() {
        try {
            return Optional.of(cell.get().incarnation().value());
        } catch (CellException e) {
            // The effect itself will say so, in its outcome.
            return Optional.empty();
        }
    }

    /** Whether the session has a cell now, so that {@link #marker} waits for none. */
    boolean hasCell() {
        return cell.current().isPresent();
    }

    void transcribe(ActionId id, Op.ModelAsk ask) {
        asks.transcribe(id, ask);
    }

    /** Sends an action that the ledger says is sent. */
    void launch(Open open) {
        if (open.action().op() instanceof Op.ModelAsk ask) {
            start(open, asks.prepare(open, ask, 0));
            return;
        }
        carryOut(open, () -> outcome(open));
    }

    /** Tells the core that an action was refused. */
    void refuse(Open open, String reason) {
        start(() -> {
            if (open.action().op() instanceof Op.ModelAsk) {
                ActionId id = open.action().id();
                settler.failure(id, open.turn(), Event.FailureCode.REFUSED, reason);
            } else {
                settler.refusal(
                        open.action().id(), family(open.action().op()), open.turn(), reason);
            }
        });
    }

    /** Takes up an action that an earlier host may have sent. */
    void recover(Open open, Optional<String> marker) {
        Op op = open.action().op();
        if (op instanceof Op.ModelAsk ask) {
            start(open, asks.prepare(open, ask, 0));
        } else if (CellEffects.isForCell(op) && op instanceof Op.Effect) {
            var recovery = new Recovery(cell, inCell);
            carryOut(open, () -> recovered(open, recovery, marker));
        } else if (op instanceof Op.Effect && !WebEffects.isRepeatable(op)) {
            start(
                    open,
                    () -> settle(open, Recovery.inDoubt("the host ended while it was under way")));
        } else {
            launch(open);
        }
    }

    private Outcome recovered(Open open, Recovery recovery, Optional<String> marker) {
        Action action;
        try {
            action = vault.open(open.action());
        } catch (SecretException e) {
            return Recovery.inDoubt(e.getMessage());
        }
        return recovery.find(action, marker).orElseGet(() -> outcome(open));
    }

    /** Until it has settled it can be stopped. */
    private void carryOut(Open open, Supplier<Outcome> doing) {
        inFlight.add(open.action().id());
        CellRoom.Hold hold = CellEffects.isForCell(open.action().op()) ? cell.hold() : () -> {};
        start(
                open,
                () -> {
                    try (hold) {
                        settle(open, doing.get());
                    } finally {
                        inFlight.remove(open.action().id());
                        givenUp.remove(open.action().id());
                    }
                });
    }

    private Outcome outcome(Open open) {
        Action action = vault.open(open.action());
        Op op = action.op();
        if (!CellEffects.isForCell(op)) {
            return web.run(action);
        }
        boolean isLook = op instanceof Op.Look;
        for (int attempt = 1; ; attempt++) {
            Optional<Cell> used = Optional.empty();
            try {
                used = Optional.of(cell.get());
                if (givenUp.contains(action.id())) {
                    return Outcome.of(Outcome.Status.CANCELLED, "it was cancelled in time");
                }
                return inCell.apply(used.get()).run(action);
            } catch (CellException e) {
                used.ifPresent(cell::lost);
                boolean wasSent = used.isPresent();
                if (isLook && wasSent && attempt == 1) {
                    continue;
                }
                return lost(e, isLook || !wasSent);
            }
        }
    }

    /** A cell that broke: what that means for what was under way. */
    private static Outcome lost(CellException e, boolean nothingHappened) {
        String why = String.valueOf(e.getMessage());
        return nothingHappened
                ? Outcome.of(Outcome.Status.FAILED, "the sandbox could not be used: " + why)
                : Recovery.inDoubt(why);
    }

    private void settle(Open open, Outcome outcome) throws InterruptedException {
        Failpoint.OUTCOME_HERE.reached();
        ActionId id = open.action().id();
        Settled settled = settler.effect(id, family(open.action().op()), open.turn(), outcome);
        if (settled == Settled.KEPT && CellEffects.isHeld(open.action().op())) {
            Failpoint.OUTCOME_KEPT.reached();
            acknowledge(id);
            Failpoint.ACKNOWLEDGED.reached();
        }
    }

    /** The outcome is in the ledger: the cell need not hold it any more. */
    private void acknowledge(ActionId id) {
        try {
            cell.current().ifPresent(held -> held.ack(id));
        } catch (CellException e) {
            log.atDebug().addKeyValue("action", id).setCause(e).log("not acknowledged");
        }
    }

    /** Brings an outcome into the journal by itself, when that is possible again. */
    Settled keep(Ending ending) throws InterruptedException {
        return settler.keep(ending);
    }

    /** Every action up to this one is settled and committed: the cell may forget them all. */
    void settled(ActionId mark) {
        cell.current().ifPresent(held -> held.lowWater(mark));
    }

    /**
     * Stops an action that was given up. Its request may still be on its way to the cell, which
     * then knows of nothing to stop: it is told again until the action has settled.
     */
    void stop(ActionId id) {
        asks.stop(id);
        if (inFlight.contains(id)) {
            givenUp.add(id);
            start(() -> {
                Duration pause = FIRST_PAUSE;
                while (inFlight.contains(id)) {
                    cancel(id);
                    Thread.sleep(pause);
                    pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : pause;
                }
                givenUp.remove(id);
            });
        }
    }

    private void cancel(ActionId id) {
        try {
            cell.current().ifPresent(held -> held.cancel(id));
        } catch (CellException e) {
            log.atDebug().addKeyValue("action", id).setCause(e).log("not stopped");
        }
    }

    /** Time has passed, or a key was given: asks what may be asked again. */
    void timer() {
        asks.due()
                .forEach((open, times) -> {
                    if (open.action().op() instanceof Op.ModelAsk ask) {
                        start(open, asks.prepare(open, ask, times));
                    }
                });
    }

    /** Keeps an ask waiting that the ledger knows as put off. */
    void park(Open open, Asks.Quota quota) {
        asks.park(open, quota);
    }

    /** The session's state, from what is open. */
    SessionState stateOf(OpenActions open, Turns turns) {
        if (turns.isEmpty()) {
            return SessionState.IDLE;
        }
        boolean goesOn =
                open.nextSerial().isPresent()
                        || open.any(ActionStatus.BLOCKED)
                        || open.all().stream().anyMatch(this::isUnderWay);
        if (goesOn) {
            return SessionState.RUNNING;
        }
        if (open.any(ActionStatus.WAITING_APPROVAL)) {
            return SessionState.WAITING_APPROVAL;
        }
        if (open.any(ActionStatus.WAITING_INPUT) || asks.missingKey().isPresent()) {
            return SessionState.WAITING_INPUT;
        }
        return asks.quota().isPresent() ? SessionState.WAITING_QUOTA : SessionState.RUNNING;
    }

    private boolean isUnderWay(Open action) {
        return action.status() == ActionStatus.DISPATCHED && !asks.isParked(action.action().id());
    }

    /** The same state with the reason that its users see. */
    StateChange explain(StateChange state) {
        return switch (state.to()) {
            case WAITING_INPUT ->
                    asks.missingKey()
                            .map(message ->
                                    new StateChange(
                                            state.to(),
                                            Optional.of(SessionLoop.KEY_MISSING),
                                            Optional.of(message)))
                            .orElse(state);
            case WAITING_QUOTA ->
                    asks.quota()
                            .map(quota ->
                                    new StateChange(
                                            state.to(),
                                            Optional.of(SessionLoop.QUOTA),
                                            Optional.of(quota.text())))
                            .orElse(state);
            case IDLE, RUNNING, WAITING_APPROVAL, SUSPENDED, STOPPED, FAILED -> state;
        };
    }

    /** As {@link #start(Asks.Work)}, and a fault of ours becomes the outcome. */
    private void start(Open open, Asks.Work work) {
        start(() -> {
            try {
                work.run();
            } catch (LedgerException e) {
                throw e;
            } catch (SecretException e) {
                unreadable(open, e);
            } catch (RuntimeException e) {
                log.atError()
                        .addKeyValue("action", open.action().id())
                        .setCause(e)
                        .log("an effect failed inside the host");
                broke(open, e);
            }
        });
    }

    /** Nothing was sent, because nobody knows what. */
    private void unreadable(Open open, SecretException e) throws InterruptedException {
        log.atWarn()
                .addKeyValue("action", open.action().id())
                .addKeyValue("code", e.code())
                .log("a body cannot be read");
        if (open.action().op() instanceof Op.ModelAsk) {
            settler.failure(
                    open.action().id(), open.turn(), Event.FailureCode.REFUSED, e.getMessage());
            return;
        }
        settle(open, Outcome.of(Outcome.Status.FAILED, e.getMessage()));
    }

    /** What failed inside the host must not leave its session waiting for ever. */
    private void broke(Open open, RuntimeException fault) throws InterruptedException {
        ActionId id = open.action().id();
        String why = "hanzo could not do it, which is a fault of hanzo: " + fault;
        if (open.action().op() instanceof Op.ModelAsk) {
            settler.failure(id, open.turn(), Event.FailureCode.REFUSED, why);
            return;
        }
        // An argument that is refused is refused before anything is sent.
        boolean isSafe =
                fault instanceof IllegalArgumentException || open.action().op() instanceof Op.Look;
        settle(open, isSafe ? Outcome.of(Outcome.Status.FAILED, why) : Recovery.inDoubt(why));
    }

    private void start(Asks.Work work) {
        threads.execute(() -> {
            try {
                work.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                // No outcome of it is in the ledger, and nobody would wait for one.
                whenBroken.accept(e);
            }
        });
    }

    private static Event.Family family(Op op) {
        return Event.Family.of(op)
                .orElseThrow(() -> new IllegalArgumentException(op + " has no result"));
    }

    @Override
    public void close() {
        asks.stopAll();
        threads.shutdownNow();
    }
}
