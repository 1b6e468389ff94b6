-- outdial: no transaction
-- Uploads whose problems are kept for a while.
CREATE INDEX CONCURRENTLY IF NOT EXISTS campaign_uploads_errors_idx ON campaign_uploads (ended_at) WHERE error_count > 0;
