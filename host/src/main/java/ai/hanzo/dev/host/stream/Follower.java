package ai.hanzo.dev.host.stream;

import ai.hanzo.dev.host.op.StreamItem;
import ai.hanzo.dev.host.op.Subscription;
import ai.hanzo.dev.host.op.v1.Delta;
import ai.hanzo.dev.host.op.v1.Reset;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.Store;
import ai.hanzo.dev.ledger.Tails;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * One follower. Entries are never queued: a wake says that there are some, and they are read from
 * the ledger after the last one given, so that none is lost and none comes twice. Deltas are queued
 * up to {@link #MAX_DELTAS} and dropped beyond; one that belongs to an ask whose answer was given
 * already is dropped too.
 */
final class Follower implements Subscription {
    private static final int MAX_DELTAS = 1024;
    private static final int PAGE = 100;

    private final Source source;
    private final OrgId org;
    private final SessionId session;
    private final Tails.Subscription tail;
    private final Runnable unfollow;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // Guarded by lock.
    private final Deque<Delta> deltas = new ArrayDeque<>();
    private boolean isNews = true;
    private Optional<StreamItem.End.Reason> end = Optional.empty();

    // Only the following thread touches these.
    private final Deque<Entry> page = new ArrayDeque<>();
    private Optional<Reset> reset = Optional.empty();
    private Seq given;

    /** Where everything comes from, and who is to know when it is over. */
    record Source(Store store, Deltas deltas, EntryViews views, Consumer<Follower> closed) {}

    Follower(Source source, OrgId org, SessionId session, Seq after, Seq last) {
        this.source = source;
        this.org = org;
        this.session = session;
        this.given = after;
        if (after.compareTo(last) > 0) {
            this.given = last;
            this.reset =
                    Optional.of(
                            Reset.newBuilder()
                                    .setReason("the journal ends at " + last)
                                    .setAfter(Math.toIntExact(last.value()))
                                    .build());
        }
        this.tail = source.store().tails().of(org, session, (_, _, _) -> news());
        this.unfollow = source.deltas().follow(session, this::offer);
    }

    @Override
    public Optional<StreamItem> next(Duration wait) throws InterruptedException {
        if (reset.isPresent()) {
            Reset told = reset.get();
            reset = Optional.empty();
            return Optional.of(new StreamItem.Reset(told));
        }
        long deadline = System.nanoTime() + wait.toNanos();
        while (true) {
            if (page.isEmpty() && takeNews()) {
                page.addAll(source.store().journal().entries(org, session, given, PAGE));
                if (page.size() == PAGE) {
                    news();
                } else if (page.isEmpty() && isOver()) {
                    end(StreamItem.End.Reason.STOPPED);
                }
            }
            if (!page.isEmpty()) {
                Entry entry = page.remove();
                given = entry.seq();
                return Optional.of(new StreamItem.Entry(source.views().of(entry)));
            }
            Optional<StreamItem> other = await(deadline);
            if (other.isPresent() || System.nanoTime() >= deadline) {
                return other;
            }
        }
    }

    /** A delta or the end, or nothing when there is news or the time is over. */
    private Optional<StreamItem> await(long deadline) throws InterruptedException {
        lock.lock();
        try {
            while (true) {
                if (isNews && end.isEmpty()) {
                    return Optional.empty();
                }
                if (!deltas.isEmpty()) {
                    return Optional.of(new StreamItem.Delta(deltas.remove()));
                }
                if (end.isPresent()) {
                    return Optional.of(new StreamItem.End(end.get()));
                }
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return Optional.empty();
                }
                changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether no entry will ever follow those that were given. */
    private boolean isOver() {
        return source.store()
                .journal()
                .session(org, session)
                .map(row -> row.state().isFinal() && row.lastSeq().compareTo(given) <= 0)
                .orElse(true);
    }

    private boolean takeNews() {
        lock.lock();
        try {
            boolean was = isNews;
            isNews = false;
            return was;
        } finally {
            lock.unlock();
        }
    }

    private void news() {
        lock.lock();
        try {
            isNews = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void offer(Delta delta) {
        lock.lock();
        try {
            if (deltas.size() < MAX_DELTAS) {
                deltas.add(delta);
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    void drain() {
        end(StreamItem.End.Reason.DRAINING);
    }

    private void end(StreamItem.End.Reason reason) {
        lock.lock();
        try {
            if (end.isEmpty()) {
                end = Optional.of(reason);
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        end(StreamItem.End.Reason.DRAINING);
        tail.close();
        unfollow.run();
        source.closed().accept(this);
    }
}
