package ai.hanzo.dev.ledger.jdbc;

import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.protocol.id.SessionId;

/** A session that has sent an action, as the tables of V10 have it, and those that came later. */
final class OldRows {
    static final String SESSION = "ses_00000000000000000000000001";
    static final OrgId ORG = new OrgId("old");
    static final SessionId ID = new SessionId(SESSION);

    static final String INSERT =
            """
            INSERT INTO orgs (id) VALUES ('old');
            INSERT INTO principals (org_id, id) VALUES ('old', 'somebody');
            INSERT INTO sessions (id, org_id, state, format_version, title, model, policy,
                rules_digest, core_digest, runner_id, created_by, next_seq, consumed_seq,
                last_input_seq, head_digest, created_at, updated_at)
            VALUES ('%1$s', 'old', 'running', 1, '', 'm', 'p', sha256('r'), sha256('c'), 'r',
                'somebody', 4, 2, 2, sha256('3'), now(), now());
            INSERT INTO entries (session_id, seq, org_id, kind, turn, action_id, format_version,
                payload, created_at, source, prev_digest, digest)
            VALUES ('%1$s', 1, 'old', 'config', NULL, NULL, 1, 'c', now(), 'somebody', sha256('0'),
                    sha256('1')),
                ('%1$s', 2, 'old', 'turn', 1, NULL, 1, 't', now(), 'somebody', sha256('1'),
                    sha256('2')),
                ('%1$s', 3, 'old', 'action', 1, 1, 1, 'a', now(), 'core', sha256('2'),
                    sha256('3'));
            INSERT INTO actions (session_id, id, org_id, turn, seq, kind, request_digest, status,
                created_at, dispatched_at)
            VALUES ('%1$s', 1, 'old', 1, 3, 'exec', sha256('q'), 'dispatched', now(), now());
            """
                    .formatted(SESSION);

    /** What policy said of the action, which had a table of its own up to V12. */
    static final String DECIDE_IN_TABLE =
            """
            INSERT INTO decisions (session_id, action_id, org_id, verdict, mode, rules, reason,
                rules_digest, created_at)
            VALUES ('%1$s', 1, 'old', 'allow', 'enforce', '{r}', 'w', sha256('r'), now());
            """
                    .formatted(SESSION);

    /** The same in the row of the action, by the tables' owner. */
    static final String DECIDE_IN_ROW =
            """
            ALTER TABLE actions DISABLE TRIGGER actions_for_good;
            UPDATE actions SET verdict = 'allow', mode = 'enforce', rules = '{r}', reason = 'w',
                rules_digest = sha256('r');
            ALTER TABLE actions ENABLE TRIGGER actions_for_good;
            """;

    private OldRows() {}
}
