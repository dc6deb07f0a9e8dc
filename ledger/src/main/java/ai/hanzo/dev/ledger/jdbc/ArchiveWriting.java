package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.Approval;
import ai.hanzo.dev.ledger.ArchiveRow;
import ai.hanzo.dev.ledger.Archives.Arrival;
import ai.hanzo.dev.ledger.Archives.Taken;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.Run;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.Snapshot;
import ai.hanzo.dev.ledger.Verification;
import ai.hanzo.dev.ledger.Workspace;
import ai.hanzo.dev.protocol.id.ProfileId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.TurnId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Writes a session that arrives, within one transaction: the rows as they come, a batch of one kind
 * at a time, and the chain checked on the way. Used once, by one thread.
 */
final class ArchiveWriting {
    private static final int BATCH = 200;

    private static final String INSERT_SESSION =
            """
            INSERT INTO sessions (id, org_id, state, format_version, title, profile_id,
                workspace_path, workspace_machine, workspace_device, workspace_inode,
                workspace_access, model, policy, rules_digest, core_digest, runner_id, created_by,
                next_seq, consumed_seq, last_input_seq, next_turn, head_digest, input_tokens,
                output_tokens, model_calls, error_code, error_text, created_at, updated_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
                ?, ?)
            """;

    private static final String INSERT_RUN =
            """
            INSERT INTO runs (id, org_id, session_id, turn, status, seq, source, error_code,
                error_text, created_at, started_at, ended_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """;

    private static final String INSERT_APPROVAL =
            """
            INSERT INTO approvals (id, org_id, session_id, turn, action_id, kind, risk, status,
                summary, seq, created_at, expires_at, resolved_at, resolved_by, note)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """;

    private static final String SET_SETUP =
            "UPDATE sessions SET setup_seq = ? WHERE id = ? AND org_id = ?";

    private final Connection db;
    private final Arrival arrival;
    private final Session session;
    private final Ticks ticks;
    private final ChainCheck chain;
    private final DecidedActions decided;

    ArchiveWriting(Connection db, Arrival arrival, Ticks ticks) {
        this.db = db;
        this.arrival = arrival;
        this.session = arrival.head().session();
        this.ticks = ticks;
        this.chain = new ChainCheck(session.lastSeq());
        this.decided = new DecidedActions(session.lastSeq());
    }

    /** What arrived is not what was written; thrown, so that nothing of it stays. */
    static final class NotAsWritten extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient Taken.Broken broken;

        NotAsWritten(Seq seq, String reason) {
            super(reason);
            this.broken = new Taken.Broken(seq, reason);
        }

        Taken.Broken broken() {
            return broken;
        }
    }

    Taken write(Iterator<ArchiveRow> rows) throws SQLException {
        if (SessionRows.find(db, session.org(), session.id()).isPresent()) {
            return new Taken.AlreadyHere();
        }
        SessionOpening.makeOrg(db, session.org());
        insertSession();
        insert(rows);
        require(chain.end(arrival.head().digest()));
        JournalCheck.disagreement(db, session.org(), session.id(), session.lastSeq())
                .ifPresent(ArchiveWriting::require);
        if (arrival.snapshot().isPresent()) {
            putSnapshot(arrival.snapshot().get());
        }
        SessionWrite write =
                SessionWrite.lock(db, session.org(), session.id(), ticks.now()).orElseThrow();
        Entry setup = write.add(arrival.setup(), Optional.empty());
        write.flush(db);
        update(SET_SETUP, setup.seq(), session.id(), session.org());
        return new Taken.Here(SessionRows.find(db, session.org(), session.id()).orElseThrow());
    }

    private static void require(Verification found) {
        switch (found) {
            case Verification.Sound _ -> {}
            case Verification.Broken(Seq seq, String reason) -> throw new NotAsWritten(seq, reason);
            case Verification.NoSession _ ->
                    throw new IllegalStateException("its row was inserted a moment ago");
        }
    }

    private void insertSession() throws SQLException {
        Workspace workspace = arrival.workspace();
        update(
                INSERT_SESSION,
                session.id(),
                session.org(),
                session.state(),
                session.formatVersion(),
                session.title(),
                session.profile().map(ProfileId::value),
                workspace.path(),
                workspace.machine(),
                workspace.device(),
                workspace.inode(),
                workspace.access(),
                session.model(),
                session.policy(),
                session.rules(),
                session.core(),
                arrival.runner().value(),
                session.createdBy(),
                session.lastSeq().value() + 1,
                session.consumed(),
                arrival.head().lastInput(),
                session.lastTurn().map(TurnId::value).orElse(0L) + 1,
                arrival.head().digest(),
                session.usage().inputTokens(),
                session.usage().outputTokens(),
                session.usage().modelCalls(),
                session.errorCode(),
                session.errorText(),
                session.createdAt(),
                session.updatedAt());
    }

    private void insert(Iterator<ArchiveRow> rows) throws SQLException {
        Optional<ArchiveRow> next = next(rows);
        while (next.isPresent()) {
            if (decided.take(next.get())) {
                // All entries come before: there are as many as the session says.
                require(chain.end(arrival.head().digest()));
                next = next(rows);
            } else {
                insertActions();
                next = insertAlike(next.get(), rows);
            }
        }
        insertActions();
    }

    /** Inserts {@code first} and those that follow of its kind; gives the next one. */
    private Optional<ArchiveRow> insertAlike(ArchiveRow first, Iterator<ArchiveRow> rows)
            throws SQLException {
        String kind = statement(first);
        Optional<ArchiveRow> next = Optional.of(first);
        try (PreparedStatement insert = db.prepareStatement(kind)) {
            int waiting = 0;
            while (next.isPresent() && statement(next.get()).equals(kind) && waiting < BATCH) {
                set(insert, next.get());
                insert.addBatch();
                waiting++;
                next = next(rows);
            }
            insert.executeBatch();
        }
        return next;
    }

    private void insertActions() throws SQLException {
        Iterator<DecidedActions.Decided> actions = decided.drain().iterator();
        while (actions.hasNext()) {
            try (PreparedStatement insert = db.prepareStatement(ActionInsert.SQL)) {
                for (int waiting = 0; actions.hasNext() && waiting < BATCH; waiting++) {
                    DecidedActions.Decided next = actions.next();
                    Rows.set(
                            insert,
                            ActionInsert.values(
                                    db,
                                    session.org(),
                                    session.id(),
                                    next.action(),
                                    next.decision()));
                    insert.addBatch();
                }
                insert.executeBatch();
            }
        }
    }

    private static Optional<ArchiveRow> next(Iterator<ArchiveRow> rows) {
        return rows.hasNext() ? Optional.of(rows.next()) : Optional.empty();
    }

    private static String statement(ArchiveRow row) {
        return switch (row) {
            case ArchiveRow.OfEntry _ -> SessionWrite.INSERT_ENTRY;
            case ArchiveRow.OfRun _ -> INSERT_RUN;
            case ArchiveRow.OfApproval _ -> INSERT_APPROVAL;
            // Of its own kind: they go before.
            case ArchiveRow.OfAction _, ArchiveRow.OfDecision _ -> ActionInsert.SQL;
        };
    }

    private void set(PreparedStatement insert, ArchiveRow row) throws SQLException {
        switch (row) {
            case ArchiveRow.OfEntry(Entry entry, var body) -> {
                follow(entry);
                SessionWrite.set(insert, entry, body, Optional.empty());
            }
            case ArchiveRow.OfRun(Run run, Optional<Instant> startedAt) ->
                    Rows.set(
                            insert,
                            run.id().value(),
                            session.org(),
                            session.id(),
                            run.turn(),
                            run.status(),
                            run.seq(),
                            run.source(),
                            run.errorCode(),
                            run.errorText(),
                            run.createdAt(),
                            startedAt,
                            run.endedAt());
            case ArchiveRow.OfApproval(Approval approval, Optional<Seq> seq) ->
                    set(insert, approval, seq);
            case ArchiveRow.OfAction _, ArchiveRow.OfDecision _ ->
                    throw new IllegalStateException("went before: " + row);
        }
    }

    private void set(PreparedStatement insert, Approval approval, Optional<Seq> seq)
            throws SQLException {
        Rows.set(
                insert,
                approval.id().value(),
                session.org(),
                session.id(),
                approval.turn(),
                approval.action(),
                approval.kind(),
                approval.risk(),
                approval.status(),
                approval.summary(),
                seq,
                approval.createdAt(),
                approval.expiresAt(),
                approval.resolvedAt(),
                approval.resolvedBy(),
                approval.note());
    }

    private void follow(Entry entry) {
        if (!entry.org().equals(session.org()) || !entry.session().equals(session.id())) {
            throw new NotAsWritten(entry.seq(), "It belongs to another session.");
        }
        if (chain.isThrough()) {
            throw new NotAsWritten(entry.seq(), "It follows the last one.");
        }
        chain.next(List.of(entry)).ifPresent(ArchiveWriting::require);
    }

    private void putSnapshot(Snapshot snapshot) throws SQLException {
        update(
                SessionFork.PUT_SNAPSHOT,
                session.id(),
                session.org(),
                snapshot.through(),
                snapshot.core(),
                snapshot.state(),
                snapshot.mac());
    }

    private void update(String sql, Object... values) throws SQLException {
        try (PreparedStatement update = db.prepareStatement(sql)) {
            Rows.set(update, values);
            update.executeUpdate();
        }
    }
}
