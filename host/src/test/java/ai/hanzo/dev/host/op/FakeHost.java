package ai.hanzo.dev.host.op;

import ai.hanzo.dev.host.op.v1.ActionsRequest;
import ai.hanzo.dev.host.op.v1.ActionsResponse;
import ai.hanzo.dev.host.op.v1.Approval;
import ai.hanzo.dev.host.op.v1.ApprovalsRequest;
import ai.hanzo.dev.host.op.v1.ApprovalsResponse;
import ai.hanzo.dev.host.op.v1.CancelRequest;
import ai.hanzo.dev.host.op.v1.Delta;
import ai.hanzo.dev.host.op.v1.DiffRequest;
import ai.hanzo.dev.host.op.v1.DiffResponse;
import ai.hanzo.dev.host.op.v1.Entry;
import ai.hanzo.dev.host.op.v1.ForkRequest;
import ai.hanzo.dev.host.op.v1.GetRequest;
import ai.hanzo.dev.host.op.v1.JournalEntry;
import ai.hanzo.dev.host.op.v1.JournalRequest;
import ai.hanzo.dev.host.op.v1.JournalResponse;
import ai.hanzo.dev.host.op.v1.ListRequest;
import ai.hanzo.dev.host.op.v1.ListResponse;
import ai.hanzo.dev.host.op.v1.PurgeRequest;
import ai.hanzo.dev.host.op.v1.PurgeResponse;
import ai.hanzo.dev.host.op.v1.Reset;
import ai.hanzo.dev.host.op.v1.ResolveRequest;
import ai.hanzo.dev.host.op.v1.ResumeRequest;
import ai.hanzo.dev.host.op.v1.Session;
import ai.hanzo.dev.host.op.v1.StartRequest;
import ai.hanzo.dev.host.op.v1.StopRequest;
import ai.hanzo.dev.host.op.v1.StreamRequest;
import ai.hanzo.dev.host.op.v1.SuspendRequest;
import ai.hanzo.dev.host.op.v1.Turn;
import ai.hanzo.dev.host.op.v1.TurnRequest;
import ai.hanzo.dev.host.op.v1.TurnResponse;
import ai.hanzo.dev.host.op.v1.UndoRequest;
import ai.hanzo.dev.host.op.v1.UndoResponse;
import ai.hanzo.dev.host.op.v1.VerifyRequest;
import ai.hanzo.dev.host.op.v1.VerifyResponse;
import com.google.protobuf.Message;
import com.google.protobuf.util.Timestamps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * A host by hand, for the tests of the surfaces: sessions and journals in memory, and hooks that
 * say what a turn, a cancel or a resolution brings. Any thread.
 */
public final class FakeHost implements DevService, StreamSource {
    /** What was asked, in order, with who asked. */
    public record Asked(Caller caller, Message request) {}

    private record Keyed(String digest, Message answer) {}

    private static final class Kept {
        final String org;
        Session session;
        final List<JournalEntry> journal = new ArrayList<>();
        final List<FakeSubscription> followers = new CopyOnWriteArrayList<>();
        int turns;

        Kept(String org, Session session) {
            this.org = org;
            this.session = session;
        }
    }

    // Guarded by this.
    private final Map<String, Kept> sessions = new LinkedHashMap<>();
    private final Map<String, Keyed> keys = new LinkedHashMap<>();
    private final Map<String, Approval> approvals = new LinkedHashMap<>();

    /** All that was asked. */
    public final List<Asked> asked = new CopyOnWriteArrayList<>();

    /** What a turn brings; called with the session's id after its entry is there. */
    public volatile Consumer<String> onTurn = id -> complete(id, "done");

    /** What a cancel brings. */
    public volatile Consumer<String> onCancel = id -> {};

    /** What a resolution brings. */
    public volatile Consumer<Approval> onResolve = approval -> {};

    /** What an answer brings. */
    public volatile Consumer<String> onAnswer = id -> {};

    /** Thrown by get, when set. */
    public volatile Optional<RuntimeException> failure = Optional.empty();

    /** Appends an entry; its sequence and time are set here. */
    public synchronized JournalEntry append(String id, JournalEntry.Builder entry) {
        Kept kept = kept(id);
        JournalEntry made =
                entry.setSeq(kept.journal.size() + 1)
                        .setTime(Timestamps.fromMillis(1_700_000_000_000L + kept.journal.size()))
                        .build();
        kept.journal.add(made);
        kept.session = kept.session.toBuilder().setSequence(made.getSeq()).build();
        kept.followers.forEach(FakeSubscription::wake);
        return made;
    }

    /** Sends passing text to whoever follows now. */
    public synchronized void delta(String id, String text) {
        var delta = Delta.newBuilder().setChannel(Delta.Channel.say).setText(text).build();
        kept(id).followers.forEach(follower -> follower.offer(new StreamItem.Delta(delta)));
    }

    /** Ends the turn that runs. */
    public void complete(String id, String say) {
        append(id, Entries.say(turn(id), say));
        end(id, Entries.done(turn(id)), Turn.Status.completed);
    }

    /** Ends the turn that runs with this entry and status. */
    public synchronized void end(String id, JournalEntry.Builder entry, Turn.Status status) {
        Kept kept = kept(id);
        kept.session =
                kept.session.toBuilder()
                        .setState(Session.State.idle)
                        .setTurn(kept.session.getTurn().toBuilder().setStatus(status))
                        .build();
        append(id, entry);
    }

    /** Changes what get answers. */
    public synchronized void change(String id, Consumer<Session.Builder> how) {
        Session.Builder builder = kept(id).session.toBuilder();
        how.accept(builder);
        kept(id).session = builder.build();
    }

    /** Adds an approval that waits. */
    public synchronized void await(Approval approval) {
        approvals.put(approval.getId(), approval);
        change(
                approval.getSession(),
                session ->
                        session.setState(Session.State.waiting_approval)
                                .addPendingApprovals(approval));
    }

    /** Cuts every follower off, as a lost connection would. */
    public synchronized void cut(String id) {
        kept(id).followers.forEach(FakeSubscription::close);
    }

    public synchronized int turn(String id) {
        return kept(id).turns;
    }

    public synchronized List<String> ids() {
        return List.copyOf(sessions.keySet());
    }

    public synchronized List<JournalEntry> entries(String id) {
        return List.copyOf(kept(id).journal);
    }

    private Kept kept(String id) {
        Kept kept = sessions.get(id);
        if (kept == null) {
            throw OpException.notFound("session", id);
        }
        return kept;
    }

    private Kept kept(Caller caller, String id) {
        Kept kept = kept(id);
        if (!kept.org.equals(caller.org())) {
            throw OpException.notFound("session", id);
        }
        return kept;
    }

    @Override
    public Session start(Caller caller, StartRequest request) {
        asked.add(new Asked(caller, request));
        Session made;
        synchronized (this) {
            Optional<Message> before = before(caller, request, request.getIdempotencyKey());
            if (before.isPresent()) {
                return (Session) before.get();
            }
            String id = "ses_" + "0".repeat(24) + (10 + sessions.size());
            made =
                    Session.newBuilder()
                            .setId(id)
                            .setState(Session.State.idle)
                            .setWorkspace(request.getWorkspace())
                            .setModel(request.getModel())
                            .build();
            sessions.put(id, new Kept(caller.org(), made));
            append(id, Entries.of(Entry.Kind.config, "session opened"));
            remember(caller, request, request.getIdempotencyKey(), made);
            if (request.hasPrompt()) {
                beginTurn(id, request.getPrompt());
            }
            made = kept(id).session;
        }
        if (request.hasPrompt()) {
            onTurn.accept(made.getId());
        }
        return made;
    }

    private void beginTurn(String id, String prompt) {
        Kept kept = kept(id);
        kept.turns++;
        kept.session =
                kept.session.toBuilder()
                        .setState(Session.State.running)
                        .setTurn(Turn.newBuilder().setId(kept.turns).setStatus(Turn.Status.running))
                        .build();
        append(id, Entries.of(Entry.Kind.turn, prompt).setTurn(kept.turns));
    }

    private Optional<Message> before(Caller caller, Message request, String key) {
        Keyed keyed = keys.get(caller.org() + "/" + key);
        if (key.isEmpty() || keyed == null) {
            return Optional.empty();
        }
        if (!keyed.digest().equals(RequestDigest.of(request))) {
            throw OpException.keyReused(key);
        }
        return Optional.of(keyed.answer());
    }

    private void remember(Caller caller, Message request, String key, Message answer) {
        keys.put(caller.org() + "/" + key, new Keyed(RequestDigest.of(request), answer));
    }

    @Override
    public synchronized ListResponse list(Caller caller, ListRequest request) {
        asked.add(new Asked(caller, request));
        ListResponse.Builder list = ListResponse.newBuilder();
        sessions.values().stream()
                .filter(kept -> kept.org.equals(caller.org()))
                .filter(kept ->
                        !request.hasPath()
                                || kept.session.getWorkspace().getPath().equals(request.getPath()))
                .forEach(kept -> list.addSessions(0, kept.session));
        return list.build();
    }

    @Override
    public synchronized Session get(Caller caller, GetRequest request) {
        asked.add(new Asked(caller, request));
        failure.ifPresent(f -> {
            throw f;
        });
        return kept(caller, request.getId()).session;
    }

    @Override
    public TurnResponse turn(Caller caller, TurnRequest request) {
        asked.add(new Asked(caller, request));
        TurnResponse response;
        synchronized (this) {
            Optional<Message> before = before(caller, request, request.getIdempotencyKey());
            if (before.isPresent()) {
                return (TurnResponse) before.get();
            }
            Kept kept = kept(caller, request.getId());
            if (request.hasPrompt()) {
                beginTurn(request.getId(), request.getPrompt());
            } else {
                append(
                        request.getId(),
                        Entries.of(Entry.Kind.answer, request.getAnswer().getText()));
                change(request.getId(), Session.Builder::clearPendingQuestions);
            }
            response =
                    TurnResponse.newBuilder()
                            .setTurn(kept.turns)
                            .setSequence(kept.journal.size())
                            .build();
            remember(caller, request, request.getIdempotencyKey(), response);
        }
        (request.hasPrompt() ? onTurn : onAnswer).accept(request.getId());
        return response;
    }

    @Override
    public synchronized Session stop(Caller caller, StopRequest request) {
        asked.add(new Asked(caller, request));
        Kept kept = kept(caller, request.getId());
        kept.session = kept.session.toBuilder().setState(Session.State.stopped).build();
        kept.followers.forEach(
                follower -> follower.offer(new StreamItem.End(StreamItem.End.Reason.STOPPED)));
        return kept.session;
    }

    @Override
    public synchronized PurgeResponse purge(Caller caller, PurgeRequest request) {
        asked.add(new Asked(caller, request));
        kept(caller, request.getId());
        return PurgeResponse.newBuilder().setId(request.getId()).build();
    }

    @Override
    public synchronized Session suspend(Caller caller, SuspendRequest request) {
        asked.add(new Asked(caller, request));
        return in(Session.State.suspended, kept(caller, request.getId()));
    }

    @Override
    public synchronized Session resume(Caller caller, ResumeRequest request) {
        asked.add(new Asked(caller, request));
        return in(Session.State.idle, kept(caller, request.getId()));
    }

    private static Session in(Session.State state, Kept kept) {
        kept.session = kept.session.toBuilder().setState(state).build();
        return kept.session;
    }

    @Override
    public synchronized Session fork(Caller caller, ForkRequest request) {
        asked.add(new Asked(caller, request));
        return kept(caller, request.getId()).session;
    }

    @Override
    public Session cancel(Caller caller, CancelRequest request) {
        asked.add(new Asked(caller, request));
        kept(caller, request.getId());
        onCancel.accept(request.getId());
        return kept(caller, request.getId()).session;
    }

    @Override
    public UndoResponse undo(Caller caller, UndoRequest request) {
        asked.add(new Asked(caller, request));
        kept(caller, request.getId());
        return UndoResponse.newBuilder().addRestored("a.txt").setSequence(request.getTo()).build();
    }

    @Override
    public synchronized JournalResponse journal(Caller caller, JournalRequest request) {
        asked.add(new Asked(caller, request));
        List<JournalEntry> all = kept(caller, request.getId()).journal;
        int from = Math.min(request.getAfter(), all.size());
        int to = Math.min(all.size(), from + (request.hasLimit() ? request.getLimit() : 200));
        return JournalResponse.newBuilder()
                .addAllEntries(all.subList(from, to))
                .setMore(to < all.size())
                .build();
    }

    @Override
    public ActionsResponse actions(Caller caller, ActionsRequest request) {
        asked.add(new Asked(caller, request));
        kept(caller, request.getId());
        return ActionsResponse.getDefaultInstance();
    }

    @Override
    public DiffResponse diff(Caller caller, DiffRequest request) {
        asked.add(new Asked(caller, request));
        kept(caller, request.getId());
        return DiffResponse.newBuilder()
                .setDiff("--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+b\n")
                .addFiles(
                        ai.hanzo.dev.host.op.v1.FileChange.newBuilder()
                                .setPath("a.txt")
                                .setChange(ai.hanzo.dev.host.op.v1.FileChange.Change.modified)
                                .setAddedLines(1)
                                .setRemovedLines(1))
                .build();
    }

    @Override
    public synchronized VerifyResponse verify(Caller caller, VerifyRequest request) {
        int entries = kept(caller, request.getId()).journal.size();
        return VerifyResponse.newBuilder().setSound(true).setEntries(entries).build();
    }

    @Override
    public synchronized ApprovalsResponse approvals(Caller caller, ApprovalsRequest request) {
        asked.add(new Asked(caller, request));
        return ApprovalsResponse.newBuilder().addAllApprovals(approvals.values()).build();
    }

    @Override
    public Approval resolve(Caller caller, ResolveRequest request) {
        asked.add(new Asked(caller, request));
        Approval resolved;
        synchronized (this) {
            Approval approval = approvals.get(request.getId());
            if (approval == null) {
                throw OpException.notFound("approval", request.getId());
            }
            if (approval.getStatus() != Approval.Status.pending) {
                throw OpException.of(OpCode.ALREADY_RESOLVED, "It is resolved already.");
            }
            resolved =
                    approval.toBuilder()
                            .setStatus(
                                    request.getDecision() == ResolveRequest.Resolution.approve
                                            ? Approval.Status.approved
                                            : Approval.Status.rejected)
                            .build();
            approvals.put(resolved.getId(), resolved);
            change(
                    resolved.getSession(),
                    session -> session.clearPendingApprovals().setState(Session.State.running));
        }
        onResolve.accept(resolved);
        return resolved;
    }

    @Override
    public synchronized Subscription follow(Caller caller, StreamRequest request) {
        asked.add(new Asked(caller, request));
        Kept kept = kept(caller, request.getId());
        var follower = new FakeSubscription(kept, request.getAfter());
        if (request.getAfter() > kept.journal.size()) {
            follower.offer(
                    new StreamItem.Reset(
                            Reset.newBuilder()
                                    .setReason("past the end")
                                    .setAfter(kept.journal.size())
                                    .build()));
            follower.after = kept.journal.size();
        }
        kept.followers.add(follower);
        return follower;
    }

    private final class FakeSubscription implements Subscription {
        private final Kept kept;
        private final List<StreamItem> passing = new ArrayList<>();
        private int after;
        private boolean closed;

        FakeSubscription(Kept kept, int after) {
            this.kept = kept;
            this.after = after;
        }

        void wake() {
            synchronized (FakeHost.this) {
                FakeHost.this.notifyAll();
            }
        }

        void offer(StreamItem item) {
            synchronized (FakeHost.this) {
                passing.add(item);
                FakeHost.this.notifyAll();
            }
        }

        @Override
        public Optional<StreamItem> next(Duration wait) throws InterruptedException {
            long deadline = System.nanoTime() + wait.toNanos();
            synchronized (FakeHost.this) {
                while (true) {
                    if (closed) {
                        return Optional.of(new StreamItem.End(StreamItem.End.Reason.DRAINING));
                    }
                    if (!passing.isEmpty()) {
                        return Optional.of(passing.removeFirst());
                    }
                    if (after < kept.journal.size()) {
                        return Optional.of(new StreamItem.Entry(kept.journal.get(after++)));
                    }
                    long left = deadline - System.nanoTime();
                    if (left <= 0) {
                        return Optional.empty();
                    }
                    FakeHost.this.wait(left / 1_000_000, (int) (left % 1_000_000));
                }
            }
        }

        @Override
        public void close() {
            synchronized (FakeHost.this) {
                closed = true;
                kept.followers.remove(this);
                FakeHost.this.notifyAll();
            }
        }
    }
}
