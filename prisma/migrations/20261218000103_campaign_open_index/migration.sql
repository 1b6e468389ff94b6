-- outdial: no transaction
-- The open calls of a campaign: whoever asks whether it is over does not read those that ended.
CREATE INDEX CONCURRENTLY IF NOT EXISTS calls_campaign_open_idx ON calls (campaign_id) WHERE campaign_id IS NOT NULL AND ended_at IS NULL AND reservation_id IS NOT NULL;
