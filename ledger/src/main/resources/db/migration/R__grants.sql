-- What the application's role may do: append to what is a record, change what is a state.
GRANT USAGE ON SCHEMA ${flyway:defaultSchema} TO ${appRole};
GRANT SELECT ON ALL TABLES IN SCHEMA ${flyway:defaultSchema} TO ${appRole};
GRANT INSERT ON orgs, principals, sessions, session_keys, bodies, entries, runs, actions, decisions,
    approvals, artifacts, snapshots, kept_snapshots, runners, hosts, leases, scheduled_tasks TO ${appRole};
GRANT UPDATE ON sessions, runs, actions, approvals, snapshots, runners, hosts, leases,
    scheduled_tasks TO ${appRole};
GRANT DELETE ON leases, scheduled_tasks TO ${appRole};
REVOKE ALL ON FUNCTION hanzo_waiting(text), hanzo_orphans(text, integer), hanzo_release_all(text),
    hanzo_purge(text, text), hanzo_over(timestamptz, integer), hanzo_orgs(), hanzo_unswept(),
    hanzo_swept(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hanzo_waiting(text), hanzo_orphans(text, integer), hanzo_release_all(text),
    hanzo_purge(text, text), hanzo_over(timestamptz, integer), hanzo_orgs(), hanzo_unswept(),
    hanzo_swept(timestamptz) TO ${appRole};
