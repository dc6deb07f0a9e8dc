package ai.hanzo.dev.host.stream;

import ai.hanzo.dev.host.op.Caller;
import ai.hanzo.dev.host.op.OpException;
import ai.hanzo.dev.host.op.StreamSource;
import ai.hanzo.dev.host.op.Subscription;
import ai.hanzo.dev.host.op.v1.StreamRequest;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.Store;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The streams of this host. Safe for all threads. */
public final class Streams implements StreamSource, AutoCloseable {
    private final Store store;
    private final Deltas deltas;
    private final EntryViews views;
    private final Set<Follower> followers = ConcurrentHashMap.newKeySet();

    public Streams(Store store, Deltas deltas, EntryViews views) {
        this.store = store;
        this.deltas = deltas;
        this.views = views;
    }

    @Override
    public Subscription follow(Caller caller, StreamRequest request) {
        OrgId org = new OrgId(caller.org());
        SessionId id;
        try {
            id = new SessionId(request.getId());
        } catch (IllegalArgumentException e) {
            throw OpException.notFound("session", request.getId());
        }
        Session session =
                store.journal()
                        .session(org, id)
                        .orElseThrow(() -> OpException.notFound("session", request.getId()));
        if (request.getAfter() < 0) {
            throw OpException.invalid("after", "is 0 or more");
        }
        Follower follower =
                new Follower(
                        new Follower.Source(store, deltas, views, followers::remove),
                        org,
                        id,
                        new Seq(request.getAfter()),
                        session.lastSeq());
        followers.add(follower);
        return follower;
    }

    /** Tells all followers that the host goes down. */
    @Override
    public void close() {
        followers.forEach(Follower::drain);
    }
}
