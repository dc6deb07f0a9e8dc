-- Sessions that are over can be removed, whole: by one function, which leaves a line that says so.

CREATE TABLE purges (
    session_id  text PRIMARY KEY,
    org_id      text NOT NULL REFERENCES orgs (id),
    state       text NOT NULL,
    entries     bigint NOT NULL,
    head_digest bytea NOT NULL CHECK (octet_length(head_digest) = 32),
    purged_at   timestamptz NOT NULL DEFAULT now(),
    purged_by   text NOT NULL,
    -- Whether the stored files that only it needed are gone.
    swept       boolean NOT NULL DEFAULT false
);

ALTER TABLE purges ENABLE ROW LEVEL SECURITY;
CREATE POLICY purges_of_org ON purges USING (org_id = hanzo_org()) WITH CHECK (org_id = hanzo_org());
CREATE INDEX purges_unswept ON purges (purged_at) WHERE NOT swept;

-- What is append-only is so until its session goes. The application may not delete from these
-- tables at all, whatever it sets: this is for the function below, which runs as the owner.
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF OLD.session_id = current_setting('hanzo.purging', true) THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

-- Removes a session of the transaction's org that is over and that no host has; null if there is
-- none, else how many entries it had, or -1 if it is not over.
CREATE FUNCTION hanzo_purge(session text, who text) RETURNS bigint
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
    DELETE FROM scheduled_tasks
        WHERE starts_with(task_instance, row.org_id || '/' || session || '/');
    DELETE FROM sessions WHERE id = session;
    PERFORM set_config('hanzo.purging', '', true);
    INSERT INTO purges (session_id, org_id, state, entries, head_digest, purged_by)
    VALUES (session, row.org_id, row.state, row.next_seq - 1, row.head_digest, who);
    RETURN row.next_seq - 1;
END $$;

-- Three more questions that cross orgs: what is over for long, whose sessions there are, and whether
-- something was removed whose stored files are still there.

CREATE FUNCTION hanzo_over(before timestamptz, most integer)
    RETURNS TABLE (org_id text, session_id text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT
    AS $$
    SELECT s.org_id, s.id FROM sessions s
    WHERE s.state IN ('stopped', 'failed') AND s.updated_at < before
      AND NOT EXISTS (SELECT 1 FROM leases l JOIN hosts h ON h.id = l.host_id
                      WHERE l.session_id = s.id AND h.state = 'alive')
    ORDER BY s.updated_at LIMIT most
$$;

CREATE INDEX sessions_over ON sessions (updated_at) WHERE state IN ('stopped', 'failed');

CREATE FUNCTION hanzo_orgs() RETURNS TABLE (org_id text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT
    AS $$
    SELECT id FROM orgs ORDER BY id
$$;

CREATE FUNCTION hanzo_unswept() RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT
    AS $$
    SELECT EXISTS (SELECT 1 FROM purges WHERE NOT swept)
$$;

CREATE FUNCTION hanzo_swept(before timestamptz) RETURNS void
    LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT
    AS $$
    UPDATE purges SET swept = true WHERE NOT swept AND purged_at < before
$$;
