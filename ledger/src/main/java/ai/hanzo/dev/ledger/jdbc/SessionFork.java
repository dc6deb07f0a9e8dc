package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.Chain;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.IdempotencyKey;
import ai.hanzo.dev.ledger.NewFork;
import ai.hanzo.dev.ledger.Opened;
import ai.hanzo.dev.ledger.Snapshot;
import ai.hanzo.dev.ledger.Workspace;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.RunId;
import ai.hanzo.dev.protocol.id.Seq;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A session out of the journal of another, in one transaction; the other is only read. */
final class SessionFork {
    private static final int PAGE = 500;

    private static final String INSERT =
            """
            INSERT INTO sessions (id, org_id, state, format_version, title, profile_id,
                workspace_path, workspace_machine, workspace_device, workspace_inode,
                workspace_access, model, policy, rules_digest, core_digest, runner_id, created_by,
                start_key, start_body, next_seq, consumed_seq, last_input_seq, next_turn,
                head_digest, created_at, updated_at, setup_seq)
            SELECT ?, org_id, 'idle', format_version, title, profile_id, ?, ?, ?, ?, ?,
                model, policy, rules_digest, ?, runner_id, ?, ?::text, ?::bytea, ? + 1,
                ?, ?,
                1 + coalesce((SELECT max(turn) FROM entries
                              WHERE session_id = s.id AND kind = 'turn' AND seq <= ?), 0),
                ?, ?, ?, ?
            FROM sessions s WHERE id = ? AND org_id = ?
            ON CONFLICT (org_id, created_by, start_key) WHERE start_key IS NOT NULL DO NOTHING
            """;

    /** It is not removed while it is copied. */
    private static final String HOLD =
            "SELECT 1 FROM sessions WHERE id = ? AND org_id = ? FOR KEY SHARE";

    private static final String ENTRIES =
            "SELECT body_digest, redaction, "
                    + Rows.ENTRY
                    + " FROM entries WHERE session_id = ? AND org_id = ? AND seq > ? AND seq <= ?"
                    + " ORDER BY seq LIMIT ?";

    private static final String END_WITH = "UPDATE sessions SET head_digest = ? WHERE id = ?";

    private static final String TURNS =
            "SELECT turn FROM runs WHERE session_id = ? AND org_id = ? AND seq <= ? ORDER BY turn";

    private static final String COPY_RUN =
            """
            INSERT INTO runs (id, org_id, session_id, turn, run_kind, status, mode, target, seq,
                source, error_code, error_text, created_at, started_at, ended_at)
            SELECT ?, org_id, ?, turn, run_kind, status, mode, target, seq, source, error_code,
                error_text, created_at, started_at, ended_at
            FROM runs WHERE session_id = ? AND turn = ?
            """;

    private static final String COPY_ACTIONS =
            """
            INSERT INTO actions (session_id, id, org_id, turn, seq, kind, request_digest, status,
                marker, outcome_seq, created_at, dispatched_at, completed_at, verdict, mode, rules,
                reason, rules_digest)
            SELECT ?, id, org_id, turn, seq, kind, request_digest, status, marker, outcome_seq,
                created_at, dispatched_at, completed_at, verdict, mode, rules, reason, rules_digest
            FROM actions WHERE session_id = ? AND seq <= ?
            """;

    static final String PUT_SNAPSHOT =
            """
            INSERT INTO snapshots (session_id, org_id, through_seq, core_digest, state, mac)
            VALUES (?, ?, ?, ?, ?, ?)
            """;

    private final Ticks ticks;

    SessionFork(Ticks ticks) {
        this.ticks = ticks;
    }

    /** A copied entry with what its record does not hold. */
    private record Copied(Entry entry, Optional<Sha256> body, Optional<String> redaction) {}

    /** Empty when somebody with the same key was faster. */
    Optional<Opened.Created> fork(Connection db, NewFork fork) throws SQLException {
        Instant now = ticks.now();
        try (PreparedStatement hold = db.prepareStatement(HOLD)) {
            Rows.set(hold, fork.origin(), fork.org());
            Rows.first(hold, _ -> true);
        }
        if (!insert(db, fork, now)) {
            return Optional.empty();
        }
        Sha256 head = copyEntries(db, fork);
        update(db, END_WITH, head, fork.id());
        copyRuns(db, fork);
        update(db, COPY_ACTIONS, fork.id(), fork.origin(), fork.at());
        update(db, JdbcArtifacts.COPY, fork.id(), fork.origin(), fork.at());
        if (fork.snapshot().isPresent()) {
            Snapshot snapshot = fork.snapshot().get();
            update(
                    db,
                    PUT_SNAPSHOT,
                    fork.id(),
                    fork.org(),
                    snapshot.through(),
                    snapshot.core(),
                    snapshot.state(),
                    snapshot.mac());
        }
        SessionWrite write = SessionWrite.lock(db, fork.org(), fork.id(), now).orElseThrow();
        Entry note = write.add(fork.note(), Optional.empty());
        write.flush(db);
        return Optional.of(
                new Opened.Created(
                        SessionRows.find(db, fork.org(), fork.id()).orElseThrow(), List.of(note)));
    }

    private static boolean insert(Connection db, NewFork fork, Instant now) throws SQLException {
        Workspace workspace = fork.workspace();
        int made =
                update(
                        db,
                        INSERT,
                        fork.id(),
                        workspace.path(),
                        workspace.machine(),
                        workspace.device(),
                        workspace.inode(),
                        workspace.access(),
                        fork.core(),
                        fork.createdBy(),
                        fork.key().map(IdempotencyKey::value),
                        fork.key().map(IdempotencyKey::body),
                        fork.at(),
                        fork.consumed(),
                        fork.consumed(),
                        fork.at(),
                        Chain.START,
                        now,
                        now,
                        fork.setupAt(),
                        fork.origin(),
                        fork.org());
        return made == 1;
    }

    /** Copies the entries into a chain of the new session; its last digest. */
    private static Sha256 copyEntries(Connection db, NewFork fork) throws SQLException {
        Sha256 head = Chain.START;
        Seq after = new Seq(0);
        while (after.compareTo(fork.at()) < 0) {
            List<Copied> page = page(db, fork, after);
            if (page.isEmpty()) {
                throw new IllegalStateException(fork.origin() + " has no entry after " + after);
            }
            try (PreparedStatement insert = db.prepareStatement(SessionWrite.INSERT_ENTRY)) {
                for (Copied one : page) {
                    Entry moved = moved(one.entry(), fork, head);
                    SessionWrite.set(insert, moved, one.body(), one.redaction());
                    insert.addBatch();
                    head = moved.digest();
                    after = moved.seq();
                }
                insert.executeBatch();
            }
        }
        return head;
    }

    private static List<Copied> page(Connection db, NewFork fork, Seq after) throws SQLException {
        try (PreparedStatement query = db.prepareStatement(ENTRIES)) {
            Rows.set(query, fork.origin(), fork.org(), after, fork.at(), PAGE);
            return Rows.all(
                    query,
                    row -> {
                        byte[] body = row.getBytes("body_digest");
                        return new Copied(
                                Rows.entry(row),
                                body == null
                                        ? Optional.empty()
                                        : Optional.of(new Sha256(Bytes.wrap(body))),
                                Optional.ofNullable(row.getString("redaction")));
                    });
        }
    }

    private static Entry moved(Entry entry, NewFork fork, Sha256 head) {
        Entry open =
                new Entry(
                        entry.org(),
                        fork.id(),
                        entry.seq(),
                        entry.kind(),
                        entry.turn(),
                        entry.action(),
                        entry.formatVersion(),
                        entry.seq().equals(fork.setupAt()) ? fork.setup() : entry.payload(),
                        entry.createdAt(),
                        entry.source(),
                        entry.idempotencyKey(),
                        head,
                        Chain.START);
        return SessionWrite.withDigest(open, Chain.digestOf(open));
    }

    private void copyRuns(Connection db, NewFork fork) throws SQLException {
        List<Long> turns;
        try (PreparedStatement query = db.prepareStatement(TURNS)) {
            Rows.set(query, fork.origin(), fork.org(), fork.at());
            turns = Rows.all(query, row -> row.getLong(1));
        }
        for (long turn : turns) {
            String id = RunId.next(ticks.ids()).value();
            update(db, COPY_RUN, id, fork.id(), fork.origin(), turn);
        }
    }

    private static int update(Connection db, String sql, Object... values) throws SQLException {
        try (PreparedStatement update = db.prepareStatement(sql)) {
            Rows.set(update, values);
            return update.executeUpdate();
        }
    }
}
