-- outdial: no transaction
-- Deleted campaigns that have something left.
CREATE INDEX CONCURRENTLY IF NOT EXISTS campaigns_deleted_idx ON campaigns (deleted_at) WHERE deleted_at IS NOT NULL AND emptied_at IS NULL;
