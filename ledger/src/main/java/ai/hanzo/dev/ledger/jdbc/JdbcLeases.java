package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.Lease;
import ai.hanzo.dev.ledger.Leases;
import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.protocol.Failpoint;
import ai.hanzo.dev.protocol.id.Epoch;
import ai.hanzo.dev.protocol.id.HostId;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.RunnerId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Leases by rows and the database's own clock, so that the clocks of hosts do not matter. */
final class JdbcLeases implements Leases {
    private static final String REGISTER =
            """
            INSERT INTO runners (id) VALUES (?)
            ON CONFLICT (id) DO UPDATE SET last_seen_at = now();
            INSERT INTO hosts (id, runner_id, state, started_at, expires_at)
            VALUES (?, ?, 'alive', now(), now() + ? * interval '1 millisecond')
            """;

    private static final String BEAT =
            """
            UPDATE hosts SET expires_at = now() + ? * interval '1 millisecond'
            WHERE id = ? AND state = 'alive'
            """;

    private static final String RETIRE =
            """
            UPDATE runners SET last_seen_at = now()
            WHERE id = (SELECT runner_id FROM hosts WHERE id = ? AND state = 'alive');
            UPDATE hosts SET state = 'dead' WHERE id = ?
            """;

    /** Of the others: a host that comes late is not dead because of its own clock. */
    private static final String BURY_SILENT =
            """
            UPDATE hosts SET state = 'dead'
            WHERE state = 'alive' AND expires_at < now() AND id <> ?
            """;

    private static final String LOCK =
            "SELECT state, epoch FROM sessions WHERE id = ? AND org_id = ? FOR NO KEY UPDATE";

    private static final String HOLDER =
            """
            SELECT l.host_id, l.epoch FROM leases l JOIN hosts h ON h.id = l.host_id
            WHERE l.session_id = ? AND l.host_id <> ? AND h.state = 'alive'
              AND h.expires_at >= now()
            """;

    private static final String IS_ALIVE =
            "SELECT 1 FROM hosts WHERE id = ? AND state = 'alive' AND expires_at >= now()";

    private static final String RAISE = "UPDATE sessions SET epoch = ? WHERE id = ?";

    private static final String GRANT =
            """
            INSERT INTO leases (session_id, org_id, host_id, epoch, acquired_at)
            VALUES (?, ?, ?, ?, now())
            ON CONFLICT (session_id) DO UPDATE SET host_id = excluded.host_id,
                epoch = excluded.epoch, acquired_at = excluded.acquired_at
            """;

    private static final String RELEASE = "DELETE FROM leases WHERE session_id = ? AND epoch = ?";

    private final Database database;
    private final Duration ttl;

    JdbcLeases(Database database, Duration ttl) {
        this.database = database;
        this.ttl = ttl;
    }

    @Override
    public Duration ttl() {
        return ttl;
    }

    private long silentAfterMillis() {
        return ttl.toMillis() * 3 / 4;
    }

    @Override
    public void register(HostId host, RunnerId runner) {
        database.run(db ->
                update(
                        db,
                        REGISTER,
                        runner.value(),
                        host.value(),
                        runner.value(),
                        silentAfterMillis()));
    }

    @Override
    public Beat heartbeat(HostId host) {
        return database.run(db -> {
            if (update(db, BEAT, silentAfterMillis(), host.value()) == 0) {
                return new Beat.Dead();
            }
            try (PreparedStatement query = db.prepareStatement("SELECT * FROM hanzo_waiting(?)")) {
                Rows.set(query, host.value());
                return new Beat.Alive(Rows.all(query, JdbcLeases::waiting));
            }
        });
    }

    @Override
    public void retire(HostId host) {
        database.run(db -> {
            try (PreparedStatement release = db.prepareStatement("SELECT hanzo_release_all(?)")) {
                Rows.set(release, host.value());
                release.execute();
            }
            return update(db, RETIRE, host.value(), host.value());
        });
    }

    @Override
    public Acquired acquire(OrgId org, SessionId session, HostId host) {
        Acquired acquired =
                database.inSession(
                        session,
                        db -> {
                            Database.see(db, org);
                            return acquire(db, org, session, host);
                        });
        Failpoint.LEASE_TAKEN.reached();
        return acquired;
    }

    private static Acquired acquire(Connection db, OrgId org, SessionId session, HostId host)
            throws SQLException {
        Optional<Epoch> next = lockForLease(db, org, session);
        if (next.isEmpty()) {
            return new Acquired.NotLeasable();
        }
        try (PreparedStatement alive = db.prepareStatement(IS_ALIVE)) {
            Rows.set(alive, host.value());
            if (Rows.first(alive, _ -> true).isEmpty()) {
                return new Acquired.HostDead();
            }
        }
        try (PreparedStatement holder = db.prepareStatement(HOLDER)) {
            Rows.set(holder, session, host.value());
            Optional<Acquired> held =
                    Rows.first(
                            holder,
                            row ->
                                    new Acquired.HeldBy(
                                            new HostId(row.getString(1)),
                                            new Epoch(row.getLong(2))));
            if (held.isPresent()) {
                return held.get();
            }
        }
        Epoch epoch = next.get();
        update(db, RAISE, epoch.value(), session);
        update(db, GRANT, session, org, host.value(), epoch.value());
        return new Acquired.Granted(new Lease(org, session, epoch, host));
    }

    /** Locks a session that can be leased; its next epoch. */
    private static Optional<Epoch> lockForLease(Connection db, OrgId org, SessionId session)
            throws SQLException {
        try (PreparedStatement lock = db.prepareStatement(LOCK)) {
            Rows.set(lock, session, org);
            return Rows.first(
                            lock,
                            row ->
                                    isLeasable(row)
                                            ? Optional.of(new Epoch(row.getLong("epoch") + 1))
                                            : Optional.<Epoch>empty())
                    .flatMap(next -> next);
        }
    }

    private static boolean isLeasable(ResultSet row) throws SQLException {
        return switch (Rows.constant(SessionState.class, row.getString("state"))) {
            case IDLE, RUNNING, WAITING_APPROVAL, WAITING_INPUT, WAITING_QUOTA -> true;
            case SUSPENDED, STOPPED, FAILED -> false;
        };
    }

    @Override
    public void release(Lease lease) {
        database.heads().forget(lease.session());
        database.inOrg(
                lease.org(), db -> update(db, RELEASE, lease.session(), lease.epoch().value()));
    }

    @Override
    public List<Waiting> orphans(HostId host, int limit) {
        return database.run(db -> {
            update(db, BURY_SILENT, host.value());
            try (PreparedStatement query =
                    db.prepareStatement("SELECT * FROM hanzo_orphans(?, ?)")) {
                Rows.set(query, host.value(), limit);
                return Rows.all(query, JdbcLeases::waiting);
            }
        });
    }

    private static Waiting waiting(ResultSet row) throws SQLException {
        return new Waiting(
                new OrgId(row.getString("org_id")),
                new SessionId(row.getString("session_id")),
                new Seq(row.getLong("last_seq")));
    }

    private static int update(Connection db, String sql, Object... values) throws SQLException {
        try (PreparedStatement update = db.prepareStatement(sql)) {
            Rows.set(update, values);
            return update.executeUpdate();
        }
    }
}
