-- Hands out deliveries that are due for listeners, and keeps the listeners alive. Input: {listening: an array of
-- {listener_id, account_id, room}, most}. Returns a row for each delivery, in the order of events, and one without a message
-- for each listener that lives and gets nothing. A listener that is missing is gone.
--
-- The order of a call, or of a campaign, is that of `claim_webhooks`: an event waits for the one before it. Accounts take turns. Nothing is
-- locked but the deliveries that are handed out: two processes that hand out for one listener at once may exceed its limit
-- in flight, and never hand out one delivery twice.
CREATE OR REPLACE FUNCTION hear_webhooks(input jsonb)
RETURNS TABLE (
  listener_id uuid, account_id uuid, message_id uuid, type text, occurred_at timestamptz, call_id uuid, attempts int,
  tries_left int, api_version text, sealed_secret bytea, previous_sealed_secret bytea, body text)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  moment constant timestamptz := clock_timestamp();
  is_paused constant boolean := COALESCE((SELECT s.webhooks_paused FROM system_settings s WHERE s.id = 1), false);
BEGIN
  -- Not at each look: a stream looks every second.
  WITH ending AS MATERIALIZED (
    SELECT p.id FROM jsonb_to_recordset(input -> 'listening') AS r(listener_id uuid, account_id uuid)
      JOIN webhook_endpoints p ON p.id = r.listener_id AND p.account_id = r.account_id
    WHERE p.kind = 'listener' AND p.state = 'enabled' AND p.expires_at > moment
      AND p.expires_at < moment + interval '90 seconds'
    ORDER BY p.id FOR NO KEY UPDATE OF p SKIP LOCKED
  )
  UPDATE webhook_endpoints p SET expires_at = moment + interval '2 minutes' FROM ending e WHERE p.id = e.id;

  RETURN QUERY
  WITH listening AS MATERIALIZED (
    SELECT p.id, p.account_id, p.api_version, p.sealed_secret,
      CASE WHEN p.previous_until > moment THEN p.previous_sealed_secret END AS previous_sealed_secret,
      CASE WHEN is_paused THEN 0 ELSE LEAST(r.room, p.max_in_flight - b.in_flight) END AS slots
    FROM jsonb_to_recordset(input -> 'listening') AS r(listener_id uuid, account_id uuid, room int)
      JOIN webhook_endpoints p ON p.id = r.listener_id AND p.account_id = r.account_id, LATERAL (
        SELECT count(*)::int AS in_flight FROM webhook_deliveries d
        WHERE d.state = 'pending' AND d.lane = p.id AND d.claimed_until > moment
      ) b
    WHERE p.kind = 'listener' AND p.state = 'enabled' AND p.expires_at > moment
  ), candidates AS MATERIALIZED (
    SELECT l.id, l.account_id, l.slots, d.message_id, d.event_id, d.due_at, d.tries_left, e.waits_until
    FROM listening l CROSS JOIN LATERAL (
      SELECT d.message_id, d.lane, d.call_id, d.campaign_id, d.event_id, d.due_at, d.tries_left, d.in_order FROM webhook_deliveries d
      WHERE d.state = 'pending' AND d.lane = l.id AND d.due_at <= moment ORDER BY d.due_at, d.event_id LIMIT 50
    ) d CROSS JOIN LATERAL (
      SELECT max(CASE WHEN b.claimed_until > moment THEN d.due_at ELSE b.due_at END) AS waits_until
      FROM (
        SELECT c.due_at, c.claimed_until, c.tries_left, c.in_order FROM webhook_deliveries c
        WHERE c.state = 'pending' AND c.lane = d.lane AND c.call_id = d.call_id AND c.event_id < d.event_id
        UNION ALL
        SELECT c.due_at, c.claimed_until, c.tries_left, c.in_order FROM webhook_deliveries c
        WHERE c.state = 'pending' AND c.lane = d.lane AND c.campaign_id = d.campaign_id AND c.event_id < d.event_id
      ) b
      WHERE d.in_order AND b.in_order AND b.tries_left >= webhook_tries('listener') - 3
        AND (b.tries_left > webhook_tries('listener') - 3 OR b.claimed_until > moment)
    ) e
    WHERE l.slots > 0
  ), ranked AS (
    SELECT c.*, row_number() OVER (PARTITION BY c.id ORDER BY c.due_at, c.event_id) AS place FROM candidates c
    WHERE c.tries_left > 0 AND c.waits_until IS NULL
  ), in_turn AS (
    SELECT r.*, row_number() OVER (PARTITION BY r.account_id ORDER BY r.place, r.due_at, r.event_id) AS turn
    FROM ranked r WHERE r.place <= r.slots
  ), chosen AS MATERIALIZED (
    SELECT t.message_id, t.id FROM in_turn t ORDER BY t.turn, t.due_at, t.event_id LIMIT (input ->> 'most')::int
  ), held AS MATERIALIZED (
    SELECT d.message_id, d.endpoint_id FROM chosen c
      JOIN webhook_deliveries d ON d.message_id = c.message_id AND d.endpoint_id = c.id
    WHERE d.state = 'pending' AND d.due_at <= moment
    ORDER BY d.message_id, d.endpoint_id FOR UPDATE OF d SKIP LOCKED
  ), taken AS (
    -- A receiver has 15 seconds, and the report of its response the rest.
    UPDATE webhook_deliveries d SET attempts = d.attempts + 1, tries_left = d.tries_left - 1,
      claimed_until = moment + interval '30 seconds', due_at = moment + interval '30 seconds'
    FROM held h WHERE d.message_id = h.message_id AND d.endpoint_id = h.endpoint_id
    RETURNING d.message_id, d.endpoint_id, d.type, d.call_id, d.event_id, d.attempts, d.tries_left
  ), blocked AS MATERIALIZED (
    SELECT d.message_id, d.endpoint_id, c.waits_until FROM candidates c
      JOIN webhook_deliveries d ON d.message_id = c.message_id AND d.endpoint_id = c.id
    WHERE c.waits_until > c.due_at AND d.state = 'pending' AND d.due_at = c.due_at
    ORDER BY d.message_id, d.endpoint_id FOR UPDATE OF d SKIP LOCKED
  ), moved AS (
    UPDATE webhook_deliveries d SET due_at = b.waits_until FROM blocked b
    WHERE d.message_id = b.message_id AND d.endpoint_id = b.endpoint_id
  ), spent AS MATERIALIZED (
    -- Handed out as often as it may be, without a result.
    SELECT d.message_id, d.endpoint_id FROM candidates c
      JOIN webhook_deliveries d ON d.message_id = c.message_id AND d.endpoint_id = c.id
    WHERE c.tries_left <= 0 AND d.state = 'pending' AND d.due_at <= moment
    ORDER BY d.message_id, d.endpoint_id FOR UPDATE OF d SKIP LOCKED
  ), ended AS (
    UPDATE webhook_deliveries d SET state = 'failed', claimed_until = NULL FROM spent s
    WHERE d.message_id = s.message_id AND d.endpoint_id = s.endpoint_id
  )
  SELECT l.id, l.account_id, m.id, t.type, m.occurred_at, t.call_id, t.attempts, t.tries_left, l.api_version,
    l.sealed_secret, l.previous_sealed_secret, m.body
  FROM listening l LEFT JOIN (taken t JOIN webhook_messages m ON m.id = t.message_id) ON t.endpoint_id = l.id
  ORDER BY t.event_id;
END $$;
