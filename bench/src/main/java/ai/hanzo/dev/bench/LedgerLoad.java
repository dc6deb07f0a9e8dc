package ai.hanzo.dev.bench;

import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.Completed;
import ai.hanzo.dev.ledger.DecisionRow;
import ai.hanzo.dev.ledger.Ending;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.Lease;
import ai.hanzo.dev.ledger.Leases;
import ai.hanzo.dev.ledger.NewAction;
import ai.hanzo.dev.ledger.NewEntry;
import ai.hanzo.dev.ledger.NewSession;
import ai.hanzo.dev.ledger.Opened;
import ai.hanzo.dev.ledger.Payload;
import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.ledger.Snapshot;
import ai.hanzo.dev.ledger.StepCommit;
import ai.hanzo.dev.ledger.Stepped;
import ai.hanzo.dev.ledger.Store;
import ai.hanzo.dev.ledger.TurnedOver;
import ai.hanzo.dev.ledger.Usage;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.HostId;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.RunnerId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.id.TurnId;
import ai.hanzo.dev.protocol.id.Uuid7;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * One session that does nothing but actions, as the host's loop writes them: the step that sends an
 * action, then the outcome. Payloads and snapshot are of an ordinary size. One thread.
 */
final class LedgerLoad {
    static final OrgId ORG = new OrgId("bench");
    static final RunnerId RUNNER = new RunnerId("bench");
    private static final Sha256 DIGEST = Sha256.of(Bytes.utf8("bench"));
    private static final Bytes REQUEST = random(300);
    private static final Bytes OUTCOME = random(600);

    /** Of a conversation of a hundred messages; half of it digests, which nothing makes smaller. */
    private static final Bytes STATE = halfRandom(4 * 1024);

    private static final Optional<TurnId> TURN = Optional.of(new TurnId(1));

    private final Store store;
    private final Lease lease;
    private long last;
    private long action;
    private int unsaved;

    private LedgerLoad(Store store, Lease lease, long last) {
        this.store = store;
        this.lease = lease;
        this.last = last;
    }

    private static Bytes random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return Bytes.wrap(bytes);
    }

    private static Bytes halfRandom(int length) {
        byte[] bytes = new byte[length];
        byte[] digest = new byte[8];
        Random random = new Random(length);
        for (int at = 0; at < length; at += 2 * digest.length) {
            random.nextBytes(digest);
            System.arraycopy(digest, 0, bytes, at, digest.length);
        }
        return Bytes.wrap(bytes);
    }

    /** A session with a turn, and its lease. */
    static LedgerLoad open(Store store, HostId host, Uuid7 ids) {
        SessionId id = SessionId.next(ids);
        long last = opened(store, id);
        LedgerLoad load = new LedgerLoad(store, leased(store, host, id), last);
        load.step(List.of(load.next()), SessionState.RUNNING);
        return load;
    }

    private static long opened(Store store, SessionId id) {
        NewEntry turn =
                new NewEntry(
                        EntryKind.TURN,
                        Optional.empty(),
                        "bench",
                        Optional.empty(),
                        Payload.of(Bytes.utf8("go")));
        Opened opened =
                store.ledger()
                        .open(
                                new NewSession(
                                        ORG,
                                        id,
                                        "bench",
                                        Optional.empty(),
                                        Optional.empty(),
                                        "script",
                                        "workspace",
                                        DIGEST,
                                        DIGEST,
                                        RUNNER,
                                        "bench",
                                        Optional.empty(),
                                        Payload.of(Bytes.utf8("config")),
                                        List.of(),
                                        Optional.of(turn)));
        return switch (opened) {
            case Opened.Created created -> created.entries().getLast().seq().value();
            case Opened.Existing _, Opened.KeyReused _, Opened.WorkspaceBusy _ ->
                    throw new IllegalStateException(opened.toString());
        };
    }

    private static Lease leased(Store store, HostId host, SessionId id) {
        return switch (store.leases().acquire(ORG, id, host)) {
            case Leases.Acquired.Granted(Lease lease) -> lease;
            case Leases.Acquired.HeldBy _,
                    Leases.Acquired.NotLeasable _,
                    Leases.Acquired.HostDead _ ->
                    throw new IllegalStateException("no lease of " + id);
        };
    }

    SessionId session() {
        return lease.session();
    }

    /** One action ends, and the next one is sent: in one commit, as the host's loop does it. */
    void act() {
        TurnedOver over =
                store.ledger()
                        .turnOver(
                                lease,
                                ending(),
                                outcome -> {
                                    last = outcome.seq().value();
                                    return Optional.of(
                                            commit(List.of(next()), SessionState.RUNNING));
                                });
        if (!(over instanceof TurnedOver.Committed)) {
            throw new IllegalStateException(over.toString());
        }
    }

    /** Of the action that was sent last. */
    private Ending ending() {
        return new Ending(
                new ActionId(action),
                ActionStatus.COMPLETED,
                NewEntry.ofHost(EntryKind.RESULT, TURN, OUTCOME));
    }

    private NewAction next() {
        action++;
        return new NewAction(
                new ActionId(action),
                TURN,
                "exec",
                REQUEST,
                Sha256.of(REQUEST),
                ActionStatus.DISPATCHED,
                Optional.of(
                        new DecisionRow(
                                DecisionRow.Verdict.ALLOW,
                                DecisionRow.Mode.ENFORCE,
                                List.of("rule"),
                                "because",
                                DIGEST)),
                Optional.empty(),
                Optional.of("incarnation"));
    }

    /** Puts the session away; its lease is given back. */
    void suspend() {
        last =
                switch (store.ledger().complete(lease, ending())) {
                    case Completed.Committed(var entry) -> entry.seq().value();
                    case Completed.NotOpen _, Completed.Fenced _ ->
                            throw new IllegalStateException("the outcome was refused");
                };
        step(List.of(), SessionState.SUSPENDED);
        store.leases().release(lease);
    }

    private void step(List<NewAction> actions, SessionState state) {
        switch (store.ledger().step(lease, commit(actions, state))) {
            case Stepped.Committed _ -> {}
            case Stepped.Fenced _, Stepped.Stale _ ->
                    throw new IllegalStateException("the step was refused");
        }
    }

    private StepCommit commit(List<NewAction> actions, SessionState state) {
        boolean stores = state != SessionState.RUNNING || ++unsaved > Snapshot.MOST_BEHIND;
        if (stores) {
            unsaved = 0;
        }
        return new StepCommit(
                new Seq(last),
                actions,
                List.of(),
                List.of(),
                stores ? Optional.of(snapshot()) : Optional.empty(),
                StepCommit.Keep.LATEST_ONLY,
                List.of(),
                StepCommit.StateChange.to(state),
                Usage.NONE);
    }

    private Snapshot snapshot() {
        return new Snapshot(new Seq(last), DIGEST, STATE, Bytes.empty());
    }
}
