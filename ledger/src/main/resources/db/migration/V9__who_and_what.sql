-- Who did something, which outputs are kept whole, where cells can be had, what came in from outside
-- and is nobody's yet, and the inputs among the entries. The two transactions of an action write
-- nothing more than before, but for one whose output is kept whole.

-- Whoever opened a session, asked for a turn, resolved an approval or removed a session: noted by the
-- row that names them. Entries name their source without a reference, because checking it would have
-- every writer lock the one row that all of them share.
CREATE TABLE principals (
    org_id     text NOT NULL REFERENCES orgs (id),
    id         text NOT NULL CHECK (length(id) BETWEEN 1 AND 200),
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, id)
);

ALTER TABLE principals ENABLE ROW LEVEL SECURITY;
CREATE POLICY principals_of_org ON principals USING (org_id = hanzo_org()) WITH CHECK (org_id = hanzo_org());

INSERT INTO principals (org_id, id)
SELECT org_id, created_by FROM sessions
UNION SELECT org_id, source FROM runs
UNION SELECT org_id, resolved_by FROM approvals WHERE resolved_by IS NOT NULL
UNION SELECT org_id, purged_by FROM purges;

-- Its argument is the column that names somebody.
CREATE FUNCTION note_principal() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO principals (org_id, id) VALUES (NEW.org_id, to_jsonb(NEW) ->> TG_ARGV[0])
    ON CONFLICT DO NOTHING;
    RETURN NEW;
END $$;

CREATE TRIGGER sessions_principal BEFORE INSERT ON sessions
    FOR EACH ROW EXECUTE FUNCTION note_principal('created_by');
CREATE TRIGGER runs_principal BEFORE INSERT ON runs
    FOR EACH ROW EXECUTE FUNCTION note_principal('source');
CREATE TRIGGER approvals_principal BEFORE INSERT OR UPDATE OF resolved_by ON approvals
    FOR EACH ROW WHEN (NEW.resolved_by IS NOT NULL) EXECUTE FUNCTION note_principal('resolved_by');
CREATE TRIGGER purges_principal BEFORE INSERT ON purges
    FOR EACH ROW EXECUTE FUNCTION note_principal('purged_by');

ALTER TABLE sessions ADD FOREIGN KEY (org_id, created_by) REFERENCES principals (org_id, id);
ALTER TABLE approvals ADD FOREIGN KEY (org_id, resolved_by) REFERENCES principals (org_id, id);
ALTER TABLE purges ADD FOREIGN KEY (org_id, purged_by) REFERENCES principals (org_id, id);

-- What came from somebody, in the order in which it was taken in. The entry itself is the record: its
-- digest covers who sent it and under which key, so a second row could only disagree with it.
CREATE VIEW inputs WITH (security_invoker = true) AS
SELECT session_id, seq, org_id, kind, turn, action_id, source AS principal, idempotency_key,
       body_digest, digest, created_at
FROM entries
WHERE kind IN ('config', 'turn', 'answer', 'approval', 'cancel', 'timer', 'suspend', 'resume', 'stop')
  AND source NOT IN ('host', 'core');

-- An output that is kept whole: which action it is of, and the name of the stored file. Written with
-- the entry of the outcome that names it. It has no address: who may read it is asked each time.
CREATE TABLE artifacts (
    session_id text NOT NULL,
    action_id  bigint NOT NULL,
    name       text NOT NULL CHECK (length(name) <= 200),
    org_id     text NOT NULL,
    kind       text NOT NULL DEFAULT 'output' CHECK (kind = 'output'),
    sha256     bytea NOT NULL CHECK (octet_length(sha256) = 32),
    size_bytes bigint NOT NULL CHECK (size_bytes >= 0),
    media_type text NOT NULL CHECK (length(media_type) <= 200),
    -- As long as its session, and no longer.
    retention  text NOT NULL DEFAULT 'session' CHECK (retention = 'session'),
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (session_id, action_id, name),
    FOREIGN KEY (session_id, action_id, org_id) REFERENCES actions (session_id, id, org_id)
);

CREATE TRIGGER artifacts_append_only BEFORE UPDATE OR DELETE ON artifacts
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE artifacts ENABLE ROW LEVEL SECURITY;
CREATE POLICY artifacts_of_org ON artifacts USING (org_id = hanzo_org()) WITH CHECK (org_id = hanzo_org());

-- Where cells can be had: one for each state directory. Runners, as hosts, belong to no org.
CREATE TABLE runners (
    id            text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 200),
    first_seen_at timestamptz NOT NULL DEFAULT now(),
    -- When a host of it last came or went; while one is there, its heartbeat says more.
    last_seen_at  timestamptz NOT NULL DEFAULT now()
);

INSERT INTO runners (id) SELECT runner_id FROM hosts UNION SELECT runner_id FROM sessions;
ALTER TABLE hosts ADD FOREIGN KEY (runner_id) REFERENCES runners (id);

-- What a channel brought and no org could be told for: kept, and no run of it, until somebody says
-- whose it is. The application has no right to write here before there are channels.
CREATE TABLE quarantine (
    id              text PRIMARY KEY CHECK (id ~ '^qtn_[0-9a-z]{26}$'),
    -- Null until it is resolved: then, and not before, an org sees it.
    org_id          text REFERENCES orgs (id),
    channel         text NOT NULL CHECK (length(channel) BETWEEN 1 AND 40),
    idempotency_key text NOT NULL CHECK (length(idempotency_key) BETWEEN 1 AND 200),
    body_digest     bytea NOT NULL CHECK (octet_length(body_digest) = 32),
    sealed          bytea STORAGE EXTERNAL NOT NULL,
    reason          text NOT NULL
                    CHECK (reason IN ('unknown_channel', 'unknown_sender', 'ambiguous_org', 'bad_signature')),
    status          text NOT NULL DEFAULT 'pending'
                    CHECK (status IN ('pending', 'resolved', 'discarded', 'expired')),
    received_at     timestamptz NOT NULL DEFAULT now(),
    resolved_at     timestamptz,
    resolved_by     text,
    UNIQUE (id, org_id),
    UNIQUE (channel, idempotency_key),
    FOREIGN KEY (org_id, resolved_by) REFERENCES principals (org_id, id),
    CHECK ((status = 'resolved') = (org_id IS NOT NULL)),
    CHECK ((status = 'resolved') = (resolved_by IS NOT NULL)),
    CHECK ((status = 'pending') = (resolved_at IS NULL))
);

CREATE INDEX quarantine_pending ON quarantine (received_at) WHERE status = 'pending';
ALTER TABLE quarantine ENABLE ROW LEVEL SECURITY;
CREATE POLICY quarantine_of_org ON quarantine USING (org_id = hanzo_org()) WITH CHECK (org_id = hanzo_org());

-- An event is resolved once.
CREATE FUNCTION check_quarantine_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    RAISE EXCEPTION 'event % is %', OLD.id, OLD.status USING ERRCODE = 'check_violation';
END $$;

CREATE TRIGGER quarantine_once BEFORE UPDATE ON quarantine
    FOR EACH ROW WHEN (OLD.status <> 'pending') EXECUTE FUNCTION check_quarantine_change();

-- As before, with the artifacts.
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
