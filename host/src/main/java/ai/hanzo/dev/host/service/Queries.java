package ai.hanzo.dev.host.service;

import ai.hanzo.dev.host.op.Caller;
import ai.hanzo.dev.host.op.OpCode;
import ai.hanzo.dev.host.op.OpException;
import ai.hanzo.dev.host.op.v1.ActionsRequest;
import ai.hanzo.dev.host.op.v1.ActionsResponse;
import ai.hanzo.dev.host.op.v1.ApprovalsRequest;
import ai.hanzo.dev.host.op.v1.ApprovalsResponse;
import ai.hanzo.dev.host.op.v1.JournalRequest;
import ai.hanzo.dev.host.op.v1.JournalResponse;
import ai.hanzo.dev.host.op.v1.ListRequest;
import ai.hanzo.dev.host.op.v1.ListResponse;
import ai.hanzo.dev.host.session.LiveSessions;
import ai.hanzo.dev.host.stream.EntryViews;
import ai.hanzo.dev.ledger.ActionRow;
import ai.hanzo.dev.ledger.Approval;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.Page;
import ai.hanzo.dev.ledger.Run;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.ledger.Store;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Answers what callers ask of sessions. Changes nothing; safe for all threads. */
public final class Queries {
    private static final int DEFAULT_SESSIONS = 50;
    private static final int MAX_SESSIONS = 200;
    private static final int DEFAULT_ROWS = 200;
    private static final int MAX_ROWS = 1000;

    private final Store store;
    private final EntryViews entries;
    private final SessionViews views;

    public Queries(Store store, LiveSessions live, EntryViews entries) {
        this.store = store;
        this.entries = entries;
        this.views = new SessionViews(store, live);
    }

    static OrgId org(Caller caller) {
        return new OrgId(caller.org());
    }

    /** The session of that id, if it is the caller's. */
    Session session(Caller caller, String id) {
        SessionId session;
        try {
            session = new SessionId(id);
        } catch (IllegalArgumentException e) {
            throw OpException.notFound("session", id);
        }
        return store.journal()
                .session(org(caller), session)
                .orElseThrow(() -> OpException.notFound("session", id));
    }

    ai.hanzo.dev.host.op.v1.Session view(Session session) {
        return views.of(session);
    }

    ai.hanzo.dev.host.op.v1.Approval view(Approval approval) {
        return views.of(approval);
    }

    /** The oldest run that has not ended. */
    Optional<Run> unfinished(Session session) {
        return views.unfinished(session);
    }

    ListResponse list(Caller caller, ListRequest request) {
        int limit = limit(request.hasLimit(), request.getLimit(), DEFAULT_SESSIONS, MAX_SESSIONS);
        if (request.hasPath()) {
            ListResponse.Builder there = ListResponse.newBuilder();
            store.journal()
                    .sessionsAt(org(caller), request.getPath(), limit)
                    .forEach(session -> there.addSessions(views.of(session)));
            return there.build();
        }
        Set<SessionState> states =
                request.hasState() ? Set.of(SessionViews.state(request.getState())) : Set.of();
        Page<Session> page = store.journal().sessions(org(caller), states, cursor(request), limit);
        ListResponse.Builder response = ListResponse.newBuilder();
        page.items().forEach(session -> response.addSessions(views.of(session)));
        page.next().ifPresent(next -> response.setNextCursor(next.value()));
        return response.build();
    }

    private static Optional<SessionId> cursor(ListRequest request) {
        if (!request.hasCursor()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new SessionId(request.getCursor()));
        } catch (IllegalArgumentException e) {
            throw OpException.of(
                    OpCode.INVALID_CURSOR, "cursor: " + request.getCursor() + " was not given out");
        }
    }

    JournalResponse journal(Caller caller, JournalRequest request) {
        Session session = session(caller, request.getId());
        int limit = limit(request.hasLimit(), request.getLimit(), DEFAULT_ROWS, MAX_ROWS);
        Seq after = new Seq(after(request.getAfter()));
        List<Entry> page = store.journal().entries(session.org(), session.id(), after, limit);
        JournalResponse.Builder response = JournalResponse.newBuilder();
        page.forEach(entry -> response.addEntries(entries.of(entry)));
        boolean more = !page.isEmpty() && page.getLast().seq().compareTo(session.lastSeq()) < 0;
        return response.setMore(more).build();
    }

    ActionsResponse actions(Caller caller, ActionsRequest request) {
        Session session = session(caller, request.getId());
        int limit = limit(request.hasLimit(), request.getLimit(), DEFAULT_ROWS, MAX_ROWS);
        List<ActionRow> rows =
                store.journal()
                        .actions(
                                session.org(),
                                session.id(),
                                Set.of(),
                                after(request.getAfter()),
                                limit);
        ActionsResponse.Builder response =
                ActionsResponse.newBuilder().setMore(rows.size() == limit);
        rows.forEach(row -> response.addActions(views.of(row)));
        return response.build();
    }

    ApprovalsResponse approvals(Caller caller, ApprovalsRequest request) {
        int limit = limit(request.hasLimit(), request.getLimit(), DEFAULT_SESSIONS, MAX_SESSIONS);
        List<Approval> found =
                request.hasSession()
                        ? store.approvals()
                                .pendingIn(org(caller), session(caller, request.getSession()).id())
                        : store.approvals().pending(org(caller), limit);
        ApprovalsResponse.Builder response = ApprovalsResponse.newBuilder();
        found.stream().limit(limit).forEach(one -> response.addApprovals(views.of(one)));
        return response.build();
    }

    private static int limit(boolean given, int limit, int otherwise, int max) {
        if (!given) {
            return otherwise;
        }
        if (limit < 1 || limit > max) {
            throw OpException.invalid("limit", "is 1 to " + max);
        }
        return limit;
    }

    private static int after(int after) {
        if (after < 0) {
            throw OpException.invalid("after", "is 0 or more");
        }
        return after;
    }
}
