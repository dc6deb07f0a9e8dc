-- A core's state is half digests: an attempt to make it smaller costs more than the row. Up to a page it
-- stays in the row.
ALTER TABLE snapshots ALTER COLUMN state SET STORAGE EXTERNAL, SET (toast_tuple_target = 8160);
ALTER TABLE kept_snapshots ALTER COLUMN state SET STORAGE EXTERNAL;

-- One unique index in place of two: a session has one org, so a key with the org is as unique as one
-- without. Each action wrote to both of them twice.
ALTER TABLE decisions DROP CONSTRAINT decisions_session_id_action_id_org_id_fkey;
ALTER TABLE approvals DROP CONSTRAINT approvals_session_id_action_id_org_id_fkey;
ALTER TABLE actions
    DROP CONSTRAINT actions_session_id_id_org_id_key,
    DROP CONSTRAINT actions_pkey,
    ADD PRIMARY KEY (session_id, id, org_id);
ALTER TABLE decisions
    ADD FOREIGN KEY (session_id, action_id, org_id) REFERENCES actions (session_id, id, org_id);
ALTER TABLE approvals
    ADD FOREIGN KEY (session_id, action_id, org_id) REFERENCES actions (session_id, id, org_id);
