-- What the application's role may do: append to what is a record, change what is a state.
GRANT USAGE ON SCHEMA ${flyway:defaultSchema} TO ${appRole};
GRANT SELECT ON ALL TABLES IN SCHEMA ${flyway:defaultSchema} TO ${appRole};
GRANT INSERT ON orgs, principals, sessions, session_keys, bodies, entries, runs, actions, approvals,
    artifacts, snapshots, kept_snapshots, runners, hosts, leases, scheduled_tasks TO ${appRole};
GRANT UPDATE ON sessions, runs, approvals, snapshots, runners, hosts, leases,
    scheduled_tasks TO ${appRole};
-- What an action is, and what policy said of it, stays. (Where the application logs in as the owner,
-- the owner keeps its rights: migrations need them.)
DO $$
BEGIN
    IF current_user <> '${appRole}' THEN
        REVOKE UPDATE ON actions FROM ${appRole};
    END IF;
END $$;
GRANT UPDATE (status, marker, outcome_seq, dispatched_at, completed_at) ON actions TO ${appRole};
GRANT DELETE ON leases, scheduled_tasks TO ${appRole};
REVOKE ALL ON FUNCTION hanzo_waiting(text), hanzo_orphans(text, integer), hanzo_release_all(text),
    hanzo_purge(text, text), hanzo_over(timestamptz, integer), hanzo_orgs(), hanzo_unswept(),
    hanzo_swept(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hanzo_waiting(text), hanzo_orphans(text, integer), hanzo_release_all(text),
    hanzo_purge(text, text), hanzo_over(timestamptz, integer), hanzo_orgs(), hanzo_unswept(),
    hanzo_swept(timestamptz) TO ${appRole};
