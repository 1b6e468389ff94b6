-- The outbox of webhooks: the statement that writes events also writes their messages and deliveries, whoever runs it. It
-- only copies ids, locks no endpoint and checks no foreign key, so that a call never fails for its webhooks. An event
-- whose id has a message already keeps that message: after a failover, ids may repeat.
CREATE OR REPLACE FUNCTION announce_call_events() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moment constant timestamptz := clock_timestamp();
BEGIN
  IF NOT EXISTS (SELECT FROM webhook_endpoints WHERE state = 'enabled') THEN RETURN NULL; END IF;
  WITH wanted AS MATERIALIZED (
    SELECT e.id AS event_id, e.call_id, c.account_id, webhook_type(e.type) AS type, e.at, p.id AS endpoint_id, p.kind,
      webhook_lane(p.id, p.kind, c.webhook_url) AS lane
    FROM new_events e JOIN calls c ON c.id = e.call_id
      JOIN webhook_endpoints p ON p.account_id = c.account_id AND p.state = 'enabled'
    WHERE webhook_type(e.type) IS NOT NULL
      AND (p.kind <> 'per_call' OR c.webhook_url IS NOT NULL)
      AND (p.expires_at IS NULL OR p.expires_at > moment)
      AND (p.events = '{}' OR webhook_type(e.type) = ANY (p.events))
  ), messages AS (
    INSERT INTO webhook_messages (account_id, call_id, event_id, type, occurred_at, created_at)
    SELECT DISTINCT w.account_id, w.call_id, w.event_id, w.type, w.at, moment FROM wanted w ORDER BY w.event_id
    ON CONFLICT (event_id) WHERE event_id IS NOT NULL DO NOTHING
    RETURNING id, event_id
  )
  INSERT INTO webhook_deliveries (message_id, endpoint_id, account_id, lane, call_id, event_id, type, tries_left, due_at,
    created_at)
  SELECT m.id, w.endpoint_id, w.account_id, w.lane, w.call_id, w.event_id, w.type, webhook_tries(w.kind), moment, moment
  FROM messages m JOIN wanted w ON w.event_id = m.event_id;
  RETURN NULL;
END $$;
