-- The ledger of hanzo dev. Every table of an org carries org_id, is referred to by (id, org_id), and
-- shows only the rows of the org that the transaction named in hanzo.org.
-- docs/ledger.md tells what each table is for.

CREATE FUNCTION hanzo_org() RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$ SELECT current_setting('hanzo.org', true) $$;

CREATE FUNCTION refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

CREATE TABLE orgs (
    id         text PRIMARY KEY CHECK (id ~ '^[a-z0-9][a-z0-9_-]{0,63}$'),
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE sessions (
    id                 text PRIMARY KEY CHECK (id ~ '^ses_[0-9a-z]{26}$'),
    org_id             text NOT NULL REFERENCES orgs (id),
    state              text NOT NULL CHECK (state IN ('idle', 'running', 'waiting_approval', 'waiting_input',
                                                      'waiting_quota', 'suspended', 'stopped', 'failed')),
    format_version     integer NOT NULL CHECK (format_version >= 1),
    title              text NOT NULL,
    profile_id         text,
    workspace_path     text,
    workspace_machine  text,
    workspace_device   bigint,
    workspace_inode    bigint,
    workspace_access   text CHECK (workspace_access IN ('read', 'write')),
    -- Set from the turn that begins until the session rests: two of them never write in one directory.
    workspace_held     boolean NOT NULL DEFAULT false,
    model              text NOT NULL,
    policy             text NOT NULL,
    rules_digest       bytea NOT NULL CHECK (octet_length(rules_digest) = 32),
    core_digest        bytea NOT NULL CHECK (octet_length(core_digest) = 32),
    runner_id          text NOT NULL,
    created_by         text NOT NULL,
    start_key          text,
    start_body         bytea,
    -- The sequence: taken under the lock of this row, never from max(seq).
    next_seq           bigint NOT NULL DEFAULT 1 CHECK (next_seq >= 1),
    consumed_seq       bigint NOT NULL DEFAULT 0 CHECK (consumed_seq < next_seq),
    last_input_seq     bigint NOT NULL DEFAULT 0 CHECK (last_input_seq < next_seq),
    next_turn          bigint NOT NULL DEFAULT 1 CHECK (next_turn >= 1),
    head_digest        bytea NOT NULL CHECK (octet_length(head_digest) = 32),
    -- The fence: a write under an older epoch is refused.
    epoch              bigint NOT NULL DEFAULT 0,
    input_tokens       bigint NOT NULL DEFAULT 0,
    output_tokens      bigint NOT NULL DEFAULT 0,
    model_calls        bigint NOT NULL DEFAULT 0,
    error_code         text,
    error_text         text,
    created_at         timestamptz NOT NULL,
    updated_at         timestamptz NOT NULL,
    UNIQUE (id, org_id),
    CHECK ((workspace_path IS NULL) = (workspace_access IS NULL)),
    CHECK ((start_key IS NULL) = (start_body IS NULL)),
    CHECK (NOT workspace_held OR workspace_access = 'write')
) WITH (fillfactor = 60);

CREATE UNIQUE INDEX sessions_start_key ON sessions (org_id, created_by, start_key) WHERE start_key IS NOT NULL;
CREATE UNIQUE INDEX sessions_workspace_held
    ON sessions (org_id, workspace_machine, workspace_device, workspace_inode) WHERE workspace_held;
CREATE INDEX sessions_newest ON sessions (org_id, id DESC);
CREATE INDEX sessions_by_state ON sessions (org_id, state, id DESC);
CREATE INDEX sessions_by_path ON sessions (org_id, workspace_path, id DESC) WHERE workspace_path IS NOT NULL;
CREATE INDEX sessions_active ON sessions (runner_id)
    WHERE state IN ('running', 'waiting_approval', 'waiting_input', 'waiting_quota');

CREATE TABLE entries (
    session_id      text NOT NULL,
    seq             bigint NOT NULL CHECK (seq >= 1),
    org_id          text NOT NULL,
    kind            text NOT NULL CHECK (kind ~ '^[a-z][a-z0-9_]{0,39}$'),
    turn            bigint CHECK (turn >= 1),
    action_id       bigint CHECK (action_id >= 1),
    format_version  integer NOT NULL CHECK (format_version >= 1),
    payload         bytea NOT NULL,
    created_at      timestamptz NOT NULL,
    source          text NOT NULL CHECK (length(source) BETWEEN 1 AND 200),
    idempotency_key text CHECK (length(idempotency_key) BETWEEN 1 AND 200),
    body_digest     bytea CHECK (octet_length(body_digest) = 32),
    prev_digest     bytea NOT NULL CHECK (octet_length(prev_digest) = 32),
    digest          bytea NOT NULL CHECK (octet_length(digest) = 32),
    PRIMARY KEY (session_id, seq),
    FOREIGN KEY (session_id, org_id) REFERENCES sessions (id, org_id),
    CHECK ((idempotency_key IS NULL) = (body_digest IS NULL))
);

CREATE UNIQUE INDEX entries_key ON entries (session_id, source, idempotency_key) WHERE idempotency_key IS NOT NULL;

CREATE TRIGGER entries_append_only BEFORE UPDATE OR DELETE ON entries
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER entries_never_emptied BEFORE TRUNCATE ON entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE runs (
    id             text PRIMARY KEY CHECK (id ~ '^run_[0-9a-z]{26}$'),
    org_id         text NOT NULL,
    session_id     text NOT NULL,
    turn           bigint NOT NULL CHECK (turn >= 1),
    run_kind       text NOT NULL DEFAULT 'turn'
                   CHECK (run_kind IN ('turn', 'agent', 'scheduled', 'webhook', 'review', 'import', 'replay')),
    status         text NOT NULL CHECK (status IN ('created', 'queued', 'preparing', 'running', 'waiting_approval',
                                                   'waiting_input', 'tool_executing', 'validating', 'reviewing',
                                                   'completed', 'failed', 'cancelled', 'paused')),
    mode           text NOT NULL DEFAULT 'supervised' CHECK (mode IN ('interactive', 'supervised', 'autonomous')),
    target         text NOT NULL DEFAULT 'sandbox_worker'
                   CHECK (target IN ('control_plane', 'sandbox_worker', 'remote_worker')),
    seq            bigint NOT NULL,
    source         text NOT NULL,
    error_code     text,
    error_text     text,
    created_at     timestamptz NOT NULL,
    started_at     timestamptz,
    ended_at       timestamptz,
    UNIQUE (id, org_id),
    UNIQUE (session_id, turn),
    FOREIGN KEY (session_id, org_id) REFERENCES sessions (id, org_id),
    FOREIGN KEY (session_id, seq) REFERENCES entries (session_id, seq)
);

CREATE TABLE run_transitions (
    from_status text NOT NULL,
    to_status   text NOT NULL,
    PRIMARY KEY (from_status, to_status)
);

-- The table of ai.hanzo.dev.ledger.RunStatus; a test compares the two.
INSERT INTO run_transitions
SELECT f, t FROM (VALUES
    ('created', '{queued,preparing,running,paused,failed,cancelled}'),
    ('queued', '{preparing,running,paused,failed,cancelled}'),
    ('preparing', '{running,waiting_approval,waiting_input,paused,failed,cancelled}'),
    ('running', '{waiting_approval,waiting_input,tool_executing,validating,reviewing,completed,failed,cancelled,paused}'),
    ('tool_executing', '{running,waiting_approval,waiting_input,validating,reviewing,completed,failed,cancelled,paused}'),
    ('validating', '{running,waiting_approval,waiting_input,tool_executing,reviewing,completed,failed,cancelled,paused}'),
    ('reviewing', '{running,waiting_approval,waiting_input,tool_executing,validating,completed,failed,cancelled,paused}'),
    ('waiting_approval', '{running,waiting_input,tool_executing,validating,reviewing,completed,failed,cancelled,paused}'),
    ('waiting_input', '{running,waiting_approval,tool_executing,validating,reviewing,completed,failed,cancelled,paused}'),
    ('paused', '{queued,preparing,running,waiting_approval,waiting_input,tool_executing,failed,cancelled}')
) AS legal (f, ts), unnest(ts::text[]) AS t;

CREATE FUNCTION check_run_transition() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM run_transitions WHERE from_status = OLD.status AND to_status = NEW.status) THEN
        RAISE EXCEPTION 'run % cannot go from % to %', OLD.id, OLD.status, NEW.status
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER runs_transition BEFORE UPDATE OF status ON runs
    FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION check_run_transition();

CREATE TABLE actions (
    session_id     text NOT NULL,
    id             bigint NOT NULL CHECK (id >= 1),
    org_id         text NOT NULL,
    turn           bigint,
    seq            bigint NOT NULL,
    kind           text NOT NULL,
    request_digest bytea NOT NULL CHECK (octet_length(request_digest) = 32),
    status         text NOT NULL CHECK (status IN ('requested', 'blocked', 'waiting_approval', 'waiting_input',
                                                   'dispatched', 'in_doubt', 'completed', 'failed', 'cancelled')),
    marker         text,
    outcome_seq    bigint,
    created_at     timestamptz NOT NULL,
    dispatched_at  timestamptz,
    completed_at   timestamptz,
    PRIMARY KEY (session_id, id),
    UNIQUE (session_id, id, org_id),
    FOREIGN KEY (session_id, org_id) REFERENCES sessions (id, org_id),
    FOREIGN KEY (session_id, seq) REFERENCES entries (session_id, seq),
    FOREIGN KEY (session_id, outcome_seq) REFERENCES entries (session_id, seq),
    CHECK ((outcome_seq IS NULL) = (completed_at IS NULL)),
    CHECK (outcome_seq IS NOT NULL OR status NOT IN ('completed', 'failed', 'cancelled')),
    CHECK (outcome_seq IS NULL OR status IN ('completed', 'failed', 'cancelled', 'blocked', 'in_doubt'))
) WITH (fillfactor = 80);

CREATE INDEX actions_open ON actions (session_id, id) WHERE outcome_seq IS NULL;

-- An action that is over stays as it is.
CREATE FUNCTION check_action_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    RAISE EXCEPTION 'action %/% is over', OLD.session_id, OLD.id USING ERRCODE = 'check_violation';
END $$;

CREATE TRIGGER actions_over BEFORE UPDATE ON actions
    FOR EACH ROW WHEN (OLD.outcome_seq IS NOT NULL) EXECUTE FUNCTION check_action_change();

CREATE TABLE decisions (
    session_id   text NOT NULL,
    action_id    bigint NOT NULL,
    org_id       text NOT NULL,
    verdict      text NOT NULL CHECK (verdict IN ('allow', 'observe', 'require_expert_approval',
                                                  'require_client_approval', 'block')),
    mode         text NOT NULL CHECK (mode IN ('observe', 'enforce')),
    rules        text[] NOT NULL,
    reason       text NOT NULL,
    rules_digest bytea NOT NULL CHECK (octet_length(rules_digest) = 32),
    created_at   timestamptz NOT NULL,
    PRIMARY KEY (session_id, action_id),
    FOREIGN KEY (session_id, action_id, org_id) REFERENCES actions (session_id, id, org_id)
);

CREATE TRIGGER decisions_append_only BEFORE UPDATE OR DELETE ON decisions
    FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- No effect leaves without a decision: checked when the transaction commits.
CREATE FUNCTION check_decided() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF NEW.kind NOT IN ('emit', 'save', 'done')
       AND NOT EXISTS (SELECT 1 FROM decisions WHERE session_id = NEW.session_id AND action_id = NEW.id) THEN
        RAISE EXCEPTION 'action %/% has no decision', NEW.session_id, NEW.id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER actions_decided AFTER INSERT ON actions DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION check_decided();

CREATE TABLE approvals (
    id          text PRIMARY KEY CHECK (id ~ '^apr_[0-9a-z]{26}$'),
    org_id      text NOT NULL,
    session_id  text NOT NULL,
    turn        bigint,
    action_id   bigint NOT NULL,
    kind        text NOT NULL CHECK (kind IN ('expert', 'client', 'tool', 'outbound', 'deploy', 'budget', 'in_doubt')),
    risk        text NOT NULL CHECK (risk IN ('low', 'medium', 'high', 'critical')),
    status      text NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'cancelled', 'expired')),
    summary     text NOT NULL,
    seq         bigint,
    created_at  timestamptz NOT NULL,
    expires_at  timestamptz,
    resolved_at timestamptz,
    resolved_by text,
    note        text,
    UNIQUE (id, org_id),
    FOREIGN KEY (session_id, action_id, org_id) REFERENCES actions (session_id, id, org_id),
    FOREIGN KEY (session_id, seq) REFERENCES entries (session_id, seq),
    CHECK ((status = 'pending') = (resolved_at IS NULL))
);

CREATE INDEX approvals_pending ON approvals (org_id, id) WHERE status = 'pending';
CREATE INDEX approvals_pending_in ON approvals (session_id, id) WHERE status = 'pending';
CREATE INDEX approvals_of_action ON approvals (session_id, action_id);

CREATE FUNCTION check_approval_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    RAISE EXCEPTION 'approval % is resolved', OLD.id USING ERRCODE = 'check_violation';
END $$;

CREATE TRIGGER approvals_once BEFORE UPDATE ON approvals
    FOR EACH ROW WHEN (OLD.status <> 'pending') EXECUTE FUNCTION check_approval_change();

CREATE TABLE snapshots (
    session_id  text PRIMARY KEY,
    org_id      text NOT NULL,
    through_seq bigint NOT NULL,
    core_digest bytea NOT NULL CHECK (octet_length(core_digest) = 32),
    state       bytea NOT NULL,
    mac         bytea NOT NULL,
    FOREIGN KEY (session_id, org_id) REFERENCES sessions (id, org_id)
) WITH (fillfactor = 50);

CREATE TABLE kept_snapshots (
    session_id  text NOT NULL,
    through_seq bigint NOT NULL,
    org_id      text NOT NULL,
    core_digest bytea NOT NULL CHECK (octet_length(core_digest) = 32),
    state       bytea NOT NULL,
    mac         bytea NOT NULL,
    PRIMARY KEY (session_id, through_seq),
    FOREIGN KEY (session_id, org_id) REFERENCES sessions (id, org_id)
);

CREATE TABLE checkpoints (
    session_id  text NOT NULL,
    seq         bigint NOT NULL,
    kind        text NOT NULL CHECK (kind IN ('before_turn', 'after_batch')),
    org_id      text NOT NULL,
    snapshot_id bytea NOT NULL CHECK (octet_length(snapshot_id) = 32),
    taken_at    timestamptz NOT NULL,
    PRIMARY KEY (session_id, seq, kind),
    FOREIGN KEY (session_id, org_id) REFERENCES sessions (id, org_id)
);

-- Hosts belong to no org. A host whose time is over is declared dead, for good.
CREATE TABLE hosts (
    id         text PRIMARY KEY,
    runner_id  text NOT NULL,
    state      text NOT NULL CHECK (state IN ('alive', 'dead')),
    started_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE leases (
    session_id  text PRIMARY KEY,
    org_id      text NOT NULL,
    host_id     text NOT NULL REFERENCES hosts (id),
    epoch       bigint NOT NULL CHECK (epoch >= 1),
    acquired_at timestamptz NOT NULL,
    FOREIGN KEY (session_id, org_id) REFERENCES sessions (id, org_id)
);

CREATE INDEX leases_by_host ON leases (host_id);

-- The table of db-scheduler 16 (its own shape).
CREATE TABLE scheduled_tasks (
    task_name            text NOT NULL,
    task_instance        text NOT NULL,
    task_data            bytea,
    execution_time       timestamptz NOT NULL,
    picked               boolean NOT NULL,
    picked_by            text,
    last_success         timestamptz,
    last_failure         timestamptz,
    consecutive_failures integer,
    last_heartbeat       timestamptz,
    version              bigint NOT NULL,
    priority             smallint,
    PRIMARY KEY (task_name, task_instance)
);

CREATE INDEX scheduled_tasks_due ON scheduled_tasks (execution_time);
CREATE INDEX scheduled_tasks_beat ON scheduled_tasks (last_heartbeat);
CREATE INDEX scheduled_tasks_first ON scheduled_tasks (priority DESC, execution_time);
