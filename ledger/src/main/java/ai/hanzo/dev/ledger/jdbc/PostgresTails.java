package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.LedgerException;
import ai.hanzo.dev.ledger.Tails;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes by LISTEN and NOTIFY. Two virtual threads of its own: one listens on a connection outside
 * the pool, one sends.
 *
 * <p>NOTIFY is sent after the commit and not within it: a transaction with a NOTIFY in it holds a
 * lock of the whole database through its commit (PostgreSQL's {@code PreCommit_Notify}), so that
 * sessions would wait for each other's disk writes. What waits to be sent is one sequence per
 * session, so the queue cannot grow beyond the sessions alive.
 */
final class PostgresTails implements Tails, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PostgresTails.class);
    private static final String CHANNEL = "hanzo_entries";
    private static final int FOR_EVER = 0;
    private static final long RETRY_NANOS = 500_000_000L;

    /** What a busy host gathers into one NOTIFY; a reader elsewhere hears that much later. */
    private static final long GATHERING_NANOS = 10_000_000L;

    /** A wake takes a millisecond; a server that hangs must not hold up a host that ends. */
    private static final Duration LAST_WAKES = Duration.ofSeconds(5);

    private final DatabaseConfig config;
    private final Database database;
    private final String origin;
    private final Runnable whenGone;
    private final Map<Address, List<Listener>> listeners = new ConcurrentHashMap<>();
    private final List<Listener> allListeners = new CopyOnWriteArrayList<>();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Thread sender = Thread.ofVirtual().name("ledger-notify").unstarted(this::send);
    // Guarded by lock.
    private Map<SessionId, Commit> unsent = new LinkedHashMap<>();
    // Guarded by lock for writing.
    private volatile boolean closed;
    private volatile @Nullable Connection listening;

    /** A session in its org: another org's listener hears nothing of it. */
    private record Address(OrgId org, SessionId session) {}

    /** How far a session's journal reaches. */
    private record Commit(OrgId org, SessionId session, Seq seq) {
        String toText(String origin) {
            return origin + " " + org + " " + session + " " + seq;
        }

        /** Empty when the text is our own or is none of ours. */
        static Optional<Commit> parse(String text, String origin) {
            String[] parts = text.split(" ", 5);
            if (parts.length != 4 || parts[0].equals(origin)) {
                return Optional.empty();
            }
            try {
                return Optional.of(
                        new Commit(
                                new OrgId(parts[1]),
                                new SessionId(parts[2]),
                                new Seq(Long.parseLong(parts[3]))));
            } catch (IllegalArgumentException _) {
                return Optional.empty();
            }
        }
    }

    /** Nothing here needs to survive; nobody should wait for the disk. */
    private static final String NOTIFY =
            """
            SET LOCAL synchronous_commit = off;
            SELECT pg_notify(?, wake) FROM unnest(?) AS wake
            """;

    /**
     * @param whenGone called on the listening thread each time that the server cannot be reached
     */
    PostgresTails(DatabaseConfig config, Database database, String origin, Runnable whenGone) {
        this.whenGone = whenGone;
        this.config = config;
        this.database = database;
        this.origin = origin;
    }

    void start() {
        Thread.ofVirtual().name("ledger-listen").start(this::listen);
        sender.start();
    }

    @Override
    public Subscription of(OrgId org, SessionId session, Listener listener) {
        Address address = new Address(org, session);
        listeners.compute(
                address,
                (_, present) -> {
                    List<Listener> list = present == null ? new CopyOnWriteArrayList<>() : present;
                    list.add(listener);
                    return list;
                });
        return () ->
                listeners.computeIfPresent(
                        address,
                        (_, present) -> {
                            present.remove(listener);
                            return present.isEmpty() ? null : present;
                        });
    }

    @Override
    public Subscription ofAll(Listener listener) {
        allListeners.add(listener);
        return () -> allListeners.remove(listener);
    }

    /** A transaction of this process that wrote to the journal of {@code session} is on disk. */
    void committed(OrgId org, SessionId session, Seq seq) {
        Commit commit = new Commit(org, session, seq);
        lock.lock();
        try {
            unsent.merge(session, commit, (a, b) -> a.seq().compareTo(b.seq()) >= 0 ? a : b);
            changed.signal();
        } finally {
            lock.unlock();
        }
        tell(commit);
    }

    private void tell(Commit commit) {
        Address address = new Address(commit.org(), commit.session());
        for (Listener one : listeners.getOrDefault(address, List.of())) {
            one.committed(commit.org(), commit.session(), commit.seq());
        }
        for (Listener one : allListeners) {
            one.committed(commit.org(), commit.session(), commit.seq());
        }
    }

    private void send() {
        Map<SessionId, Commit> batch = takeUnsent();
        while (!batch.isEmpty()) {
            send(batch.values());
            if (!closed) {
                LockSupport.parkNanos(GATHERING_NANOS);
            }
            batch = takeUnsent();
        }
    }

    /** Waits for something to send; empty once it is closed and all was sent. */
    private Map<SessionId, Commit> takeUnsent() {
        lock.lock();
        try {
            while (unsent.isEmpty() && !closed) {
                changed.awaitUninterruptibly();
            }
            Map<SessionId, Commit> batch = unsent;
            unsent = new LinkedHashMap<>();
            return batch;
        } finally {
            lock.unlock();
        }
    }

    private void send(Collection<Commit> batch) {
        try {
            database.run(db -> {
                try (PreparedStatement notify = db.prepareStatement(NOTIFY)) {
                    Object[] texts = batch.stream().map(one -> one.toText(origin)).toArray();
                    Rows.set(notify, CHANNEL, db.createArrayOf("text", texts));
                    notify.execute();
                    return true;
                }
            });
        } catch (LedgerException e) {
            // The next heartbeat of whoever should have been woken finds what they missed.
            log.atWarn().addKeyValue("code", e.code()).log("could not wake other hosts");
        }
    }

    private void listen() {
        while (!closed) {
            try (Connection connection = connect()) {
                listening = connection;
                try (Statement statement = connection.createStatement()) {
                    statement.execute("LISTEN " + CHANNEL);
                }
                // Also the first time: who came before the LISTEN may have missed a wake.
                tellEverybody();
                receive(connection);
            } catch (SQLException e) {
                if (!closed) {
                    log.atDebug().setCause(e).log("listening again");
                    tellItIsGone();
                    LockSupport.parkNanos(RETRY_NANOS);
                }
            }
        }
    }

    private void tellItIsGone() {
        try {
            whenGone.run();
        } catch (LedgerException e) {
            log.atWarn().addKeyValue("code", e.code()).setCause(e).log("no database");
        }
    }

    private Connection connect() throws SQLException {
        Properties login = new Properties();
        login.setProperty("user", config.app().user());
        login.setProperty("password", config.app().password());
        login.setProperty("ApplicationName", "hanzo-listen");
        login.setProperty("tcpKeepAlive", "true");
        return DriverManager.getConnection(config.direct(), login);
    }

    private void receive(Connection connection) throws SQLException {
        PGConnection postgres = connection.unwrap(PGConnection.class);
        while (!closed) {
            PGNotification[] wakes = postgres.getNotifications(FOR_EVER);
            for (PGNotification wake : wakes) {
                Commit.parse(wake.getParameter(), origin).ifPresent(this::tellOfAnother);
            }
        }
    }

    private void tellOfAnother(Commit commit) {
        database.heads().forget(commit.session());
        tell(commit);
    }

    /** Wakes may have been missed: whoever waits looks for themselves. */
    private void tellEverybody() {
        listeners.forEach((address, list) -> {
            for (Listener one : list) {
                one.committed(address.org(), address.session(), new Seq(0));
            }
        });
    }

    /** Returns when the last wakes are sent: the sender needs the pool, which is closed next. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        awaitSender();
        Connection open = listening;
        if (open != null) {
            try {
                open.abort(Runnable::run);
            } catch (SQLException e) {
                log.atDebug().setCause(e).log("the listening connection did not close");
            }
        }
    }

    private void awaitSender() {
        try {
            if (!sender.join(LAST_WAKES)) {
                log.atWarn().log("the last wakes of other hosts were not sent in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
