package ai.hanzo.dev.ledger;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.ApprovalId;
import ai.hanzo.dev.protocol.id.HostId;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.RunnerId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.id.TurnId;
import ai.hanzo.dev.protocol.id.Uuid7;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** What tests begin with: sessions, turns, steps with one plain shape each. */
public final class Given {
    public static final OrgId ORG = new OrgId("local");
    public static final OrgId OTHER_ORG = new OrgId("other");
    public static final RunnerId RUNNER = new RunnerId("runner");
    public static final Uuid7 IDS = new Uuid7(InstantSource.system(), new SecureRandom());
    private static final AtomicInteger HOSTS = new AtomicInteger();
    private static final Sha256 DIGEST = Sha256.of(Bytes.utf8("digest"));

    private Given() {}

    public static NewSession session() {
        return session(ORG, Optional.empty(), Optional.empty(), Optional.empty());
    }

    public static NewSession sessionWithTurn(String prompt) {
        return session(ORG, Optional.empty(), Optional.empty(), Optional.of(turn(prompt)));
    }

    public static NewSession sessionWithNote(String note, String prompt) {
        return session(
                ORG,
                Optional.empty(),
                Optional.empty(),
                List.of(note(note)),
                Optional.of(turn(prompt)));
    }

    public static NewSession session(
            OrgId org,
            Optional<IdempotencyKey> key,
            Optional<Workspace> workspace,
            Optional<NewEntry> turn) {
        return session(org, key, workspace, List.of(), turn);
    }

    private static NewSession session(
            OrgId org,
            Optional<IdempotencyKey> key,
            Optional<Workspace> workspace,
            List<NewEntry> notes,
            Optional<NewEntry> turn) {
        return new NewSession(
                org,
                SessionId.next(IDS),
                "a title",
                Optional.empty(),
                workspace,
                "script",
                "workspace",
                DIGEST,
                DIGEST,
                RUNNER,
                "cli:me",
                key,
                Payload.of(Bytes.utf8("config")),
                notes,
                turn);
    }

    public static Workspace directory(long inode, Workspace.Access access) {
        return new Workspace("/home/me/project" + inode, "machine", 7, inode, access);
    }

    public static NewEntry turn(String prompt) {
        return new NewEntry(
                EntryKind.TURN,
                Optional.empty(),
                "cli:me",
                Optional.empty(),
                Payload.of(Bytes.utf8(prompt)));
    }

    public static NewEntry turn(String prompt, String key) {
        return new NewEntry(
                EntryKind.TURN,
                Optional.empty(),
                "cli:me",
                Optional.of(key(key, prompt)),
                Payload.of(Bytes.utf8(prompt)));
    }

    public static IdempotencyKey key(String key, String body) {
        return new IdempotencyKey(key, Sha256.of(Bytes.utf8(body)));
    }

    public static NewEntry note(String text) {
        return NewEntry.ofHost(EntryKind.NOTE, Optional.empty(), Bytes.utf8(text));
    }

    public static HostId host(Store store) {
        HostId host = new HostId("host-" + HOSTS.incrementAndGet());
        store.leases().register(host, RUNNER);
        return host;
    }

    /** A body that names itself, with a key for a session that has none. */
    public static Sealed sealed(String key, String body) {
        Bytes bytes = Bytes.utf8(body);
        return new Sealed(
                Optional.of(Bytes.utf8(key)), List.of(new Sealed.Body(Sha256.of(bytes), bytes)));
    }

    /** The whole output of an action, in a stored file that this test does not make. */
    public static Artifact artifact(long action, String name) {
        return new Artifact(
                new ActionId(action),
                name,
                Sha256.of(Bytes.utf8(name + " of " + action)),
                100 + action,
                "application/octet-stream");
    }

    /** An outcome with outputs that are kept whole. */
    public static Ending result(long action, String text, Artifact... artifacts) {
        Ending plain = result(action, text);
        return new Ending(
                plain.action(),
                plain.end(),
                plain.entry().with(Sealed.NONE.with(List.of(artifacts))));
    }

    /** A session with one turn, and a lease of it. */
    public static Lease leased(Store store) {
        return leased(store, host(store));
    }

    public static Lease leased(Store store, HostId host) {
        return lease(store, host, opened(store, sessionWithTurn("do it")).id());
    }

    public static Lease lease(Store store, HostId host, SessionId session) {
        return switch (store.leases().acquire(ORG, session, host)) {
            case Leases.Acquired.Granted(Lease lease) -> lease;
            case Leases.Acquired.HeldBy held -> throw new AssertionError(held);
            case Leases.Acquired.NotLeasable no -> throw new AssertionError(no);
            case Leases.Acquired.HostDead dead -> throw new AssertionError(dead);
        };
    }

    public static Session opened(Store store, NewSession session) {
        return switch (store.ledger().open(session)) {
            case Opened.Created(Session made, List<Entry> _) -> made;
            case Opened.Existing existing -> throw new AssertionError(existing);
            case Opened.KeyReused reused -> throw new AssertionError(reused);
            case Opened.WorkspaceBusy busy -> throw new AssertionError(busy);
        };
    }

    public static DecisionRow decision(DecisionRow.Verdict verdict) {
        return new DecisionRow(
                verdict,
                DecisionRow.Mode.ENFORCE,
                List.of("rule-1", "rule \"two\""),
                "because",
                DIGEST);
    }

    public static NewAction action(long id, ActionStatus status) {
        Optional<NewApproval> approval =
                status == ActionStatus.WAITING_APPROVAL
                        ? Optional.of(
                                new NewApproval(
                                        ApprovalId.next(IDS),
                                        Approval.Kind.CLIENT,
                                        Approval.Risk.HIGH,
                                        "git push",
                                        Optional.empty()))
                        : Optional.empty();
        boolean free = status == ActionStatus.COMPLETED;
        return new NewAction(
                new ActionId(id),
                Optional.of(new TurnId(1)),
                free ? "emit" : status == ActionStatus.WAITING_INPUT ? "ask" : "exec",
                Bytes.utf8("action " + id),
                Sha256.of(Bytes.utf8("action " + id)),
                status,
                free ? Optional.empty() : Optional.of(decision(DecisionRow.Verdict.ALLOW)),
                approval,
                Optional.empty());
    }

    /** A step that eats {@code consumed}, has a snapshot and leaves the session running. */
    public static StepCommit step(long consumed, NewAction... actions) {
        return step(consumed, SessionState.RUNNING, actions);
    }

    public static StepCommit step(long consumed, SessionState state, NewAction... actions) {
        return new StepCommit(
                new Seq(consumed),
                List.of(actions),
                List.of(),
                List.of(),
                Optional.of(snapshot(consumed)),
                StepCommit.Keep.LATEST_ONLY,
                List.of(),
                StepCommit.StateChange.to(state),
                new Usage(10, 1, 1));
    }

    public static StepCommit change(long consumed, long action, ActionStatus to) {
        return new StepCommit(
                new Seq(consumed),
                List.of(),
                List.of(
                        new StepCommit.ActionChange(
                                new ActionId(action), to, Optional.of("HEAD abc"))),
                List.of(),
                Optional.empty(),
                StepCommit.Keep.LATEST_ONLY,
                List.of(),
                StepCommit.StateChange.to(SessionState.RUNNING),
                Usage.NONE);
    }

    public static StepCommit moveRun(long consumed, RunStatus to) {
        return new StepCommit(
                new Seq(consumed),
                List.of(),
                List.of(),
                List.of(),
                Optional.empty(),
                StepCommit.Keep.LATEST_ONLY,
                List.of(StepCommit.RunChange.to(new TurnId(1), to)),
                StepCommit.StateChange.to(SessionState.RUNNING),
                Usage.NONE);
    }

    public static Snapshot snapshot(long through) {
        return new Snapshot(
                new Seq(through), DIGEST, Bytes.utf8("state after " + through), Bytes.utf8("mac"));
    }

    public static Ending result(long action, String text) {
        return new Ending(
                new ActionId(action),
                ActionStatus.COMPLETED,
                NewEntry.ofHost(EntryKind.RESULT, Optional.empty(), Bytes.utf8(text)));
    }

    public static Entry committed(Appended appended) {
        return switch (appended) {
            case Appended.Committed(Entry entry) -> entry;
            case Appended.Duplicate(Entry entry) -> throw new AssertionError(entry);
            case Appended.KeyReused reused -> throw new AssertionError(reused);
            case Appended.NoSession none -> throw new AssertionError(none);
            case Appended.Closed closed -> throw new AssertionError(closed);
            case Appended.WorkspaceBusy busy -> throw new AssertionError(busy);
            case Appended.NotOpen notOpen -> throw new AssertionError(notOpen);
        };
    }

    public static Entry committed(Completed completed) {
        return switch (completed) {
            case Completed.Committed(Entry entry) -> entry;
            case Completed.NotOpen notOpen -> throw new AssertionError(notOpen);
            case Completed.Fenced fenced -> throw new AssertionError(fenced);
        };
    }

    public static List<Entry> committed(Stepped stepped) {
        return switch (stepped) {
            case Stepped.Committed(List<Entry> entries, SessionState _) -> entries;
            case Stepped.Fenced fenced -> throw new AssertionError(fenced);
            case Stepped.Stale stale -> throw new AssertionError(stale);
        };
    }
}
