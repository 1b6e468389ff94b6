-- outdial: no transaction
-- The calls that hold a slot and money. Scheduled calls may be many: whoever counts holds must not read them. Like
-- calls_open_idx, it names no column that changes between a call's admission and its end.
CREATE INDEX CONCURRENTLY IF NOT EXISTS calls_held_idx ON calls (account_id, created_at DESC, id DESC) WHERE ended_at IS NULL AND reservation_id IS NOT NULL;
