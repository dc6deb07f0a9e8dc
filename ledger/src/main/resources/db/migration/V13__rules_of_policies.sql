-- What a row may be is said by a policy where each action writes. PostgreSQL reads the text of every
-- CHECK of a table anew with each statement that writes to it, and looks up each domain; a policy is
-- planned with its statement, once for each connection. The rules are those that were; what is set
-- once, when a session is opened, keeps its CHECKs and domains.

DROP VIEW inputs;

ALTER TABLE sessions
    DROP CONSTRAINT sessions_counters,
    DROP CONSTRAINT sessions_held,
    ALTER COLUMN state TYPE text,
    ALTER COLUMN head_digest TYPE bytea,
    ALTER COLUMN next_seq TYPE bigint,
    ALTER COLUMN next_turn TYPE bigint;

CREATE POLICY sessions_rules ON sessions AS RESTRICTIVE USING (true) WITH CHECK (
    state = ANY ('{idle,running,waiting_approval,waiting_input,waiting_quota,suspended,stopped,failed}'::text[])
    AND octet_length(head_digest) = 32
    AND next_seq >= 1 AND consumed_seq < next_seq AND last_input_seq < next_seq
    AND next_turn >= 1
    AND (NOT workspace_held OR workspace_access IS NOT DISTINCT FROM 'write'));

ALTER TABLE entries
    DROP CONSTRAINT entries_check,
    ALTER COLUMN seq TYPE bigint,
    ALTER COLUMN turn TYPE bigint,
    ALTER COLUMN action_id TYPE bigint,
    ALTER COLUMN format_version TYPE integer,
    ALTER COLUMN kind TYPE text,
    ALTER COLUMN source TYPE text,
    ALTER COLUMN idempotency_key TYPE text,
    ALTER COLUMN redaction TYPE text,
    ALTER COLUMN body_digest TYPE bytea,
    ALTER COLUMN prev_digest TYPE bytea,
    ALTER COLUMN digest TYPE bytea;

CREATE POLICY entries_rules ON entries AS RESTRICTIVE USING (true) WITH CHECK (
    seq >= 1
    AND (turn IS NULL OR turn >= 1)
    AND (action_id IS NULL OR action_id >= 1)
    AND format_version >= 1
    AND length(kind) BETWEEN 1 AND 40
    AND translate(kind, 'abcdefghijklmnopqrstuvwxyz_0123456789', '') = '' AND left(kind, 1) >= 'a'
    AND length(source) BETWEEN 1 AND 200
    AND (idempotency_key IS NULL) = (body_digest IS NULL)
    AND (idempotency_key IS NULL OR length(idempotency_key) BETWEEN 1 AND 200 AND octet_length(body_digest) = 32)
    AND (redaction IS NULL OR redaction = ANY ('{masked,artifact_ref,secret_free_hash}'::text[]))
    AND octet_length(prev_digest) = 32
    AND octet_length(digest) = 32);

ALTER TABLE actions
    DROP CONSTRAINT actions_status_check,
    ALTER COLUMN id TYPE bigint,
    ALTER COLUMN request_digest TYPE bytea;

-- What policy said of an action is a part of its row: there is no action without it, and none is
-- looked up for another. Nobody changes it; the trigger is asked by statements that name a column of
-- it.
DROP TRIGGER actions_decided ON actions;
DROP FUNCTION check_decided();

ALTER TABLE actions
    ADD COLUMN verdict text,
    ADD COLUMN mode text,
    ADD COLUMN rules text[],
    ADD COLUMN reason text,
    ADD COLUMN rules_digest bytea;

ALTER TABLE actions DISABLE TRIGGER actions_over;
UPDATE actions a
SET verdict = d.verdict, mode = d.mode, rules = d.rules, reason = d.reason, rules_digest = d.rules_digest
FROM decisions d
WHERE d.session_id = a.session_id AND d.action_id = a.id AND d.org_id = a.org_id;
ALTER TABLE actions ENABLE TRIGGER actions_over;

DROP TABLE decisions;

CREATE TRIGGER actions_for_good
    BEFORE DELETE OR UPDATE OF verdict, mode, rules, reason, rules_digest ON actions
    FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER actions_never_emptied BEFORE TRUNCATE ON actions
    EXECUTE FUNCTION refuse_change();

CREATE VIEW decisions WITH (security_invoker = true) AS
SELECT session_id, id AS action_id, org_id, verdict, mode, rules, reason, rules_digest, created_at
FROM actions
WHERE verdict IS NOT NULL;

CREATE POLICY actions_rules ON actions AS RESTRICTIVE USING (true) WITH CHECK (
    id >= 1
    AND octet_length(request_digest) = 32
    AND CASE WHEN outcome_seq IS NULL
        THEN completed_at IS NULL AND status = ANY
            ('{requested,blocked,waiting_approval,waiting_input,dispatched,in_doubt}'::text[])
        ELSE completed_at IS NOT NULL AND status = ANY
            ('{completed,failed,cancelled,blocked,in_doubt}'::text[])
        END);

CREATE POLICY actions_decided ON actions AS RESTRICTIVE USING (true) WITH CHECK (
    CASE WHEN verdict IS NULL
        THEN kind = ANY ('{emit,save,done}'::text[])
            AND num_nonnulls(mode, rules, reason, rules_digest) = 0
        ELSE verdict = ANY
                ('{allow,observe,require_expert_approval,require_client_approval,block}'::text[])
            AND mode = ANY ('{observe,enforce}'::text[])
            AND rules IS NOT NULL AND reason IS NOT NULL
            AND octet_length(rules_digest) = 32
        END);

-- A session that was removed may be brought in again, and be removed again: a line for each time.
ALTER TABLE purges DROP CONSTRAINT purges_pkey, ADD PRIMARY KEY (session_id, purged_at);

-- As before, without the table of decisions.
CREATE OR REPLACE FUNCTION hanzo_purge(session text, who text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT
    AS $$
DECLARE
    row sessions%ROWTYPE;
BEGIN
    SELECT * INTO row FROM sessions WHERE id = session AND org_id = hanzo_org() FOR UPDATE;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    IF row.state NOT IN ('stopped', 'failed')
       OR EXISTS (SELECT 1 FROM leases l JOIN hosts h ON h.id = l.host_id
                  WHERE l.session_id = session AND h.state = 'alive') THEN
        RETURN -1;
    END IF;
    PERFORM set_config('hanzo.purging', session, true);
    DELETE FROM approvals WHERE session_id = session;
    DELETE FROM artifacts WHERE session_id = session;
    DELETE FROM actions WHERE session_id = session;
    DELETE FROM runs WHERE session_id = session;
    DELETE FROM snapshots WHERE session_id = session;
    DELETE FROM kept_snapshots WHERE session_id = session;
    DELETE FROM leases WHERE session_id = session;
    DELETE FROM entries WHERE session_id = session;
    DELETE FROM bodies WHERE session_id = session;
    DELETE FROM session_keys WHERE session_id = session;
    DELETE FROM scheduled_tasks
        WHERE starts_with(task_instance, row.org_id || '/' || session || '/');
    DELETE FROM sessions WHERE id = session;
    PERFORM set_config('hanzo.purging', '', true);
    INSERT INTO purges (session_id, org_id, state, entries, head_digest, purged_by)
    VALUES (session, row.org_id, row.state, row.next_seq - 1, row.head_digest, who);
    RETURN row.next_seq - 1;
END $$;

-- They bind the owner as well, with which the application may log in: it sees all rows, as before.
DO $$
DECLARE
    t text;
BEGIN
    FOREACH t IN ARRAY ARRAY['sessions', 'entries', 'actions'] LOOP
        EXECUTE format('CREATE POLICY %I ON %I TO CURRENT_USER USING (true) WITH CHECK (true)', t || '_of_owner', t);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    END LOOP;
END $$;

-- A rule that rows break which came in by COPY, past the policies; null if there is none.
CREATE FUNCTION hanzo_broken_rule() RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
    rule record;
    broken boolean;
BEGIN
    FOR rule IN
        SELECT tablename, policyname, with_check FROM pg_policies
        WHERE schemaname = current_schema() AND permissive = 'RESTRICTIVE'
        ORDER BY tablename, policyname
    LOOP
        EXECUTE format('SELECT EXISTS (SELECT FROM %I WHERE (%s) IS NOT TRUE)', rule.tablename, rule.with_check)
            INTO broken;
        IF broken THEN
            RETURN rule.policyname;
        END IF;
    END LOOP;
    RETURN NULL;
END $$;

DROP DOMAIN counted;
DROP DOMAIN entry_kind;
DROP DOMAIN entry_source;
DROP DOMAIN idempotency_key;
DROP DOMAIN redaction_level;
DROP DOMAIN session_state;
DROP DOMAIN decision_mode;
DROP DOMAIN decision_verdict;

CREATE VIEW inputs WITH (security_invoker = true) AS
SELECT session_id, seq, org_id, kind, turn, action_id, source AS principal, idempotency_key,
       body_digest, digest, created_at
FROM entries
WHERE kind IN ('config', 'turn', 'answer', 'approval', 'cancel', 'timer', 'suspend', 'resume', 'stop')
  AND source NOT IN ('host', 'core');

GRANT SELECT ON inputs, decisions TO ${appRole};
