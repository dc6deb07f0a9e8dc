package ai.hanzo.dev.host.service;

import ai.hanzo.dev.host.core.CoreException;
import ai.hanzo.dev.host.model.ProviderSettings;
import ai.hanzo.dev.host.op.Caller;
import ai.hanzo.dev.host.op.OpCode;
import ai.hanzo.dev.host.op.OpException;
import ai.hanzo.dev.host.op.v1.CancelRequest;
import ai.hanzo.dev.host.op.v1.ResolveRequest;
import ai.hanzo.dev.host.op.v1.StopRequest;
import ai.hanzo.dev.host.op.v1.TurnRequest;
import ai.hanzo.dev.host.op.v1.TurnResponse;
import ai.hanzo.dev.host.secret.Secrets;
import ai.hanzo.dev.host.session.LiveSessions;
import ai.hanzo.dev.host.session.NewSessions;
import ai.hanzo.dev.ledger.Appended;
import ai.hanzo.dev.ledger.Approval;
import ai.hanzo.dev.ledger.Approvals.Choice;
import ai.hanzo.dev.ledger.Approvals.Resolution;
import ai.hanzo.dev.ledger.Approvals.Resolved;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.IdempotencyKey;
import ai.hanzo.dev.ledger.NewEntry;
import ai.hanzo.dev.ledger.Payload;
import ai.hanzo.dev.ledger.Run;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.ledger.Store;
import ai.hanzo.dev.protocol.Event;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.ApprovalId;
import ai.hanzo.dev.protocol.id.TurnId;
import ai.hanzo.dev.protocol.wire.EventWire;
import ai.hanzo.dev.protocol.wire.ResolutionWire;
import com.google.protobuf.Message;
import java.util.Optional;

/**
 * Brings what callers say into the journal, and wakes the session's loop. Nothing here waits for
 * what comes of it. Safe for all threads.
 */
public final class Inputs {
    private final Store store;
    private final LiveSessions live;
    private final Queries queries;
    private final Endings endings;
    private final Secrets secrets;

    /** With what is masked in what callers say. */
    public Inputs(
            Store store, LiveSessions live, Queries queries, Endings endings, Secrets secrets) {
        this.store = store;
        this.live = live;
        this.queries = queries;
        this.endings = endings;
        this.secrets = secrets;
    }

    TurnResponse turn(Caller caller, TurnRequest request) {
        Session session = queries.session(caller, request.getId());
        try {
            live.requireCore(session);
        } catch (CoreException e) {
            throw OpException.of(
                    OpCode.CONFLICT,
                    "Session " + session.id() + " cannot go on here: " + e.getMessage() + ".");
        }
        if (request.getEnvCount() > 0) {
            if (!caller.local()) {
                throw OpException.of(
                        OpCode.LOCAL_ONLY,
                        "Provider variables are taken from the owner of this machine only.");
            }
            live.learn(session.id(), ProviderSettings.of(request.getEnvMap()));
        }
        Appended appended =
                switch (request.getInputCase()) {
                    case PROMPT -> prompt(caller, session, request);
                    case ANSWER -> answer(caller, session, request);
                    case INPUT_NOT_SET -> goOn(caller, session, request);
                };
        Entry entry = committed(appended, session, request.getIdempotencyKey());
        live.ensure(session.org(), session.id());
        TurnResponse.Builder response =
                TurnResponse.newBuilder().setSequence(Math.toIntExact(entry.seq().value()));
        entry.turn().ifPresent(turn -> response.setTurn(Math.toIntExact(turn.value())));
        return response.build();
    }

    /** No input but a key: what waits for it is asked again. */
    private Appended goOn(Caller caller, Session session, TurnRequest request) {
        if (request.getEnvCount() == 0) {
            throw OpException.of(OpCode.INVALID_ARGUMENT, "send a prompt or an answer");
        }
        return store.ledger()
                .append(
                        session.org(),
                        session.id(),
                        new NewEntry(
                                EntryKind.TIMER,
                                Optional.empty(),
                                caller.name(),
                                Optional.empty(),
                                Payload.of(EventWire.encode(new Event.Timer()))));
    }

    private Appended prompt(Caller caller, Session session, TurnRequest request) {
        if (request.getPrompt().isBlank()) {
            throw OpException.invalid("prompt", "is empty");
        }
        return store.ledger()
                .append(
                        session.org(),
                        session.id(),
                        new NewEntry(
                                EntryKind.TURN,
                                Optional.empty(),
                                caller.name(),
                                key(request, request.getIdempotencyKey()),
                                NewSessions.turn(mask(request.getPrompt()))));
    }

    private Appended answer(Caller caller, Session session, TurnRequest request) {
        ActionId question = question(session, request.getAnswer().getQuestion());
        Event.Answer answer = new Event.Answer(question, mask(request.getAnswer().getText()));
        return store.ledger()
                .answer(
                        session.org(),
                        session.id(),
                        question,
                        new NewEntry(
                                EntryKind.ANSWER,
                                Optional.empty(),
                                caller.name(),
                                key(request, request.getIdempotencyKey()),
                                place -> EventWire.encode(answer, place.seq())));
    }

    private String mask(String text) {
        return secrets.redactor().mask(text);
    }

    /** The action of a question's id, which is SESSION/n or the bare n. */
    private static ActionId question(Session session, String id) {
        String prefix = session.id() + "/";
        String number = id.startsWith(prefix) ? id.substring(prefix.length()) : id;
        try {
            return new ActionId(Long.parseLong(number));
        } catch (IllegalArgumentException e) {
            throw OpException.invalid(
                    "answer.question", "'" + id + "' is not a question of this session");
        }
    }

    private static Optional<IdempotencyKey> key(Message request, String key) {
        return RequestKeys.of(!key.isEmpty(), key, request);
    }

    private static Entry committed(Appended appended, Session session, String key) {
        return switch (appended) {
            case Appended.Committed(Entry entry) -> entry;
            case Appended.Duplicate(Entry entry) -> entry;
            case Appended.KeyReused _ -> throw OpException.keyReused(key);
            case Appended.NoSession _ ->
                    throw OpException.notFound("session", session.id().value());
            case Appended.Closed(SessionState state) -> throw closed(session, state);
            case Appended.WorkspaceBusy(var holder) ->
                    throw OpException.workspaceBusy(
                            session.workspace().map(w -> w.path()).orElse(""), holder.value());
            case Appended.NotOpen(ActionId action) ->
                    throw OpException.of(
                            OpCode.NOT_WAITING,
                            "Question " + action + " has its answer already, or was never asked.");
        };
    }

    private static OpException closed(Session session, SessionState state) {
        return state.isFinal()
                ? OpException.of(
                        OpCode.SESSION_STOPPED,
                        "Session " + session.id() + " is over.",
                        "Start a new one.")
                : OpException.of(
                        OpCode.CONFLICT,
                        "Session " + session.id() + " is put away.",
                        "Take it up again first: hanzo dev resume " + session.id() + ".");
    }

    Session cancel(Caller caller, CancelRequest request) {
        Session session = queries.session(caller, request.getId());
        Optional<TurnId> current = queries.unfinished(session).map(Run::turn);
        if (current.isEmpty()) {
            return session;
        }
        TurnId turn = current.get();
        if (request.hasTurn() && request.getTurn() != turn.value()) {
            boolean known = request.getTurn() >= 1;
            if (!known) {
                throw OpException.invalid("turn", "is 1 or more");
            }
            turn = new TurnId(request.getTurn());
        }
        TurnId cancelled = turn;
        store.ledger()
                .append(
                        session.org(),
                        session.id(),
                        new NewEntry(
                                EntryKind.CANCEL,
                                Optional.of(cancelled),
                                caller.name(),
                                Optional.empty(),
                                Payload.of(EventWire.encode(new Event.Cancel(cancelled)))));
        live.ensure(session.org(), session.id());
        return queries.session(caller, request.getId());
    }

    Session stop(Caller caller, StopRequest request) {
        Session session = queries.session(caller, request.getId());
        endings.stop(session);
        return queries.session(caller, request.getId());
    }

    ai.hanzo.dev.host.op.v1.Approval resolve(Caller caller, ResolveRequest request) {
        ApprovalId id;
        try {
            id = new ApprovalId(request.getId());
        } catch (IllegalArgumentException e) {
            throw OpException.notFound("approval", request.getId());
        }
        Approval waiting =
                store.approvals()
                        .get(Queries.org(caller), id)
                        .orElseThrow(() -> OpException.notFound("approval", request.getId()));
        boolean approved =
                switch (request.getDecision()) {
                    case approve -> true;
                    case deny -> false;
                    case resolution_unspecified, UNRECOGNIZED ->
                            throw OpException.invalid("decision", "is approve or deny");
                };
        Optional<String> note =
                request.hasNote() ? Optional.of(mask(request.getNote())) : Optional.empty();
        var payload =
                new ai.hanzo.dev.protocol.Resolution(
                        id, waiting.action(), approved, caller.name(), note.orElse(""));
        Resolution resolution =
                new Resolution(
                        approved ? Choice.APPROVE : Choice.DENY,
                        caller.name(),
                        note,
                        Payload.of(ResolutionWire.encode(payload)));
        return switch (store.approvals().resolve(Queries.org(caller), id, resolution)) {
            case Resolved.Committed(Approval done, Entry _) -> {
                live.ensure(done.org(), done.session());
                yield queries.view(done);
            }
            case Resolved.AlreadyResolved(Approval done) ->
                    throw OpException.of(
                            OpCode.ALREADY_RESOLVED,
                            "Approval " + id + " is " + done.status() + " already.");
            case Resolved.NotFound _ -> throw OpException.notFound("approval", request.getId());
        };
    }
}
