-- PostgreSQL leaves all indexes of a row alone when an update changes no column that any of them
-- names, in its condition neither: a session's row is updated with every action and has eight of them,
-- and what dies in an index is walked over until it is cleaned up. So no index names a column that
-- changes with an action.

-- Who is over is asked by the hour, and those that are over are few.
DROP INDEX sessions_over;
CREATE INDEX sessions_over ON sessions (id) WHERE state IN ('stopped', 'failed');

-- The open actions of a session are asked for when it is loaded, by its own key.
DROP INDEX actions_open;

-- The state first: with the org first, a server that has not counted its rows yet looks a session up
-- here by its org alone, and reads all that the org has.
DROP INDEX sessions_by_state;
CREATE INDEX sessions_by_state ON sessions (state, org_id, id DESC);

-- Room for each row's one update while others are being added.
ALTER TABLE actions SET (fillfactor = 60);
