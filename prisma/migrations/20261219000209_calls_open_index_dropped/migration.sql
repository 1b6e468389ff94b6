-- Whoever reads calls that have not ended names those that hold a slot (calls_held_idx) or those that do not (calls_planned_idx).
DROP INDEX calls_open_idx;
