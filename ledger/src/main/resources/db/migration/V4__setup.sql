-- The entry that says where a session works and for whom: the second of its journal, until it is
-- taken in by another machine, where it works elsewhere and for somebody else.
ALTER TABLE sessions ADD COLUMN setup_seq bigint NOT NULL DEFAULT 2 CHECK (setup_seq >= 2);
