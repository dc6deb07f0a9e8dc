package ai.hanzo.dev.host.service;

import ai.hanzo.dev.host.op.Caller;
import ai.hanzo.dev.host.op.DevService;
import ai.hanzo.dev.host.op.v1.ActionsRequest;
import ai.hanzo.dev.host.op.v1.ActionsResponse;
import ai.hanzo.dev.host.op.v1.Approval;
import ai.hanzo.dev.host.op.v1.ApprovalsRequest;
import ai.hanzo.dev.host.op.v1.ApprovalsResponse;
import ai.hanzo.dev.host.op.v1.CancelRequest;
import ai.hanzo.dev.host.op.v1.DiffRequest;
import ai.hanzo.dev.host.op.v1.DiffResponse;
import ai.hanzo.dev.host.op.v1.ForkRequest;
import ai.hanzo.dev.host.op.v1.GetRequest;
import ai.hanzo.dev.host.op.v1.JournalRequest;
import ai.hanzo.dev.host.op.v1.JournalResponse;
import ai.hanzo.dev.host.op.v1.ListRequest;
import ai.hanzo.dev.host.op.v1.ListResponse;
import ai.hanzo.dev.host.op.v1.PurgeRequest;
import ai.hanzo.dev.host.op.v1.PurgeResponse;
import ai.hanzo.dev.host.op.v1.ResolveRequest;
import ai.hanzo.dev.host.op.v1.ResumeRequest;
import ai.hanzo.dev.host.op.v1.Session;
import ai.hanzo.dev.host.op.v1.StartRequest;
import ai.hanzo.dev.host.op.v1.StopRequest;
import ai.hanzo.dev.host.op.v1.SuspendRequest;
import ai.hanzo.dev.host.op.v1.TurnRequest;
import ai.hanzo.dev.host.op.v1.TurnResponse;
import ai.hanzo.dev.host.op.v1.UndoRequest;
import ai.hanzo.dev.host.op.v1.UndoResponse;
import ai.hanzo.dev.host.op.v1.VerifyRequest;
import ai.hanzo.dev.host.op.v1.VerifyResponse;

/** All ops, each handed to the class for its kind. Safe for all threads. */
public final class HostService implements DevService {
    private final Starts starts;
    private final Inputs inputs;
    private final Queries queries;
    private final Changes changes;
    private final Verifier verifier;
    private final Suspensions suspensions;
    private final Forks forks;
    private final Retention retention;

    public HostService(
            Starts starts, Inputs inputs, Queries queries, Changes changes, Others others) {
        this.starts = starts;
        this.inputs = inputs;
        this.queries = queries;
        this.changes = changes;
        this.verifier = others.verifier();
        this.suspensions = others.suspensions();
        this.forks = others.forks();
        this.retention = others.retention();
    }

    /** What goes beyond the life of a turn. */
    public record Others(
            Verifier verifier, Suspensions suspensions, Forks forks, Retention retention) {}

    @Override
    public Session start(Caller caller, StartRequest request) {
        return Failures.guarded(() -> queries.view(starts.start(caller, request)));
    }

    @Override
    public ListResponse list(Caller caller, ListRequest request) {
        return Failures.guarded(() -> queries.list(caller, request));
    }

    @Override
    public Session get(Caller caller, GetRequest request) {
        return Failures.guarded(() -> queries.view(queries.session(caller, request.getId())));
    }

    @Override
    public TurnResponse turn(Caller caller, TurnRequest request) {
        return Failures.guarded(() -> inputs.turn(caller, request));
    }

    @Override
    public Session stop(Caller caller, StopRequest request) {
        return Failures.guarded(() -> queries.view(inputs.stop(caller, request)));
    }

    @Override
    public PurgeResponse purge(Caller caller, PurgeRequest request) {
        return Failures.guarded(
                () -> retention.purge(caller, queries.session(caller, request.getId())));
    }

    @Override
    public Session suspend(Caller caller, SuspendRequest request) {
        return Failures.guarded(() ->
                queries.view(
                        suspensions.suspend(caller, queries.session(caller, request.getId()))));
    }

    @Override
    public Session resume(Caller caller, ResumeRequest request) {
        return Failures.guarded(() ->
                queries.view(
                        suspensions.resume(
                                caller,
                                queries.session(caller, request.getId()),
                                request.getEnvMap())));
    }

    @Override
    public Session fork(Caller caller, ForkRequest request) {
        return Failures.guarded(() ->
                queries.view(
                        forks.fork(caller, queries.session(caller, request.getId()), request)));
    }

    @Override
    public Session cancel(Caller caller, CancelRequest request) {
        return Failures.guarded(() -> queries.view(inputs.cancel(caller, request)));
    }

    @Override
    public UndoResponse undo(Caller caller, UndoRequest request) {
        return Failures.guarded(() -> changes.undo(caller, request));
    }

    @Override
    public JournalResponse journal(Caller caller, JournalRequest request) {
        return Failures.guarded(() -> queries.journal(caller, request));
    }

    @Override
    public ActionsResponse actions(Caller caller, ActionsRequest request) {
        return Failures.guarded(() -> queries.actions(caller, request));
    }

    @Override
    public DiffResponse diff(Caller caller, DiffRequest request) {
        return Failures.guarded(() -> changes.diff(caller, request));
    }

    @Override
    public VerifyResponse verify(Caller caller, VerifyRequest request) {
        return Failures.guarded(() -> verifier.verify(queries.session(caller, request.getId())));
    }

    @Override
    public ApprovalsResponse approvals(Caller caller, ApprovalsRequest request) {
        return Failures.guarded(() -> queries.approvals(caller, request));
    }

    @Override
    public Approval resolve(Caller caller, ResolveRequest request) {
        return Failures.guarded(() -> inputs.resolve(caller, request));
    }
}
