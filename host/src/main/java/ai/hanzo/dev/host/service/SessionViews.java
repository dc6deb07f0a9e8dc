package ai.hanzo.dev.host.service;

import ai.hanzo.dev.host.op.v1.ActionRow.Status;
import ai.hanzo.dev.host.op.v1.Lease;
import ai.hanzo.dev.host.op.v1.Policy;
import ai.hanzo.dev.host.op.v1.Question;
import ai.hanzo.dev.host.op.v1.Turn;
import ai.hanzo.dev.host.op.v1.Usage;
import ai.hanzo.dev.host.op.v1.Workspace;
import ai.hanzo.dev.host.session.LiveSessions;
import ai.hanzo.dev.host.stream.EntryViews;
import ai.hanzo.dev.host.stream.OpText;
import ai.hanzo.dev.ledger.ActionRow;
import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.Approval;
import ai.hanzo.dev.ledger.Run;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.ledger.Store;
import ai.hanzo.dev.protocol.Op;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.wire.ActionWire;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Shows the rows of the ledger as the surfaces show them. Safe for all threads. */
final class SessionViews {
    private static final int RUNS = 1000;

    private final Store store;
    private final LiveSessions live;

    SessionViews(Store store, LiveSessions live) {
        this.store = store;
        this.live = live;
    }

    static SessionState state(ai.hanzo.dev.host.op.v1.Session.State state) {
        try {
            return SessionState.valueOf(state.name().toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw ai.hanzo.dev.host.op.OpException.invalid("state", "is not a state");
        }
    }

    ai.hanzo.dev.host.op.v1.Session of(Session row) {
        var view =
                ai.hanzo.dev.host.op.v1.Session.newBuilder()
                        .setId(row.id().value())
                        .setState(ai.hanzo.dev.host.op.v1.Session.State.valueOf(word(row.state())))
                        .setSequence(Math.toIntExact(row.lastSeq().value()))
                        .setModel(row.model())
                        .setPolicy(
                                Policy.newBuilder()
                                        .setName(row.policy())
                                        .setDigest(row.rules().toHex()))
                        .setUsage(usage(row))
                        .setCreatedAt(EntryViews.time(row.createdAt()))
                        .setUpdatedAt(EntryViews.time(row.updatedAt()));
        row.workspace()
                .ifPresent(place ->
                        view.setWorkspace(
                                Workspace.newBuilder()
                                        .setPath(place.path())
                                        .setReadOnly(
                                                place.access()
                                                        == ai.hanzo.dev.ledger.Workspace.Access
                                                                .READ)));
        live.leaseOf(row.id())
                .ifPresent(lease ->
                        view.setLease(
                                Lease.newBuilder()
                                        .setHolder(lease.host().value())
                                        .setEpoch(lease.epoch().value())));
        unfinished(row).or(() -> newest(row)).ifPresent(run -> view.setTurn(turn(run)));
        store.approvals()
                .pendingIn(row.org(), row.id())
                .forEach(approval -> view.addPendingApprovals(of(approval)));
        store.journal().openActions(row.org(), row.id()).stream()
                .filter(action -> action.status() == ActionStatus.WAITING_INPUT)
                .forEach(action -> view.addPendingQuestions(question(row.id(), action)));
        row.errorCode().ifPresent(view::setCode);
        row.errorText().ifPresent(view::setMessage);
        return view.build();
    }

    private static Usage usage(Session row) {
        return Usage.newBuilder()
                .setInputTokens(clamp(row.usage().inputTokens()))
                .setOutputTokens(clamp(row.usage().outputTokens()))
                .setModelCalls(clamp(row.usage().modelCalls()))
                .build();
    }

    /** The oldest run that has not ended. */
    Optional<Run> unfinished(Session row) {
        return runs(row).stream().filter(run -> !run.status().isFinal()).findFirst();
    }

    private Optional<Run> newest(Session row) {
        return row.lastTurn().flatMap(turn -> store.journal().run(row.org(), row.id(), turn));
    }

    private List<Run> runs(Session row) {
        // Turns end in order: what has not ended is among the last ones.
        long last = row.lastTurn().map(turn -> turn.value()).orElse(0L);
        long after = Math.max(0, last - RUNS);
        return store.journal().runs(row.org(), row.id(), after, RUNS);
    }

    private static Turn turn(Run run) {
        Turn.Builder view =
                Turn.newBuilder()
                        .setId(Math.toIntExact(run.turn().value()))
                        .setRun(run.id().value())
                        .setStatus(Turn.Status.valueOf(word(run.status())))
                        .setStartedAt(EntryViews.time(run.createdAt()));
        run.endedAt().ifPresent(at -> view.setEndedAt(EntryViews.time(at)));
        run.errorCode().ifPresent(view::setCode);
        run.errorText().ifPresent(view::setMessage);
        return view.build();
    }

    private static Question question(SessionId session, ActionRow action) {
        Question.Builder view =
                Question.newBuilder()
                        .setId(session + "/" + action.id())
                        .setSeq(Math.toIntExact(action.seq().value()));
        if (ActionWire.decode(action.payload()).op() instanceof Op.Ask ask) {
            view.setQuestion(ask.question()).addAllChoices(ask.choices());
            if (!ask.schema().isEmpty()) {
                view.setSchema(ask.schema());
            }
        }
        return view.build();
    }

    ai.hanzo.dev.host.op.v1.Approval of(Approval approval) {
        var view =
                ai.hanzo.dev.host.op.v1.Approval.newBuilder()
                        .setId(approval.id().value())
                        .setSession(approval.session().value())
                        .setAction(Math.toIntExact(approval.action().value()))
                        .setSummary(approval.summary())
                        .setStatus(
                                ai.hanzo.dev.host.op.v1.Approval.Status.valueOf(
                                        word(approval.status())))
                        .setCreatedAt(EntryViews.time(approval.createdAt()));
        approval.resolvedAt().ifPresent(at -> view.setResolvedAt(EntryViews.time(at)));
        approval.resolvedBy().ifPresent(view::setResolvedBy);
        approval.note().ifPresent(view::setNote);
        ActionId action = approval.action();
        store.journal()
                .action(approval.org(), approval.session(), action)
                .ifPresent(row -> view.setOp(row.kind()));
        store.journal()
                .decision(approval.org(), approval.session(), action)
                .ifPresent(row ->
                        view.setDecision(
                                EntryViews.decision(row).toBuilder()
                                        .setApproval(approval.id().value())));
        return view.build();
    }

    ai.hanzo.dev.host.op.v1.ActionRow of(ActionRow row) {
        Op op = ActionWire.decode(row.payload()).op();
        var view =
                ai.hanzo.dev.host.op.v1.ActionRow.newBuilder()
                        .setAction(Math.toIntExact(row.id().value()))
                        .setOp(row.kind())
                        .setSummary(OpText.line(op))
                        .setStatus(status(row.status()))
                        .setSeq(Math.toIntExact(row.seq().value()))
                        .setRecordedAt(EntryViews.time(row.createdAt()));
        row.turn().ifPresent(turn -> view.setTurn(Math.toIntExact(turn.value())));
        outcome(row.status()).ifPresent(view::setOutcome);
        row.outcome().ifPresent(seq -> view.setCompletedSeq(Math.toIntExact(seq.value())));
        row.completedAt().ifPresent(at -> view.setCompletedAt(EntryViews.time(at)));
        store.journal()
                .decision(row.org(), row.session(), row.id())
                .ifPresent(decision -> view.setDecision(EntryViews.decision(decision)));
        return view.build();
    }

    private static Status status(ActionStatus status) {
        return switch (status) {
            case REQUESTED, WAITING_INPUT -> Status.recorded;
            case WAITING_APPROVAL -> Status.waiting_approval;
            case DISPATCHED -> Status.dispatched;
            case BLOCKED -> Status.blocked;
            case COMPLETED, FAILED, CANCELLED, IN_DOUBT -> Status.completed;
        };
    }

    private static Optional<String> outcome(ActionStatus status) {
        return switch (status) {
            case COMPLETED -> Optional.of("ok");
            case FAILED -> Optional.of("failed");
            case CANCELLED -> Optional.of("cancelled");
            case IN_DOUBT -> Optional.of("in_doubt");
            case BLOCKED -> Optional.of("denied");
            case REQUESTED, WAITING_INPUT, WAITING_APPROVAL, DISPATCHED -> Optional.empty();
        };
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static int clamp(long tokens) {
        return (int) Math.min(tokens, Integer.MAX_VALUE);
    }
}
