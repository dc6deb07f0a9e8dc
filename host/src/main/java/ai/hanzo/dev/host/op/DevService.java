package ai.hanzo.dev.host.op;

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

/**
 * What every surface can ask of the host, one method per op of {@code dev.proto}. May be called
 * from any thread at once; each call may block on the database. All throw {@link OpException}, and
 * only that, for what the caller can understand: another org's id is {@link OpCode#NOT_FOUND}.
 *
 * <p>A request that carries an idempotency key is answered once: the same key from the same org
 * with the same {@link RequestDigest} gives the first answer again, another digest {@link
 * OpCode#IDEMPOTENCY_KEY_REUSED}.
 */
public interface DevService {
    /** Opens a session; with a prompt its first turn is recorded before this returns. */
    Session start(Caller caller, StartRequest request);

    ListResponse list(Caller caller, ListRequest request);

    Session get(Caller caller, GetRequest request);

    /** Records a prompt or an answer, and returns without waiting for what comes of it. */
    TurnResponse turn(Caller caller, TurnRequest request);

    /** Ends the session for good; of a stopped one it returns what is there. */
    Session stop(Caller caller, StopRequest request);

    /** Removes a session that is over; of any other {@link OpCode#CONFLICT}. */
    PurgeResponse purge(Caller caller, PurgeRequest request);

    /** Puts a session away; of one that is away it returns what is there. */
    Session suspend(Caller caller, SuspendRequest request);

    /** Goes on with a session that was put away; any other it returns as it is. */
    Session resume(Caller caller, ResumeRequest request);

    /** Begins a session with the journal of another. */
    Session fork(Caller caller, ForkRequest request);

    /** Cancels the turn that runs; with none running it changes nothing. */
    Session cancel(Caller caller, CancelRequest request);

    UndoResponse undo(Caller caller, UndoRequest request);

    JournalResponse journal(Caller caller, JournalRequest request);

    ActionsResponse actions(Caller caller, ActionsRequest request);

    DiffResponse diff(Caller caller, DiffRequest request);

    /** Checks all that is kept of a session; changes nothing. */
    VerifyResponse verify(Caller caller, VerifyRequest request);

    ApprovalsResponse approvals(Caller caller, ApprovalsRequest request);

    /** Once: of two callers the second gets {@link OpCode#ALREADY_RESOLVED}. */
    Approval resolve(Caller caller, ResolveRequest request);
}
