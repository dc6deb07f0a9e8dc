package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.LedgerException;
import ai.hanzo.dev.protocol.id.OrgId;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Commits together what several sessions write: who comes while others are being written waits and
 * goes with the next, so that a busy host has one transaction and one write to the disk for many
 * sessions, and a quiet one waits for nobody. A group that is refused is written one by one: nobody
 * fails for another. Safe for all threads; the writing is done by threads of its own, which nobody
 * interrupts. They are platform threads: the answer wakes the very thread that waits for it, where
 * a virtual one has a poller and a carrier in between.
 */
final class GroupCommit implements AutoCloseable {
    /** Of a busy host's sessions; a transaction of as many takes some ten milliseconds. */
    private static final int MOST = 64;

    /** Beyond which one more waits for the next group: arrays are held in memory whole. */
    private static final long MOST_BYTES = 1 << 20;

    private final Database database;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // Guarded by lock.
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    // Guarded by lock.
    private boolean closed;

    /** A write that waits for its group; true is told once it is committed. */
    private record Waiting(GroupMember member, CompletableFuture<Boolean> told) {
        OrgId org() {
            return member.write().before().org();
        }

        String session() {
            return member.write().before().session().value();
        }
    }

    /**
     * @param atOnce groups that are written side by side: one gathers while another is on its way
     *     to the disk
     */
    GroupCommit(Database database, int atOnce) {
        this.database = database;
        for (int i = 0; i < atOnce; i++) {
            Thread.ofPlatform().daemon().name("ledger-commit-" + i).start(this::work);
        }
    }

    /**
     * Writes {@code member}, in its session's turn. Waits for the end, interrupted or not: what was
     * begun cannot be called back.
     *
     * @return false if its session is not as the writer took it to be: nothing was written
     * @throws LedgerException if the database cannot do it
     */
    boolean commit(GroupMember member) {
        Waiting mine = new Waiting(member, new CompletableFuture<>());
        lock.lock();
        try {
            if (closed) {
                throw LedgerException.closed();
            }
            waiting.add(mine);
            changed.signal();
        } finally {
            lock.unlock();
        }
        try {
            return mine.told().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof LedgerException known ? known : e;
        }
    }

    private void work() {
        List<Waiting> group = take();
        while (!group.isEmpty()) {
            write(group);
            group = take();
        }
    }

    /** Waits for somebody; all who wait and are of the same org, or nobody once it is closed. */
    private List<Waiting> take() {
        lock.lock();
        try {
            while (waiting.isEmpty() && !closed) {
                changed.awaitUninterruptibly();
            }
            List<Waiting> group = new ArrayList<>();
            long bytes = 0;
            Iterator<Waiting> all = waiting.iterator();
            while (all.hasNext() && group.size() < MOST && bytes < MOST_BYTES) {
                Waiting next = all.next();
                if (group.isEmpty() || next.org().equals(group.getFirst().org())) {
                    bytes += next.member().bytes();
                    group.add(next);
                    all.remove();
                }
            }
            group.sort(Comparator.comparing(Waiting::session));
            return group;
        } finally {
            lock.unlock();
        }
    }

    private void write(List<Waiting> group) {
        try {
            commit(group);
            group.forEach(one -> one.told().complete(true));
        } catch (SQLException e) {
            if (SqlFaults.isGone(e)) {
                fail(group, database.fault(e));
            } else if (group.size() > 1) {
                writeOneByOne(group);
            } else if (GroupRows.isOvertaken(e)) {
                group.forEach(one -> one.told().complete(false));
            } else {
                fail(group, database.fault(e));
            }
        } catch (LedgerException | Error e) {
            // Also for want of memory: those who wait would wait for ever.
            fail(group, e);
        } catch (RuntimeException e) {
            if (group.size() > 1) {
                writeOneByOne(group);
            } else {
                fail(group, e);
            }
        }
    }

    private void writeOneByOne(List<Waiting> group) {
        group.forEach(one -> write(List.of(one)));
    }

    private void commit(List<Waiting> group) throws SQLException {
        List<GroupMember> members = group.stream().map(Waiting::member).toList();
        boolean _ =
                database.attempt(db -> {
                    if (members.size() == 1) {
                        new LoneRows(db, members.getFirst()).commit();
                    } else {
                        new GroupRows(db, group.getFirst().org(), members).commit();
                    }
                    return true;
                });
    }

    private static void fail(List<Waiting> group, Throwable why) {
        group.forEach(one -> one.told().completeExceptionally(why));
    }

    /** What waits is written still; what comes later is refused. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
