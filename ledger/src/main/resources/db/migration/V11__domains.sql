-- What a column may hold is said by its type. PostgreSQL reads the text of every CHECK of a table anew
-- with each statement that writes to it, a fifth of what a small write costs it; the rule of a domain
-- it reads once for each connection, and looks at it only where a statement gives a value. The rules
-- are those that were.

CREATE DOMAIN sha256_digest AS bytea;
CREATE DOMAIN counted AS bigint;
CREATE DOMAIN format_version AS integer;
CREATE DOMAIN entry_kind AS text;
CREATE DOMAIN entry_source AS text;
CREATE DOMAIN idempotency_key AS text;
CREATE DOMAIN redaction_level AS text;
CREATE DOMAIN session_state AS text;
CREATE DOMAIN decision_mode AS text;
CREATE DOMAIN decision_verdict AS text;

DROP VIEW inputs;

ALTER TABLE sessions
    DROP CONSTRAINT sessions_format_version_check,
    DROP CONSTRAINT sessions_state_check,
    DROP CONSTRAINT sessions_digests,
    DROP CONSTRAINT sessions_counters,
    DROP CONSTRAINT sessions_workspace,
    DROP CONSTRAINT sessions_start,
    ALTER COLUMN format_version TYPE format_version,
    ALTER COLUMN state TYPE session_state,
    ALTER COLUMN rules_digest TYPE sha256_digest,
    ALTER COLUMN core_digest TYPE sha256_digest,
    ALTER COLUMN head_digest TYPE sha256_digest,
    ALTER COLUMN next_seq TYPE counted,
    ALTER COLUMN next_turn TYPE counted,
    ADD CONSTRAINT sessions_counters CHECK (consumed_seq < next_seq AND last_input_seq < next_seq),
    ADD CONSTRAINT sessions_held CHECK (NOT workspace_held OR workspace_access IS NOT DISTINCT FROM 'write');

ALTER TABLE entries
    DROP CONSTRAINT entries_action_id_check,
    DROP CONSTRAINT entries_body_digest_check,
    DROP CONSTRAINT entries_digest_check,
    DROP CONSTRAINT entries_format_version_check,
    DROP CONSTRAINT entries_idempotency_key_check,
    DROP CONSTRAINT entries_kind_check,
    DROP CONSTRAINT entries_prev_digest_check,
    DROP CONSTRAINT entries_redaction_check,
    DROP CONSTRAINT entries_seq_check,
    DROP CONSTRAINT entries_source_check,
    DROP CONSTRAINT entries_turn_check,
    ALTER COLUMN seq TYPE counted,
    ALTER COLUMN turn TYPE counted,
    ALTER COLUMN action_id TYPE counted,
    ALTER COLUMN format_version TYPE format_version,
    ALTER COLUMN kind TYPE entry_kind,
    ALTER COLUMN source TYPE entry_source,
    ALTER COLUMN idempotency_key TYPE idempotency_key,
    ALTER COLUMN redaction TYPE redaction_level,
    ALTER COLUMN body_digest TYPE sha256_digest,
    ALTER COLUMN prev_digest TYPE sha256_digest,
    ALTER COLUMN digest TYPE sha256_digest;

ALTER TABLE actions
    DROP CONSTRAINT actions_id_check,
    DROP CONSTRAINT actions_request_digest_check,
    ALTER COLUMN id TYPE counted,
    ALTER COLUMN request_digest TYPE sha256_digest;

ALTER TABLE decisions
    DROP CONSTRAINT decisions_rules_digest_check,
    DROP CONSTRAINT decisions_words,
    ALTER COLUMN mode TYPE decision_mode,
    ALTER COLUMN verdict TYPE decision_verdict,
    ALTER COLUMN rules_digest TYPE sha256_digest;

ALTER TABLE snapshots
    DROP CONSTRAINT snapshots_core_digest_check,
    ALTER COLUMN core_digest TYPE sha256_digest;

-- After the columns: then each table is looked through, and not written again.
ALTER DOMAIN sha256_digest ADD CHECK (octet_length(VALUE) = 32);
ALTER DOMAIN counted ADD CHECK (VALUE >= 1);
ALTER DOMAIN format_version ADD CHECK (VALUE >= 1);
ALTER DOMAIN entry_kind ADD CHECK (length(VALUE) BETWEEN 1 AND 40
    AND translate(VALUE, 'abcdefghijklmnopqrstuvwxyz_0123456789', '') = '' AND left(VALUE, 1) >= 'a');
ALTER DOMAIN entry_source ADD CHECK (length(VALUE) BETWEEN 1 AND 200);
ALTER DOMAIN idempotency_key ADD CHECK (length(VALUE) BETWEEN 1 AND 200);
ALTER DOMAIN redaction_level ADD CHECK (VALUE = ANY ('{masked,artifact_ref,secret_free_hash}'::text[]));
ALTER DOMAIN session_state ADD CHECK (VALUE = ANY
    ('{idle,running,waiting_approval,waiting_input,waiting_quota,suspended,stopped,failed}'::text[]));
ALTER DOMAIN decision_mode ADD CHECK (VALUE = ANY ('{observe,enforce}'::text[]));
ALTER DOMAIN decision_verdict ADD CHECK (VALUE = ANY
    ('{allow,observe,require_expert_approval,require_client_approval,block}'::text[]));

CREATE VIEW inputs WITH (security_invoker = true) AS
SELECT session_id, seq, org_id, kind, turn, action_id, source AS principal, idempotency_key,
       body_digest, digest, created_at
FROM entries
WHERE kind IN ('config', 'turn', 'answer', 'approval', 'cancel', 'timer', 'suspend', 'resume', 'stop')
  AND source NOT IN ('host', 'core');

-- What a role may do goes with the view, and R__grants is not run again.
GRANT SELECT ON inputs TO ${appRole};

-- What a session is opened with and keeps: looked at when it is set.
CREATE FUNCTION refuse_opening() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    RAISE EXCEPTION 'session % has half a key, half a workspace or no place for its setup', NEW.id
        USING ERRCODE = 'check_violation';
END $$;

CREATE TRIGGER sessions_opening
    BEFORE INSERT OR UPDATE OF start_key, start_body, workspace_path, workspace_access, setup_seq ON sessions
    FOR EACH ROW
    WHEN ((NEW.start_key IS NULL) <> (NEW.start_body IS NULL)
        OR (NEW.workspace_path IS NULL) <> (NEW.workspace_access IS NULL)
        OR NEW.workspace_access NOT IN ('read', 'write')
        OR NEW.setup_seq < 2)
    EXECUTE FUNCTION refuse_opening();
