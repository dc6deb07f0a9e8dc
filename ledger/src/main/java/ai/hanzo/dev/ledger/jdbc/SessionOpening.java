package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.Chain;
import ai.hanzo.dev.ledger.Entry;
import ai.hanzo.dev.ledger.EntryKind;
import ai.hanzo.dev.ledger.IdempotencyKey;
import ai.hanzo.dev.ledger.LedgerException;
import ai.hanzo.dev.ledger.NewEntry;
import ai.hanzo.dev.ledger.NewFork;
import ai.hanzo.dev.ledger.NewSession;
import ai.hanzo.dev.ledger.Opened;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.Workspace;
import ai.hanzo.dev.protocol.Failpoint;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.RunId;
import ai.hanzo.dev.protocol.id.SessionId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The start of a session: its row, its configuration and its first turn in one transaction. */
final class SessionOpening {
    private static final int WORKSPACE_RACES = 3;

    private static final String INSERT_ORG =
            "INSERT INTO orgs (id) VALUES (?) ON CONFLICT DO NOTHING";

    private static final String INSERT =
            """
            INSERT INTO sessions (id, org_id, state, format_version, title, profile_id,
                workspace_path, workspace_machine, workspace_device, workspace_inode,
                workspace_access, model, policy, rules_digest, core_digest, runner_id, created_by,
                start_key, start_body, head_digest, created_at, updated_at)
            VALUES (?, ?, 'idle', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (org_id, created_by, start_key) WHERE start_key IS NOT NULL DO NOTHING
            """;

    private static final String BY_KEY =
            "SELECT start_body, "
                    + SessionRows.COLUMNS
                    + " FROM sessions WHERE org_id = ? AND created_by = ? AND start_key = ?";

    private final Database database;
    private final PostgresTails tails;
    private final Ticks ticks;

    SessionOpening(Database database, PostgresTails tails, Ticks ticks) {
        this.database = database;
        this.tails = tails;
        this.ticks = ticks;
    }

    Opened open(NewSession session) {
        for (int attempt = 1; ; attempt++) {
            try {
                Opened opened = database.attemptInOrg(session.org(), db -> open(db, session));
                if (opened instanceof Opened.Created(Session made, List<Entry> _)) {
                    Failpoint.OPEN_COMMITTED.reached();
                    tails.committed(made.org(), made.id(), made.lastSeq());
                }
                return opened;
            } catch (SQLException e) {
                if (!WorkspaceHolder.isTheReason(e)) {
                    throw database.fault(e);
                }
                Workspace workspace = session.workspace().orElseThrow();
                Optional<SessionId> holder =
                        database.inOrg(session.org(), db -> WorkspaceHolder.of(db, workspace));
                if (holder.isPresent()) {
                    return new Opened.WorkspaceBusy(holder.get());
                }
                if (attempt == WORKSPACE_RACES) {
                    throw LedgerException.conflict(e);
                }
            }
        }
    }

    Optional<Opened> before(OrgId org, String createdBy, IdempotencyKey key) {
        return database.inOrg(org, db -> startedBefore(db, org, createdBy, Optional.of(key)));
    }

    Opened fork(NewFork fork) {
        SessionFork copier = new SessionFork(ticks);
        Opened opened =
                database.inOrg(
                        fork.org(),
                        db -> {
                            Optional<Opened> before =
                                    startedBefore(db, fork.org(), fork.createdBy(), fork.key());
                            if (before.isPresent()) {
                                return before.get();
                            }
                            Optional<Opened.Created> made = copier.fork(db, fork);
                            return made.isPresent()
                                    ? made.get()
                                    : startedBefore(db, fork.org(), fork.createdBy(), fork.key())
                                            .orElseThrow(() ->
                                                    new IllegalStateException(
                                                            "no session " + fork.origin()));
                        });
        if (opened instanceof Opened.Created(Session made, List<Entry> _)) {
            tails.committed(made.org(), made.id(), made.lastSeq());
        }
        return opened;
    }

    private Opened open(Connection db, NewSession session) throws SQLException {
        Optional<Opened> before =
                startedBefore(db, session.org(), session.createdBy(), session.key());
        if (before.isPresent()) {
            return before.get();
        }
        Instant now = ticks.now();
        makeOrg(db, session.org());
        if (!insert(db, session, now)) {
            // Somebody with the same key committed while this insert waited for them.
            return startedBefore(db, session.org(), session.createdBy(), session.key())
                    .orElseThrow(() -> new IllegalStateException("a start lost its own race"));
        }
        SessionWrite write = SessionWrite.lock(db, session.org(), session.id(), now).orElseThrow();
        var config =
                new NewEntry(
                        EntryKind.CONFIG,
                        Optional.empty(),
                        session.createdBy(),
                        Optional.empty(),
                        session.config());
        List<Entry> entries = new ArrayList<>();
        entries.add(write.add(config, Optional.empty()));
        session.notes().forEach(note -> entries.add(write.add(note, Optional.empty())));
        session.turn().ifPresent(turn -> entries.add(write.addTurn(turn)));
        Pipeline writes = new Pipeline();
        write.flush(writes);
        if (session.turn().isPresent()) {
            write.insertRun(writes, RunId.next(ticks.ids()), entries.getLast());
        }
        writes.run(db);
        Session made = SessionRows.find(db, session.org(), session.id()).orElseThrow();
        Failpoint.OPEN_WRITTEN.reached();
        return new Opened.Created(made, entries);
    }

    static void makeOrg(Connection db, OrgId id) throws SQLException {
        try (PreparedStatement org = db.prepareStatement(INSERT_ORG)) {
            Rows.set(org, id);
            org.executeUpdate();
        }
    }

    private static Optional<Opened> startedBefore(
            Connection db, OrgId org, String createdBy, Optional<IdempotencyKey> given)
            throws SQLException {
        if (given.isEmpty()) {
            return Optional.empty();
        }
        IdempotencyKey key = given.get();
        try (PreparedStatement query = db.prepareStatement(BY_KEY)) {
            Rows.set(query, org, createdBy, key.value());
            return Rows.first(
                    query,
                    row -> {
                        Session found = SessionRows.read(row);
                        Sha256 body = Rows.digest(row, "start_body");
                        return body.equals(key.body())
                                ? new Opened.Existing(found)
                                : new Opened.KeyReused(found.id());
                    });
        }
    }

    private static boolean insert(Connection db, NewSession session, Instant now)
            throws SQLException {
        Optional<Workspace> workspace = session.workspace();
        try (PreparedStatement insert = db.prepareStatement(INSERT)) {
            Rows.set(
                    insert,
                    session.id(),
                    session.org(),
                    Entry.FORMAT_VERSION,
                    session.title(),
                    session.profile().map(profile -> profile.value()),
                    workspace.map(Workspace::path),
                    workspace.map(Workspace::machine),
                    workspace.map(Workspace::device),
                    workspace.map(Workspace::inode),
                    workspace.map(Workspace::access),
                    session.model(),
                    session.policy(),
                    session.rules(),
                    session.core(),
                    session.runner().value(),
                    session.createdBy(),
                    session.key().map(IdempotencyKey::value),
                    session.key().map(IdempotencyKey::body),
                    Chain.START,
                    now,
                    now);
            return insert.executeUpdate() == 1;
        }
    }
}
