-- outdial: no transaction
-- The calls that wait for their time. With calls_held_idx it has every call that has not ended, in one index each: accepting and
-- settling a call write one fewer.
CREATE INDEX CONCURRENTLY IF NOT EXISTS calls_planned_idx ON calls (account_id, created_at DESC, id DESC) WHERE ended_at IS NULL AND reservation_id IS NULL;
