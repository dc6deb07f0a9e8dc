package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.Purges;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.SessionId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;

/** Calls the functions of V5: what they remove, the application itself could not. */
final class JdbcPurges implements Purges {
    /**
     * Of the advisory lock that a backup shares and a sweep has alone: "hanzo", in ASCII. No other
     * is taken here.
     */
    static final long LOCK = 0x68616e7a6fL;

    private static final String PURGE = "SELECT hanzo_purge(?, ?)";
    private static final String OVER =
            "SELECT org_id, session_id FROM hanzo_over(now() - ? * interval '1 second', ?)";
    private static final String ORGS = "SELECT org_id FROM hanzo_orgs()";
    private static final String DUE =
            "SELECT now() FROM hanzo_unswept() u WHERE u AND pg_try_advisory_xact_lock("
                    + LOCK
                    + ")";
    private static final String SWEPT =
            "SELECT hanzo_swept(?::timestamptz - ? * interval '1 second')";

    private final Database database;

    JdbcPurges(Database database) {
        this.database = database;
    }

    @Override
    public Purged purge(OrgId org, SessionId session, String by) {
        return database.inOrg(
                org,
                db -> {
                    try (PreparedStatement purge = db.prepareStatement(PURGE)) {
                        Rows.set(purge, session, by);
                        return Rows.first(
                                        purge,
                                        row -> {
                                            long entries = row.getLong(1);
                                            return row.wasNull()
                                                    ? new Purged.NoSession()
                                                    : entries < 0
                                                            ? new Purged.NotOver()
                                                            : new Purged.Gone(entries);
                                        })
                                .orElseThrow();
                    }
                });
    }

    @Override
    public List<Ended> ended(Duration age, int most) {
        return database.run(db -> {
            try (PreparedStatement over = db.prepareStatement(OVER)) {
                Rows.set(over, age.toSeconds(), most);
                return Rows.all(
                        over,
                        row ->
                                new Ended(
                                        new OrgId(row.getString(1)),
                                        new SessionId(row.getString(2))));
            }
        });
    }

    @Override
    public List<OrgId> orgs() {
        return database.run(db -> {
            try (PreparedStatement orgs = db.prepareStatement(ORGS)) {
                return Rows.all(orgs, row -> new OrgId(row.getString(1)));
            }
        });
    }

    @Override
    public boolean sweep(Duration age, Runnable sweep) {
        return database.run(db -> {
            Optional<OffsetDateTime> begun = begin(db);
            if (begun.isEmpty()) {
                return false;
            }
            sweep.run();
            try (PreparedStatement swept = db.prepareStatement(SWEPT)) {
                Rows.set(swept, begun.get().toInstant(), age.toSeconds());
                swept.execute();
            }
            return true;
        });
    }

    /** The lock is held to the end of the transaction, which is idle while files are read. */
    private static Optional<OffsetDateTime> begin(Connection db) throws SQLException {
        try (Statement patience = db.createStatement()) {
            patience.execute("SET LOCAL idle_in_transaction_session_timeout = 0");
        }
        try (PreparedStatement due = db.prepareStatement(DUE)) {
            return Rows.first(due, row -> row.getObject(1, OffsetDateTime.class));
        }
    }
}
