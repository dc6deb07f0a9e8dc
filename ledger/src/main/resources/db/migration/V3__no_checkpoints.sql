-- Which snapshot of the workspace belongs to which place is told by the notes of the journal, which are
-- chained; this table said it a second time.
DROP TABLE checkpoints;
