-- outdial: no transaction
-- The order of a campaign's webhooks.
CREATE INDEX CONCURRENTLY IF NOT EXISTS webhook_deliveries_campaign_idx ON webhook_deliveries (lane, campaign_id, event_id) WHERE state = 'pending' AND campaign_id IS NOT NULL;
