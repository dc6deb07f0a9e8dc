package ai.hanzo.dev.host.session;

import ai.hanzo.dev.host.core.CoreDigest;
import ai.hanzo.dev.host.dispatch.CellEffects;
import ai.hanzo.dev.host.dispatch.Denials;
import ai.hanzo.dev.host.model.Models.Selection;
import ai.hanzo.dev.host.model.Transcripts;
import ai.hanzo.dev.host.secret.SecretException;
import ai.hanzo.dev.host.secret.Vault;
import ai.hanzo.dev.host.session.OpenActions.Open;
import ai.hanzo.dev.ledger.ActionRow;
import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.Approval;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.IdempotencyKey;
import ai.hanzo.dev.ledger.Journal;
import ai.hanzo.dev.ledger.Lease;
import ai.hanzo.dev.ledger.NewEntry;
import ai.hanzo.dev.ledger.Payload;
import ai.hanzo.dev.ledger.Run;
import ai.hanzo.dev.ledger.Sealed;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.policy.Rules;
import ai.hanzo.dev.protocol.Action;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Content;
import ai.hanzo.dev.protocol.Failpoint;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.wire.ActionWire;
import ai.hanzo.dev.protocol.wire.NoteWire;
import ai.hanzo.dev.sandbox.Cell;
import ai.hanzo.dev.workspace.Workspace;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A session while this host owns it: rebuilt from its journal, then one input after the other until
 * it is idle for long, stopped, or another host's. Everything here runs on one virtual thread;
 * {@link #stop} and {@link #ring} may be called from any.
 */
final class SessionLoop {
    /** Why a session waits: the code that its users see. */
    static final String KEY_MISSING = "key_missing";

    static final String QUOTA = "quota_wait";
    private static final int PAGE = 200;

    private final SessionParts parts;
    private final Lease lease;
    private final Supplier<ModelChoice> model;
    private final Optional<Cell> leased;
    private final Vault vault;
    private final JournalReads reads;
    private final Bell bell = new Bell();
    private final Outcomes outcomes = new Outcomes(bell::ring);
    private final CompletableFuture<SessionCell> place = new CompletableFuture<>();
    private final AtomicInteger guests = new AtomicInteger();
    private final AtomicReference<@Nullable RuntimeException> fault = new AtomicReference<>();
    private volatile boolean stopping;
    private volatile boolean fenced;

    /** What a session says of its model, and how that is turned into a provider. */
    interface ModelChoice {
        Selection select(String spec, String script);
    }

    /** How a loop ended. */
    enum End {
        /** Nothing to do for long: the session was put away. */
        IDLE,
        /** The session has ended for good. */
        OVER,
        /** The session was put away, as it was asked for. */
        AWAY,
        /** {@link #stop} was called. */
        STOPPED,
        /** The session is another host's. */
        GONE
    }

    SessionLoop(
            SessionParts parts, Lease lease, Supplier<ModelChoice> model, Optional<Cell> leased) {
        this.parts = parts;
        this.lease = lease;
        this.model = model;
        this.leased = leased;
        this.vault = parts.vaults().of(lease.org(), lease.session());
        this.reads = new JournalReads(parts.store().journal(), lease, vault);
    }

    /** There may be something new. */
    void ring() {
        bell.ring();
    }

    /** The loop is to end; its cell and commands live on. */
    void stop() {
        stopping = true;
        bell.ring();
    }

    /** The session's cell, as soon as the loop has one to give; empty if it ended before. */
    Optional<SessionCell> place(Duration atMost) throws InterruptedException {
        try {
            return Optional.of(place.get(atMost.toMillis(), TimeUnit.MILLISECONDS));
        } catch (ExecutionException | CancellationException | TimeoutException e) {
            return Optional.empty();
        }
    }

    /** A person works in the cell: until {@link #leave} it is not put away for idleness. */
    void enter() {
        guests.incrementAndGet();
    }

    void leave() {
        guests.decrementAndGet();
    }

    /** A guest found the cell broken. */
    void lost(Cell broken) {
        if (place.state() == Future.State.SUCCESS) {
            place.resultNow().lost(broken);
        }
    }

    private void fence() {
        fenced = true;
        bell.ring();
    }

    /** An effect was left without an outcome: the ledger knows how far it came. */
    private void broke(RuntimeException why) {
        fault.compareAndSet(null, why);
        bell.ring();
    }

    /** Runs until the end. Throws LedgerException and CoreException; it may then be run anew. */
    End run() throws InterruptedException {
        try {
            return own();
        } finally {
            place.cancel(/* mayInterruptIfRunning= */ false);
            outcomes.close();
        }
    }

    private End own() throws InterruptedException {
        Journal journal = parts.store().journal();
        Session row =
                journal.session(lease.org(), lease.session())
                        .orElseThrow(() -> new Fenced("no session " + lease.session()));
        if (row.formatVersion() > Entry.FORMAT_VERSION) {
            throw new IllegalStateException(
                    "session "
                            + row.id()
                            + " has format "
                            + row.formatVersion()
                            + ", newer than "
                            + Entry.FORMAT_VERSION
                            + ": it is read-only here");
        }
        SessionScope scope = new SessionScope(lease, row, reads.config(), reads.setup(row));
        SessionCell cell =
                new SessionCell(
                        parts.cells(),
                        parts.specs().of(lease.session(), lease.epoch(), scope.setup()),
                        parts.proxies(),
                        rules(scope.setup()).network());
        leased.ifPresent(cell::adopt);
        place.complete(cell);
        try (CoreSeat core =
                        new CoreSeat(
                                parts.cores(),
                                new CoreDigest(row.core().toHex()),
                                lease.session(),
                                parts.seals().of(lease.org()));
                cell;
                Effects effects = effects(scope, cell);
                outcomes;
                var _ =
                        parts.store()
                                .tails()
                                .of(lease.org(), lease.session(), (_, _, _) -> bell.ring())) {
            TurnLoop turns;
            try (var _ = cell.hold()) {
                turns = rebuild(scope, core, effects);
            }
            Failpoint.REBUILT.reached();
            return serve(turns, cell);
        }
    }

    private End serve(TurnLoop turns, SessionCell cell) throws InterruptedException {
        while (true) {
            if (stopping) {
                return End.STOPPED;
            }
            if (fenced) {
                return End.GONE;
            }
            RuntimeException broken = fault.get();
            if (broken != null) {
                throw broken;
            }
            Optional<Outcomes.Arrived> outcome = outcomes.next();
            if (outcome.isPresent()) {
                TurnLoop.Progress progress = takeIn(turns, cell, outcome.get());
                if (progress == TurnLoop.Progress.OVER) {
                    return ended(cell, End.OVER);
                }
                if (progress == TurnLoop.Progress.GOES_ON) {
                    continue;
                }
            }
            List<Entry> inputs =
                    parts.store().journal().unconsumed(lease.org(), lease.session(), PAGE);
            for (Entry input : inputs) {
                switch (eat(turns, cell, input)) {
                    case GOES_ON, MORE -> {}
                    case AWAY -> {
                        return ended(cell, End.AWAY);
                    }
                    case OVER -> {
                        return ended(cell, End.OVER);
                    }
                }
            }
            if (inputs.isEmpty()
                    && !bell.await(parts.idleAfter())
                    && guests.get() == 0
                    && isIdle()) {
                return ended(cell, End.IDLE);
            }
        }
    }

    private static End ended(SessionCell cell, End end) {
        cell.kill();
        return end;
    }

    /** What it sends keeps the cell by itself. */
    private static TurnLoop.Progress eat(TurnLoop turns, SessionCell cell, Entry input) {
        try (var _ = cell.hold()) {
            return turns.eat(input);
        }
    }

    private static TurnLoop.Progress takeIn(
            TurnLoop turns, SessionCell cell, Outcomes.Arrived outcome)
            throws InterruptedException {
        try (var _ = cell.hold()) {
            return turns.takeIn(outcome);
        }
    }

    private boolean isIdle() {
        return parts.store()
                .journal()
                .session(lease.org(), lease.session())
                .map(row ->
                        EnumSet.of(SessionState.IDLE, SessionState.STOPPED, SessionState.FAILED)
                                .contains(row.state()))
                .orElse(true);
    }

    /** The turn loop as the rows say it was. */
    private TurnLoop rebuild(SessionScope scope, CoreSeat core, Effects effects) {
        Journal journal = parts.store().journal();
        new Seating(journal, lease, core, () -> CoreHistory.of(journal, scope.row()))
                .seat(scope.row().consumed());
        transcribe(effects);
        OpenActions open = new OpenActions();
        Turns turns = new Turns();
        for (Run run : unfinished()) {
            if (scope.row().consumed().compareTo(run.seq()) >= 0) {
                turns.put(run.turn(), run.status());
            }
        }
        for (ActionRow row : journal.openActions(lease.org(), lease.session())) {
            Action action = ActionWire.decode(row.payload());
            Optional<Approval> answer = answer(row);
            boolean isApproved = said(answer, Approval.Status.APPROVED);
            Open found = new Open(action, row.turn(), row.status(), isApproved);
            if (said(answer, Approval.Status.REJECTED)) {
                // The host that knew may have gone before the core was told.
                open.put(found.to(ActionStatus.BLOCKED));
                effects.refuse(found, no(answer.orElseThrow()));
            } else {
                open.put(found);
                take(found, row, scope, effects);
            }
        }
        Workspace workspace = workspace(scope);
        TurnCheckpoints checkpoints =
                new TurnCheckpoints(parts.checkpoints(), workspace, scope.setup().readOnly());
        Verdicts verdicts =
                new Verdicts(
                        rules(scope.setup()),
                        op ->
                                parts.facts()
                                        .of(
                                                readable(op),
                                                workspace.path().toString(),
                                                scope.setup().readOnly()),
                        parts.ids());
        TurnLimit limit = new TurnLimit(scope, parts.store().timers(), parts.clock());
        limit.follow(turns.current());
        return new TurnLoop(
                scope,
                parts.store().ledger(),
                core,
                new TurnLoop.Book(open, turns, checkpoints, limit),
                verdicts,
                effects);
    }

    /** Policy reads patches; one that cannot be read is judged as one of the whole workspace. */
    private Op readable(Op op) {
        try {
            return vault.open(op);
        } catch (SecretException e) {
            return new Op.Patch(Content.NONE);
        }
    }

    /** Goes on with an action that was open when the last owner went. */
    private void take(Open open, ActionRow row, SessionScope scope, Effects effects) {
        switch (row.status()) {
            case DISPATCHED, IN_DOUBT -> {
                Optional<Asks.Quota> quota = parked(scope.row());
                if (open.action().op() instanceof Op.ModelAsk && quota.isPresent()) {
                    effects.park(open, quota.get());
                } else {
                    effects.recover(open, row.marker());
                }
            }
            case BLOCKED -> effects.refuse(open, "policy refused it before the host restarted");
            case REQUESTED, WAITING_APPROVAL, WAITING_INPUT, COMPLETED, FAILED, CANCELLED -> {}
        }
    }

    private static Optional<Asks.Quota> parked(Session row) {
        return row.state() == SessionState.WAITING_QUOTA
                ? row.errorText().flatMap(Asks.Quota::parse)
                : Optional.empty();
    }

    /** What a person said of an action that waits for it in the rows. */
    private Optional<Approval> answer(ActionRow row) {
        return row.status() == ActionStatus.WAITING_APPROVAL
                ? parts.store().approvals().ofAction(lease.org(), lease.session(), row.id())
                : Optional.empty();
    }

    private static boolean said(Optional<Approval> answer, Approval.Status what) {
        return answer.filter(approval -> approval.status() == what).isPresent();
    }

    private static String no(Approval approval) {
        return TurnLoop.no(approval.resolvedBy().orElse("nobody"), approval.note().orElse(""));
    }

    private void transcribe(Effects effects) {
        long after = 0;
        while (true) {
            List<ActionRow> page =
                    parts.store()
                            .journal()
                            .actions(lease.org(), lease.session(), java.util.Set.of(), after, PAGE);
            for (ActionRow row : page) {
                after = row.id().value();
                if (row.kind().equals("model")
                        && ActionWire.decode(row.payload()).op() instanceof Op.ModelAsk ask) {
                    effects.transcribe(row.id(), ask);
                }
            }
            if (page.size() < PAGE) {
                return;
            }
        }
    }

    private List<Run> unfinished() {
        List<Run> found = new java.util.ArrayList<>();
        long after = 0;
        while (true) {
            List<Run> page =
                    parts.store().journal().runs(lease.org(), lease.session(), after, PAGE);
            for (Run run : page) {
                after = run.turn().value();
                if (!run.status().isFinal()) {
                    found.add(run);
                }
            }
            if (page.size() < PAGE) {
                return found;
            }
        }
    }

    private Effects effects(SessionScope scope, SessionCell cell) {
        Settler settler = new Settler(parts.store().ledger(), lease, vault, outcomes, this::fence);
        Transcripts transcripts = new Transcripts(reads::event);
        Denials denials =
                new Denials(
                        new DenialNotes(parts.store().ledger(), lease, vault),
                        cell::deniedConnections);
        Duration limit = Duration.ofSeconds(scope.setup().commandSeconds());
        Function<Cell, CellEffects> inCell = held -> parts.inCell().of(held, denials, limit);
        Asks asks =
                new Asks(
                        scope,
                        transcripts,
                        () ->
                                model.get()
                                        .select(
                                                scope.row().model(),
                                                vault.value(scope.setup().script())),
                        settler,
                        new AskNews(parts, lease),
                        parts.clock());
        return new Effects(
                new Effects.Means(cell, inCell, parts.web(), vault),
                asks,
                settler,
                Executors.newVirtualThreadPerTaskExecutor(),
                this::broke);
    }

    static Rules rules(SessionSetup setup) {
        SessionSetup.Rules rules = setup.rules();
        return rules.source().isEmpty()
                ? Rules.preset(rules.name())
                : Rules.parse(rules.name(), rules.source());
    }

    private static Workspace workspace(SessionScope scope) {
        ai.hanzo.dev.ledger.Workspace kept =
                scope.row()
                        .workspace()
                        .orElseThrow(() -> new IllegalStateException("a session without a place"));
        return new Workspace(java.nio.file.Path.of(kept.path()), kept.device(), kept.inode(), 0, 0);
    }

    /** The note that begins a session, written once, and what it names. */
    static NewEntry setupEntry(SessionSetup setup, Sealed sealed) {
        Bytes bytes = NoteWire.encode(setup.toNote());
        return new NewEntry(
                EntryKind.NOTE,
                Optional.empty(),
                NewEntry.HOST,
                Optional.of(new IdempotencyKey("session", Sha256.of(bytes))),
                Payload.of(bytes),
                sealed);
    }
}
