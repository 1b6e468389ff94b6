-- The outbox of webhooks about campaigns: the statement that changes a state also writes what happened, with its messages and
-- deliveries, whoever runs it. `started` comes once: when a campaign begins to call. URLs of calls get nothing of it. For the
-- rest, see ../webhooks/announce-call-events.sql.
CREATE OR REPLACE FUNCTION note_campaign_state() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moment constant timestamptz := clock_timestamp();
BEGIN
  WITH noted AS MATERIALIZED (
    INSERT INTO campaign_events (campaign_id, at, type)
    SELECT NEW.id, moment, x.type
    FROM (VALUES
      (1, 'resumed', OLD.state = 'paused' AND NEW.state IN ('scheduled', 'running')),
      (2, 'started', OLD.started_at IS NULL AND NEW.started_at IS NOT NULL),
      (3, NEW.state, NEW.state IN ('paused', 'completed', 'cancelled'))) AS x(place, type, happened)
    WHERE x.happened ORDER BY x.place
    RETURNING id, at, 'campaign.' || type AS about
  ), wanted AS MATERIALIZED (
    SELECT n.id AS event_id, n.at, n.about, p.id AS endpoint_id, p.kind
    FROM noted n JOIN webhook_endpoints p ON p.account_id = NEW.account_id AND p.state = 'enabled' AND p.kind <> 'per_call'
    WHERE (p.expires_at IS NULL OR p.expires_at > moment) AND (p.events = '{}' OR n.about = ANY (p.events))
  ), messages AS (
    INSERT INTO webhook_messages (account_id, campaign_id, event_id, type, occurred_at, created_at)
    SELECT DISTINCT NEW.account_id, NEW.id, w.event_id, w.about, w.at, moment FROM wanted w ORDER BY w.event_id
    ON CONFLICT (event_id) WHERE event_id IS NOT NULL DO NOTHING
    RETURNING id, event_id
  )
  INSERT INTO webhook_deliveries (message_id, endpoint_id, account_id, lane, campaign_id, event_id, type, tries_left, due_at,
    created_at)
  SELECT m.id, w.endpoint_id, NEW.account_id, webhook_lane(w.endpoint_id, w.kind, NULL::text), NEW.id, w.event_id, w.about,
    webhook_tries(w.kind), moment, moment
  FROM messages m JOIN wanted w ON w.event_id = m.event_id;
  RETURN NULL;
END $$;
