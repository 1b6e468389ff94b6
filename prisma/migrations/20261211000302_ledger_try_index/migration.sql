-- outdial: no transaction
-- A try is charged once.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS ledger_entries_try_id_key ON ledger_entries (try_id);
