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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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

    /** Longer than a group takes; who has waited so long sees to it that somebody writes. */
    private static final long PATIENCE_MILLIS = 1_000;

    /** Of the pool's connections enough are left for others. */
    private static final int MOST_HELPERS = 6;

    private final Database database;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // Guarded by lock.
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    // Guarded by lock.
    private int helpers;
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

    /** A server's process that stands still must not hold up all who come after. */
    private void help() {
        lock.lock();
        try {
            if (waiting.isEmpty() || helpers == MOST_HELPERS) {
                return;
            }
            helpers++;
        } finally {
            lock.unlock();
        }
        Thread.ofPlatform().daemon().name("ledger-commit-helper").start(this::workUntilNobodyWaits);
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
        return await(mine.told());
    }

    private boolean await(CompletableFuture<Boolean> told) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return told.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
                } catch (TimeoutException e) {
                    help();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw e.getCause() instanceof LedgerException known
                            ? known
                            : new IllegalStateException(e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void work() {
        List<Waiting> group = take();
        while (!group.isEmpty()) {
            write(group);
            group = take();
        }
    }

    private void workUntilNobodyWaits() {
        while (true) {
            List<Waiting> group;
            lock.lock();
            try {
                group = next();
                if (group.isEmpty()) {
                    helpers--;
                    return;
                }
            } finally {
                lock.unlock();
            }
            write(group);
        }
    }

    /** Waits for somebody; nobody once it is closed. */
    private List<Waiting> take() {
        lock.lock();
        try {
            while (waiting.isEmpty() && !closed) {
                changed.awaitUninterruptibly();
            }
            return next();
        } finally {
            lock.unlock();
        }
    }

    /** With the lock held: who waits and is of the same org as the first. */
    private List<Waiting> next() {
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
        if (members.size() == 1 && LoneRows.takes(members.getFirst())) {
            boolean _ =
                    database.attemptAlone(db -> {
                        new LoneRows(db, members.getFirst()).commit();
                        return true;
                    });
        } else {
            boolean _ =
                    database.attempt(db -> {
                        new GroupRows(db, group.getFirst().org(), members).commit();
                        return true;
                    });
        }
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
