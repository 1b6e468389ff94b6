-- outdial: no transaction
-- An account's campaigns, without those that it has deleted: they are listed, and there may be so many.
CREATE INDEX CONCURRENTLY IF NOT EXISTS campaigns_kept_idx ON campaigns (account_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
