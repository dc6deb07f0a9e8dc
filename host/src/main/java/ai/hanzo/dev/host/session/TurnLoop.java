package ai.hanzo.dev.host.session;

import ai.hanzo.dev.host.core.CoreException;
import ai.hanzo.dev.host.session.OpenActions.Open;
import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.Ending;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.Ledger;
import ai.hanzo.dev.ledger.LedgerException;
import ai.hanzo.dev.ledger.NewEntry;
import ai.hanzo.dev.ledger.RunStatus;
import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.ledger.StepCommit;
import ai.hanzo.dev.ledger.StepCommit.StateChange;
import ai.hanzo.dev.ledger.Stepped;
import ai.hanzo.dev.ledger.TurnedOver;
import ai.hanzo.dev.ledger.Usage;
import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.Failpoint;
import ai.hanzo.dev.protocol.Note;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.Resolution;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.protocol.id.TurnId;
import ai.hanzo.dev.protocol.wire.ActionWire;
import ai.hanzo.dev.protocol.wire.EventWire;
import ai.hanzo.dev.protocol.wire.NoteWire;
import ai.hanzo.dev.protocol.wire.ResolutionWire;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one place that calls core, policy, ledger and dispatch.
 *
 * <pre>
 *   a committed input ──► core ──► a batch of actions ──► policy, one decision each
 *                                                             │
 *        effects are sent  ◄── only what is committed ◄── ledger: one transaction
 * </pre>
 *
 * <p>Live and replay are the same code: an input is fed in the order of the journal, once, and what
 * the core made of it is committed before anything of it is sent. An outcome may be fed a moment
 * before it is in the journal: then the two are one transaction. All methods run on the session's
 * own thread. Throws {@link Fenced} when another host owns the session by now, and {@link
 * ai.hanzo.dev.ledger.LedgerException} when the database cannot keep it; then nothing was sent.
 */
final class TurnLoop {
    private static final Logger log = LoggerFactory.getLogger(TurnLoop.class);

    private final SessionScope scope;
    private final Ledger ledger;
    private final CoreSeat core;
    private final OpenActions open;
    private final Turns turns;
    private final Verdicts verdicts;
    private final Effects effects;
    private final TurnCheckpoints checkpoints;
    private final TurnLimit limit;

    TurnLoop(
            SessionScope scope,
            Ledger ledger,
            CoreSeat core,
            Book book,
            Verdicts verdicts,
            Effects effects) {
        this.scope = scope;
        this.ledger = ledger;
        this.core = core;
        this.open = book.open();
        this.turns = book.turns();
        this.checkpoints = book.checkpoints();
        this.limit = book.limit();
        this.verdicts = verdicts;
        this.effects = effects;
    }

    /** What a session keeps at hand of its rows. */
    record Book(OpenActions open, Turns turns, TurnCheckpoints checkpoints, TurnLimit limit) {}

    /** Whether the session is over. */
    enum Progress {
        GOES_ON,
        /** The journal may have more to eat. */
        MORE,
        OVER,
        /** Put away: the journal is all that is left of it here. */
        AWAY
    }

    /** Takes in one input: feeds it, commits what came of it, and sends what is to be sent. */
    Progress eat(Entry entry) {
        Failpoint.INPUT_READ.reached();
        Step step = new Step(entry.seq());
        limit.note(entry).ifPresent(step::note);
        EntryKind kind = entry.kind();
        if (kind.equals(EntryKind.STOP)) {
            end(step, StateChange.to(SessionState.STOPPED));
            return Progress.OVER;
        }
        if (kind.equals(EntryKind.SUSPEND)) {
            return putAway(step);
        }
        if (kind.equals(EntryKind.RESUME)) {
            checkpoints.resumed().ifPresent(step::note);
        } else if (kind.equals(EntryKind.APPROVAL)) {
            approve(ResolutionWire.decode(entry.payload()), step);
        } else {
            Optional<CoreException> fault = feed(entry, step);
            if (fault.isPresent()) {
                return fail(entry, fault.get());
            }
        }
        dispatchNext(step);
        commit(step);
        return Progress.GOES_ON;
    }

    private void dispatchNext(Step step) {
        open.nextSerial().ifPresent(next -> step.dispatch(next.action().id(), effects.marker()));
    }

    /**
     * Takes in an outcome that is not in the journal yet: feeds it, and commits it together with
     * what came of it. Outcomes for which something is to be done first are left to whoever brought
     * them.
     */
    Progress takeIn(Outcomes.Arrived arrived) throws InterruptedException {
        Ending ending = arrived.ending();
        try {
            if (!goesWithItsStep(ending)) {
                return Progress.MORE;
            }
            Joint joint = new Joint();
            TurnedOver over = turnOver(ending, joint);
            boolean fenced = over instanceof TurnedOver.Fenced;
            arrived.answer(fenced ? Outcomes.Taken.FENCED : Outcomes.Taken.KEPT);
            return followed(over, joint);
        } finally {
            // One that was answered stays answered.
            arrived.answer(Outcomes.Taken.LEFT);
        }
    }

    /**
     * Whether nothing lies between the outcome and its step, for other writers wait meanwhile:
     * after the last effect of a batch the workspace is recorded, and an effect to come may have to
     * wait for a cell. And whether nothing else is under way, which would have to begin anew with
     * the session if another host's entry came in between.
     */
    private boolean goesWithItsStep(Ending ending) {
        List<Open> underWay =
                open.all().stream()
                        .filter(o ->
                                o.status() == ActionStatus.DISPATCHED
                                        || o.status() == ActionStatus.IN_DOUBT)
                        .toList();
        Optional<Open> sent = open.get(ending.action()).filter(underWay::contains);
        return sent.isPresent()
                && underWay.size() == 1
                && effects.hasCell()
                && !(OpenActions.isSerial(sent.get().action().op()) && open.serials() == 1);
    }

    private TurnedOver turnOver(Ending ending, Joint joint) throws InterruptedException {
        try {
            return ledger.turnOver(scope.lease(), ending, joint);
        } catch (LedgerException e) {
            // The core may have eaten what is not in the journal: all begins anew from there. The
            // outcome is what cannot be had again.
            Settler.Settled _ = effects.keep(ending);
            throw e;
        }
    }

    private Progress followed(TurnedOver over, Joint joint) {
        return switch (over) {
            case TurnedOver.Committed _ -> {
                follow(joint.step.orElseThrow());
                yield Progress.GOES_ON;
            }
            case TurnedOver.OutcomeOnly(Entry outcome) ->
                    joint.fault.map(fault -> fail(outcome, fault)).orElse(Progress.MORE);
            case TurnedOver.NotOpen _ -> Progress.MORE;
            case TurnedOver.Overtaken _ -> throw new Overtaken(scope.id().value());
            case TurnedOver.Fenced(var current) -> throw fenced(current);
        };
    }

    /** The step of an outcome that is committed with it. */
    private final class Joint implements TurnedOver.NextStep {
        private Optional<Step> step = Optional.empty();
        private Optional<CoreException> fault = Optional.empty();

        @Override
        public Optional<StepCommit> after(Entry outcome) {
            Failpoint.INPUT_READ.reached();
            Step mine = new Step(outcome.seq());
            fault = feed(outcome, mine);
            if (fault.isPresent()) {
                return Optional.empty();
            }
            dispatchNext(mine);
            step = Optional.of(mine);
            return Optional.of(ready(mine, StateChange.to(effects.stateOf(open, turns))));
        }
    }

    /** Feeds the core; says why it cannot go on, if so. */
    private Optional<CoreException> feed(Entry entry, Step step) {
        try {
            moveCore(entry, step);
            if (entry.kind().equals(EntryKind.CONFIG) && entry.seq().value() == 1) {
                core.open(entry.payload());
            } else {
                Event event = EventWire.decode(entry.payload());
                before(event, entry, step);
                Bytes batch = core.step(EventWire.withEntry(entry.payload(), entry.seq()));
                ActionWire.decodeBatch(batch).forEach(action -> mint(action, step));
            }
            core.eaten(entry.seq());
            return Optional.empty();
        } catch (CoreException e) {
            return Optional.of(e);
        }
    }

    /** A turn begins on the current core; until it has ended the session stays on that one. */
    private void moveCore(Entry entry, Step step) {
        boolean begins =
                entry.kind().equals(EntryKind.TURN) || entry.kind().equals(EntryKind.CONFIG);
        if (begins && turns.isEmpty() && open.isEmpty()) {
            core.moveToCurrent().ifPresent(from -> step.movedTo(core.digest(), from));
        }
    }

    /** What the host itself has to do with an event before the core sees it. */
    private void before(Event event, Entry entry, Step step) {
        switch (event) {
            case Event.Turn turn -> {
                turns.put(turn.id(), RunStatus.QUEUED);
                checkpoints.beforeTurn(turn.id()).ifPresent(step::note);
            }
            case Event.ModelReply reply -> {
                open.remove(reply.id());
                step.used(new Usage(reply.usage().inputTokens(), reply.usage().outputTokens(), 1));
            }
            case Event.ModelFailed failed -> open.remove(failed.id());
            case Event.Answer answer -> open.remove(answer.id());
            case Event.Result result -> {
                boolean wasEffect =
                        open.get(result.id())
                                .filter(o -> OpenActions.isSerial(o.action().op()))
                                .isPresent();
                open.remove(result.id());
                if (wasEffect && !open.hasSerial()) {
                    checkpoints.afterBatch(entry.turn()).ifPresent(step::note);
                }
            }
            case Event.Timer _ -> effects.timer();
            case Event.Cancel _, Event.Resume _, Event.Configure _ -> {}
        }
    }

    /** One action of the core's batch: decided, and put into the step. */
    private void mint(Action action, Step step) {
        Optional<TurnId> turn = turns.current();
        switch (action.op()) {
            case Op.Emit _ -> step.action(verdicts.told(action, turn));
            case Op.Save _ -> {
                step.keep();
                step.action(verdicts.told(action, turn));
            }
            case Op.Done done -> {
                boolean isCurrent = turn.equals(Optional.of(done.turn()));
                step.action(verdicts.told(action, Optional.of(done.turn())));
                turns.end(done).forEach(step::run);
                if (isCurrent) {
                    giveUp(step);
                }
            }
            case Op.ModelAsk ask -> {
                effects.transcribe(action.id(), ask);
                decide(action, turn, step);
            }
            case Op.Read _,
                    Op.Write _,
                    Op.Patch _,
                    Op.Exec _,
                    Op.Git _,
                    Op.Browse _,
                    Op.Ask _,
                    Op.Send _,
                    Op.ListFiles _,
                    Op.Search _,
                    Op.Stat _ ->
                    decide(action, turn, step);
        }
    }

    private void decide(Action action, Optional<TurnId> turn, Step step) {
        boolean waits = OpenActions.isSerial(action.op()) && open.hasSerial();
        Optional<String> marker =
                OpenActions.isSerial(action.op()) ? effects.marker() : Optional.empty();
        var judged = verdicts.decide(action, turn, waits, marker);
        step.action(judged);
        if (judged.status() == ActionStatus.BLOCKED) {
            step.refuse(action.id(), verdicts.reason(action));
        }
        open.put(new Open(action, turn, judged.status(), /* approved= */ false));
    }

    /** The turn is over: what it still waits for is given up. */
    private void giveUp(Step step) {
        for (Open left : open.all()) {
            step.cancel(left.action().id());
            open.remove(left.action().id());
        }
    }

    private void approve(Resolution resolution, Step step) {
        Optional<Open> waiting =
                open.get(resolution.action())
                        .filter(o -> o.status() == ActionStatus.WAITING_APPROVAL);
        if (waiting.isEmpty()) {
            return;
        }
        if (resolution.approved()) {
            Open approved = waiting.get().approve();
            open.put(approved);
            if (!OpenActions.isSerial(approved.action().op())) {
                step.dispatch(approved.action().id(), Optional.empty());
            }
            return;
        }
        open.put(waiting.get().to(ActionStatus.BLOCKED));
        step.refuse(resolution.action(), no(resolution.by(), resolution.note()));
    }

    /** What the core is told when a person refuses. */
    static String no(String by, String note) {
        return by + " said no" + (note.isEmpty() ? "" : ": " + note);
    }

    /**
     * What a person or a model is waited for can wait longer. What is under way in the cell cannot:
     * then the session goes on, and a note says why.
     */
    private Progress putAway(Step step) {
        boolean isUnderWay =
                open.nextSerial().isPresent()
                        || open.any(ActionStatus.BLOCKED)
                        || open.all().stream()
                                .anyMatch(o ->
                                        o.status() == ActionStatus.DISPATCHED
                                                && !(o.action().op() instanceof Op.ModelAsk));
        if (isUnderWay) {
            Note note = new Note("suspend", "not put away: something is under way", Map.of());
            step.note(NewEntry.ofHost(EntryKind.NOTE, Optional.empty(), NoteWire.encode(note)));
            commit(step);
            return Progress.GOES_ON;
        }
        checkpoints.suspended().ifPresent(step::note);
        SessionState now = commit(step, StateChange.to(SessionState.SUSPENDED));
        return now == SessionState.SUSPENDED ? Progress.AWAY : Progress.GOES_ON;
    }

    private void commit(Step step) {
        commit(step, StateChange.to(effects.stateOf(open, turns)));
    }

    /** The step as it is written: with the states of run and session, and the core's if due. */
    private StepCommit ready(Step step, StateChange state) {
        runStatus(state.to()).flatMap(turns::move).ifPresent(step::run);
        boolean rests = state.to() != SessionState.RUNNING;
        core.due(rests || step.needsState()).ifPresent(step::snapshot);
        StepCommit commit = step.commit(effects.explain(state));
        Failpoint.STEP_READY.reached();
        return commit;
    }

    private SessionState commit(Step step, StateChange state) {
        StepCommit commit = ready(step, state);
        SessionState now =
                switch (ledger.step(scope.lease(), commit)) {
                    case Stepped.Committed committed -> committed.state();
                    case Stepped.Fenced(var current) -> throw fenced(current);
                    case Stepped.Stale(var consumed) ->
                            throw new IllegalStateException(
                                    "entry "
                                            + commit.consumed()
                                            + " was eaten before; at "
                                            + consumed);
                };
        follow(step);
        return now;
    }

    private Fenced fenced(Epoch current) {
        return new Fenced("session " + scope.id() + " is at epoch " + current);
    }

    /** What a committed step has behind it. */
    private void follow(Step step) {
        limit.follow(turns.current());
        open.settled().ifPresent(effects::settled);
        send(step);
    }

    private static Optional<RunStatus> runStatus(SessionState state) {
        return switch (state) {
            case RUNNING -> Optional.of(RunStatus.RUNNING);
            case WAITING_APPROVAL -> Optional.of(RunStatus.WAITING_APPROVAL);
            case WAITING_INPUT -> Optional.of(RunStatus.WAITING_INPUT);
            case WAITING_QUOTA, SUSPENDED -> Optional.of(RunStatus.PAUSED);
            case IDLE, STOPPED, FAILED -> Optional.empty();
        };
    }

    /** Only now, with everything committed, may anything leave. */
    private void send(Step step) {
        for (ActionId id : step.stopped()) {
            effects.stop(id);
        }
        for (ActionId id : step.sent()) {
            open.get(id).ifPresent(this::launch);
        }
        step.refused().forEach((id, why) -> open.get(id).ifPresent(o -> effects.refuse(o, why)));
    }

    private void launch(Open action) {
        Failpoint.SENDING.reached();
        Open sent = action.to(ActionStatus.DISPATCHED);
        open.put(sent);
        effects.launch(sent);
    }

    /** The session cannot go on: says so, for good. */
    private Progress fail(Entry entry, CoreException cause) {
        String code = "core_" + cause.code().name().toLowerCase(java.util.Locale.ROOT);
        log.atError()
                .addKeyValue("session", scope.id())
                .addKeyValue("code", code)
                .setCause(cause)
                .log("the core failed");
        String text = String.valueOf(cause.getMessage());
        // What the failed step had put together is void.
        end(
                new Step(entry.seq()),
                new StateChange(SessionState.FAILED, Optional.of(code), Optional.of(text)));
        return Progress.OVER;
    }

    /** Ends the session with all that is under way in it. */
    private void end(Step step, StateChange state) {
        boolean failed = state.to() == SessionState.FAILED;
        while (turns.current().isPresent()) {
            Op.Done done =
                    new Op.Done(
                            turns.current().get(),
                            failed ? Op.TurnOutcome.FAILED : Op.TurnOutcome.CANCELLED,
                            state.errorCode().orElse(""),
                            state.errorText().orElse(""));
            turns.end(done).forEach(step::run);
        }
        giveUp(step);
        if (!failed) {
            core.due(/* rests= */ true).ifPresent(step::snapshot);
        }
        if (ledger.step(scope.lease(), step.commit(state)) instanceof Stepped.Fenced(var current)) {
            throw fenced(current);
        }
        limit.follow(turns.current());
        send(step);
    }
}
