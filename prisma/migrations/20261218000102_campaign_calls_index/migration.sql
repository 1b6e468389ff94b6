-- outdial: no transaction
-- A campaign's calls, newest first, and its open ones. Neither names a column that changes between a call's admission and its end.
CREATE INDEX CONCURRENTLY IF NOT EXISTS calls_campaign_idx ON calls (campaign_id, created_at DESC, id DESC) WHERE campaign_id IS NOT NULL;
