-- Bodies of effects: sealed under a key of their session, which is wrapped by the organisation's.

CREATE TABLE session_keys (
    session_id text PRIMARY KEY,
    org_id     text NOT NULL,
    wrapped    bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (session_id, org_id),
    FOREIGN KEY (session_id, org_id) REFERENCES sessions (id, org_id)
);

-- Sealed bytes cannot be made smaller.
CREATE TABLE bodies (
    session_id text NOT NULL,
    digest     bytea NOT NULL CHECK (octet_length(digest) = 32),
    org_id     text NOT NULL,
    sealed     bytea STORAGE EXTERNAL NOT NULL,
    PRIMARY KEY (session_id, digest),
    FOREIGN KEY (session_id, org_id) REFERENCES session_keys (session_id, org_id)
);

CREATE TRIGGER session_keys_append_only BEFORE UPDATE OR DELETE ON session_keys
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER bodies_append_only BEFORE UPDATE OR DELETE ON bodies
    FOR EACH ROW EXECUTE FUNCTION refuse_change();

ALTER TABLE session_keys ENABLE ROW LEVEL SECURITY;
CREATE POLICY session_keys_of_org ON session_keys
    USING (org_id = hanzo_org()) WITH CHECK (org_id = hanzo_org());
ALTER TABLE bodies ENABLE ROW LEVEL SECURITY;
CREATE POLICY bodies_of_org ON bodies USING (org_id = hanzo_org()) WITH CHECK (org_id = hanzo_org());

-- How an entry was kept clear of secrets; null for one that is older than this, or came from elsewhere.
ALTER TABLE entries ADD COLUMN redaction text
    CHECK (redaction IN ('masked', 'artifact_ref', 'secret_free_hash'));

-- As before, with the key and the bodies.
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
    DELETE FROM decisions WHERE session_id = session;
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
