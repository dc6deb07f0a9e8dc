package ai.hanzo.dev.host.service;

import ai.hanzo.dev.host.op.Caller;
import ai.hanzo.dev.host.op.DevService;
import ai.hanzo.dev.host.op.OpCode;
import ai.hanzo.dev.host.op.OpException;
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
import ai.hanzo.dev.ledger.LedgerException;
import ai.hanzo.dev.sandbox.CellException;
import ai.hanzo.dev.workspace.WorkspaceException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All ops, each handed to the class for its kind. Safe for all threads. */
public final class HostService implements DevService {
    private static final Logger log = LoggerFactory.getLogger(HostService.class);

    private final Starts starts;
    private final Inputs inputs;
    private final Queries queries;
    private final Changes changes;
    private final Verifier verifier;
    private final Suspensions suspensions;
    private final Forks forks;

    public HostService(
            Starts starts, Inputs inputs, Queries queries, Changes changes, Others others) {
        this.starts = starts;
        this.inputs = inputs;
        this.queries = queries;
        this.changes = changes;
        this.verifier = others.verifier();
        this.suspensions = others.suspensions();
        this.forks = others.forks();
    }

    /** What goes beyond the life of a turn. */
    public record Others(Verifier verifier, Suspensions suspensions, Forks forks) {}

    @Override
    public Session start(Caller caller, StartRequest request) {
        return guarded(() -> queries.view(starts.start(caller, request)));
    }

    @Override
    public ListResponse list(Caller caller, ListRequest request) {
        return guarded(() -> queries.list(caller, request));
    }

    @Override
    public Session get(Caller caller, GetRequest request) {
        return guarded(() -> queries.view(queries.session(caller, request.getId())));
    }

    @Override
    public TurnResponse turn(Caller caller, TurnRequest request) {
        return guarded(() -> inputs.turn(caller, request));
    }

    @Override
    public Session stop(Caller caller, StopRequest request) {
        return guarded(() -> queries.view(inputs.stop(caller, request)));
    }

    @Override
    public Session suspend(Caller caller, SuspendRequest request) {
        return guarded(() ->
                queries.view(
                        suspensions.suspend(caller, queries.session(caller, request.getId()))));
    }

    @Override
    public Session resume(Caller caller, ResumeRequest request) {
        return guarded(() ->
                queries.view(
                        suspensions.resume(
                                caller,
                                queries.session(caller, request.getId()),
                                request.getEnvMap())));
    }

    @Override
    public Session fork(Caller caller, ForkRequest request) {
        return guarded(() ->
                queries.view(
                        forks.fork(caller, queries.session(caller, request.getId()), request)));
    }

    @Override
    public Session cancel(Caller caller, CancelRequest request) {
        return guarded(() -> queries.view(inputs.cancel(caller, request)));
    }

    @Override
    public UndoResponse undo(Caller caller, UndoRequest request) {
        return guarded(() -> changes.undo(caller, request));
    }

    @Override
    public JournalResponse journal(Caller caller, JournalRequest request) {
        return guarded(() -> queries.journal(caller, request));
    }

    @Override
    public ActionsResponse actions(Caller caller, ActionsRequest request) {
        return guarded(() -> queries.actions(caller, request));
    }

    @Override
    public DiffResponse diff(Caller caller, DiffRequest request) {
        return guarded(() -> changes.diff(caller, request));
    }

    @Override
    public VerifyResponse verify(Caller caller, VerifyRequest request) {
        return guarded(() -> verifier.verify(queries.session(caller, request.getId())));
    }

    @Override
    public ApprovalsResponse approvals(Caller caller, ApprovalsRequest request) {
        return guarded(() -> queries.approvals(caller, request));
    }

    @Override
    public Approval resolve(Caller caller, ResolveRequest request) {
        return guarded(() -> inputs.resolve(caller, request));
    }

    /** What is broken outside, in the words of the surface. */
    private static <T> T guarded(Supplier<T> op) {
        try {
            return op.get();
        } catch (LedgerException e) {
            log.atWarn().addKeyValue("code", e.code()).setCause(e).log("an op failed");
            String sentence = String.valueOf(e.getMessage());
            throw switch (e.code()) {
                case DATABASE_GONE, UNKNOWN_OUTCOME, CONFLICT, CLOSED, CANNOT_START ->
                        OpException.of(OpCode.DATABASE_UNAVAILABLE, sentence, "Try again.");
                case STORAGE_FULL -> OpException.of(OpCode.STORAGE_FULL, sentence);
                case CORRUPT, WRONG_VERSION, REFUSED -> OpException.internal(sentence, e);
            };
        } catch (CellException e) {
            log.atWarn().addKeyValue("code", e.code()).setCause(e).log("an op failed");
            throw OpException.of(
                    OpCode.SANDBOX_UNAVAILABLE,
                    String.valueOf(e.getMessage()),
                    "Run hanzo dev doctor to see what is missing.");
        } catch (WorkspaceException e) {
            log.atWarn().addKeyValue("code", e.code()).setCause(e).log("an op failed");
            String sentence = String.valueOf(e.getMessage());
            throw e.code() == WorkspaceException.Code.STORAGE_FULL
                    ? OpException.of(OpCode.STORAGE_FULL, sentence)
                    : OpException.of(OpCode.CONFLICT, sentence);
        }
    }
}
