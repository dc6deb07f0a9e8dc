package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.ActionRow;
import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.DecisionRow;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.Journal;
import ai.hanzo.dev.ledger.Page;
import ai.hanzo.dev.ledger.Run;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.ledger.Snapshot;
import ai.hanzo.dev.ledger.Verification;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.protocol.id.TurnId;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The reads of sessions, entries and snapshots; those of actions are {@link ActionRows}. */
final class JdbcJournal implements Journal {
    private static final String SESSIONS =
            "SELECT "
                    + SessionRows.COLUMNS
                    + " FROM sessions WHERE org_id = ? AND id < ? AND state = ANY (?)"
                    + " ORDER BY id DESC LIMIT ?";

    private static final String ALL_SESSIONS =
            "SELECT "
                    + SessionRows.COLUMNS
                    + " FROM sessions WHERE org_id = ? AND id < ? ORDER BY id DESC LIMIT ?";

    private static final String AT =
            "SELECT "
                    + SessionRows.COLUMNS
                    + " FROM sessions WHERE org_id = ? AND workspace_path = ?"
                    + " ORDER BY id DESC LIMIT ?";

    private static final String ENTRIES =
            "SELECT "
                    + Rows.ENTRY
                    + " FROM entries WHERE session_id = ? AND org_id = ? AND seq > ?"
                    + " ORDER BY seq LIMIT ?";

    private static final String ENTRY =
            "SELECT "
                    + Rows.ENTRY
                    + " FROM entries WHERE session_id = ? AND org_id = ? AND seq = ?";

    private static final String UNCONSUMED =
            "SELECT "
                    + Rows.ENTRY
                    + " FROM entries WHERE session_id = ? AND org_id = ?"
                    + " AND seq > (SELECT consumed_seq FROM sessions WHERE id = session_id)"
                    + " AND kind = ANY (?) ORDER BY seq LIMIT ?";

    private static final String SNAPSHOT =
            "SELECT through_seq, core_digest, state, mac FROM snapshots"
                    + " WHERE session_id = ? AND org_id = ?";

    private static final String KEPT =
            "SELECT through_seq, core_digest, state, mac FROM kept_snapshots"
                    + " WHERE session_id = ? AND org_id = ? AND through_seq <= ?"
                    + " ORDER BY through_seq DESC LIMIT 1";

    /** Above every id of a session. */
    private static final String LAST = "ses_~";

    private final Database database;
    private final Reads reads;
    private final RunRows runs;

    JdbcJournal(Database database, Reads reads) {
        this.database = database;
        this.reads = reads;
        this.runs = reads.repository(RunRows.class);
    }

    @Override
    public Optional<Session> session(OrgId org, SessionId session) {
        return database.inOrg(org, db -> SessionRows.find(db, org, session));
    }

    @Override
    public Page<Session> sessions(
            OrgId org, Set<SessionState> states, Optional<SessionId> before, int limit) {
        requireLimit(limit);
        String last = before.map(SessionId::value).orElse(LAST);
        List<Session> found =
                database.inOrg(
                        org,
                        db -> {
                            if (states.isEmpty()) {
                                return sessions(db, ALL_SESSIONS, org, last, limit + 1);
                            }
                            Array wanted = words(db, states);
                            return sessions(db, SESSIONS, org, last, wanted, limit + 1);
                        });
        if (found.size() <= limit) {
            return new Page<>(found, Optional.empty());
        }
        List<Session> page = found.subList(0, limit);
        return new Page<>(page, Optional.of(page.getLast().id()));
    }

    @Override
    public Optional<Session> newestAt(OrgId org, String path) {
        return sessionsAt(org, path, 1).stream().findFirst();
    }

    @Override
    public List<Session> sessionsAt(OrgId org, String path, int limit) {
        requireLimit(limit);
        return database.inOrg(org, db -> sessions(db, AT, org, path, limit));
    }

    private static List<Session> sessions(Connection db, String sql, Object... values)
            throws SQLException {
        try (PreparedStatement query = db.prepareStatement(sql)) {
            Rows.set(query, values);
            return Rows.all(query, SessionRows::read);
        }
    }

    @Override
    public List<Entry> entries(OrgId org, SessionId session, Seq after, int limit) {
        requireLimit(limit);
        return database.inOrg(org, db -> entries(db, ENTRIES, session, org, after, limit));
    }

    @Override
    public Optional<Entry> entry(OrgId org, SessionId session, Seq seq) {
        return database.inOrg(org, db -> entries(db, ENTRY, session, org, seq)).stream()
                .findFirst();
    }

    @Override
    public List<Entry> unconsumed(OrgId org, SessionId session, int limit) {
        requireLimit(limit);
        return database.inOrg(
                org,
                db -> {
                    Array inputs = db.createArrayOf("text", Rows.inputKinds());
                    return entries(db, UNCONSUMED, session, org, inputs, limit);
                });
    }

    private static List<Entry> entries(Connection db, String sql, Object... values)
            throws SQLException {
        try (PreparedStatement query = db.prepareStatement(sql)) {
            Rows.set(query, values);
            return Rows.all(query, Rows::entry);
        }
    }

    @Override
    public Optional<Snapshot> snapshot(OrgId org, SessionId session) {
        return database.inOrg(org, db -> snapshot(db, SNAPSHOT, session, org));
    }

    @Override
    public Optional<Snapshot> keptSnapshot(OrgId org, SessionId session, Seq seq) {
        return database.inOrg(org, db -> snapshot(db, KEPT, session, org, seq));
    }

    private static Optional<Snapshot> snapshot(Connection db, String sql, Object... values)
            throws SQLException {
        try (PreparedStatement query = db.prepareStatement(sql)) {
            Rows.set(query, values);
            return Rows.first(query, JdbcJournal::readSnapshot);
        }
    }

    private static Snapshot readSnapshot(ResultSet row) throws SQLException {
        return new Snapshot(
                new Seq(row.getLong("through_seq")),
                Rows.digest(row, "core_digest"),
                Bytes.wrap(row.getBytes("state")),
                Bytes.wrap(row.getBytes("mac")));
    }

    @Override
    public List<ActionRow> actions(
            OrgId org, SessionId session, Set<ActionStatus> statuses, long after, int limit) {
        requireLimit(limit);
        return database.inOrg(
                org, db -> ActionRows.page(db, org, session, words(db, statuses), after, limit));
    }

    @Override
    public List<ActionRow> openActions(OrgId org, SessionId session) {
        return database.inOrg(org, db -> ActionRows.open(db, org, session));
    }

    @Override
    public Optional<ActionRow> action(OrgId org, SessionId session, ActionId action) {
        return database.inOrg(org, db -> ActionRows.find(db, org, session, action));
    }

    @Override
    public Optional<DecisionRow> decision(OrgId org, SessionId session, ActionId action) {
        return database.inOrg(org, db -> ActionRows.decision(db, org, session, action));
    }

    @Override
    public List<Run> runs(OrgId org, SessionId session, long after, int limit) {
        requireLimit(limit);
        return reads
                .inOrg(org, () -> runs.page(org.value(), session.value(), after, limit))
                .stream()
                .map(RunRow::toRun)
                .toList();
    }

    @Override
    public Optional<Run> run(OrgId org, SessionId session, TurnId turn) {
        return reads.inOrg(
                        org,
                        () ->
                                runs.findByOrgIdAndSessionIdAndTurn(
                                        org.value(), session.value(), turn.value()))
                .map(RunRow::toRun);
    }

    @Override
    public Verification verify(OrgId org, SessionId session) {
        return new JournalCheck(database, this).of(org, session);
    }

    private static Array words(Connection db, Set<? extends Enum<?>> constants)
            throws SQLException {
        return db.createArrayOf("text", constants.stream().map(Rows::word).toArray());
    }

    private static void requireLimit(int limit) {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException(limit + " is not within 1 and " + MAX_LIMIT);
        }
    }
}
