-- Row-level security: a transaction sees the org that it named in hanzo.org, or nothing. The
-- application logs in as a role that owns no table, so it cannot switch this off.

DO $$
DECLARE
    t text;
BEGIN
    FOREACH t IN ARRAY ARRAY['sessions', 'entries', 'runs', 'actions', 'decisions', 'approvals', 'snapshots',
                             'kept_snapshots', 'checkpoints', 'leases'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
        EXECUTE format('CREATE POLICY %I ON %I USING (org_id = hanzo_org()) WITH CHECK (org_id = hanzo_org())',
                       t || '_of_org', t);
    END LOOP;
END $$;

ALTER TABLE orgs ENABLE ROW LEVEL SECURITY;
CREATE POLICY orgs_of_org ON orgs USING (id = hanzo_org()) WITH CHECK (id = hanzo_org());

-- The three questions that cross orgs, each answering with as little as it can. They run as the owner.

CREATE FUNCTION hanzo_waiting(host text)
    RETURNS TABLE (org_id text, session_id text, last_seq bigint)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT
    AS $$
    SELECT s.org_id, s.id, s.next_seq - 1
    FROM leases l JOIN sessions s ON s.id = l.session_id
    WHERE l.host_id = host AND s.last_input_seq > s.consumed_seq
$$;

CREATE FUNCTION hanzo_orphans(host text, most integer)
    RETURNS TABLE (org_id text, session_id text, last_seq bigint)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT
    AS $$
    SELECT s.org_id, s.id, s.next_seq - 1
    FROM sessions s
    WHERE s.runner_id = (SELECT runner_id FROM hosts WHERE id = host)
      AND s.state IN ('running', 'waiting_approval', 'waiting_input', 'waiting_quota')
      AND (s.state IN ('running', 'waiting_quota') OR s.last_input_seq > s.consumed_seq
           OR EXISTS (SELECT 1 FROM actions a
                      WHERE a.session_id = s.id AND a.outcome_seq IS NULL
                        AND a.status NOT IN ('waiting_approval', 'waiting_input')))
      AND NOT EXISTS (SELECT 1 FROM leases l JOIN hosts h ON h.id = l.host_id
                      WHERE l.session_id = s.id AND h.state = 'alive')
    ORDER BY s.id
    LIMIT most
$$;

CREATE FUNCTION hanzo_release_all(host text) RETURNS void
    LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT
    AS $$
    DELETE FROM leases WHERE host_id = host
$$;
