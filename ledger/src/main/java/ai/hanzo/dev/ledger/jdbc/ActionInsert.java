package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.ledger.ActionStatus;
import ai.hanzo.dev.ledger.ArchiveRow;
import ai.hanzo.dev.ledger.DecisionRow;
import ai.hanzo.dev.ledger.NewAction;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.id.SessionId;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;

/** The row of an action, with what policy said of it, as it is inserted. Pure functions. */
final class ActionInsert {
    static final String SQL =
            """
            INSERT INTO actions (session_id, id, org_id, turn, seq, kind, request_digest, status,
                marker, outcome_seq, created_at, dispatched_at, completed_at, verdict, mode, rules,
                reason, rules_digest)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """;

    private ActionInsert() {}

    /**
     * The row of an action whose entry is {@code seq}; what needs nobody is over as it is written.
     */
    static ArchiveRow.OfAction row(NewAction action, Seq seq, Instant createdAt) {
        boolean goes = action.status() == ActionStatus.DISPATCHED;
        boolean over = action.status() == ActionStatus.COMPLETED;
        return new ArchiveRow.OfAction(
                action.id(),
                action.turn(),
                seq,
                action.kind(),
                action.request(),
                action.status(),
                action.marker(),
                over ? Optional.of(seq) : Optional.empty(),
                new ArchiveRow.Times(
                        createdAt,
                        goes ? Optional.of(createdAt) : Optional.empty(),
                        over ? Optional.of(createdAt) : Optional.empty()));
    }

    /** The parameters for an action whose entry is {@code seq}. */
    static Object[] values(
            Connection db, SessionHead of, NewAction action, Seq seq, Instant createdAt)
            throws SQLException {
        return values(db, of.org(), of.session(), row(action, seq, createdAt), action.decision());
    }

    /** The parameters for a row. */
    static Object[] values(
            Connection db,
            OrgId org,
            SessionId session,
            ArchiveRow.OfAction action,
            Optional<DecisionRow> decision)
            throws SQLException {
        return new Object[] {
            session,
            action.id(),
            org,
            action.turn(),
            action.seq(),
            action.kind(),
            action.request(),
            action.status(),
            action.marker(),
            action.outcome(),
            action.times().createdAt(),
            action.times().dispatchedAt(),
            action.times().completedAt(),
            decision.map(DecisionRow::verdict),
            decision.map(DecisionRow::mode),
            rules(db, decision),
            decision.map(DecisionRow::reason),
            decision.map(DecisionRow::ruleSet)
        };
    }

    /** The rules that spoke, as an array of the server's; empty where nothing was decided. */
    static Optional<Array> rules(Connection db, Optional<DecisionRow> decision)
            throws SQLException {
        return decision.isEmpty()
                ? Optional.empty()
                : Optional.of(db.createArrayOf("text", decision.get().rules().toArray()));
    }
}
