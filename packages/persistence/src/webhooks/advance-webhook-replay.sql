-- Advances a running replay by one step: at most 20,000 ids and 500 events. Ids commit out of order, so it stops before
-- those that are younger than a minute. It waits while the endpoint has 1,000 deliveries pending: what happens now must not
-- stand behind the past. The endpoint gets only types that it wants now. Returns whether there is more to do at once.
CREATE OR REPLACE FUNCTION advance_webhook_replay() RETURNS boolean
LANGUAGE plpgsql VOLATILE SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  moment constant timestamptz := clock_timestamp();
  replay record;
  endpoint record;
  first_id bigint;
  last_id bigint;
  found_ids bigint[];
  sent_ids uuid[];
BEGIN
  SELECT r.* INTO replay FROM webhook_replays r
  WHERE r.state = 'running' AND (SELECT count(*) FROM (
    SELECT FROM webhook_deliveries d WHERE d.state = 'pending' AND d.lane = r.endpoint_id LIMIT 1000) x) < 1000
    AND (r.created_at <= moment - interval '1 minute' OR r.position IS NULL
      OR r.position < LEAST(r.end_id, call_event_before(moment - interval '1 minute')))
  -- Any of them: one that matches little must not keep the others from their turn.
  ORDER BY random() LIMIT 1 FOR UPDATE OF r SKIP LOCKED;
  IF NOT FOUND THEN RETURN false; END IF;

  SELECT p.kind, p.events INTO endpoint FROM webhook_endpoints p WHERE p.id = replay.endpoint_id AND p.state = 'enabled';
  IF NOT FOUND THEN
    UPDATE webhook_replays r SET state = 'cancelled' WHERE r.id = replay.id;
    RETURN true;
  END IF;

  first_id := COALESCE(replay.position, call_event_before(replay.since));
  last_id := GREATEST(first_id, LEAST(first_id + 20000, replay.end_id,
    CASE WHEN replay.created_at > moment - interval '1 minute' THEN call_event_before(moment - interval '1 minute') END));
  SELECT array_agg(x.id ORDER BY x.id) INTO found_ids FROM (
    (SELECT e.id FROM call_events e JOIN calls c ON c.id = e.call_id
     WHERE e.id > first_id AND e.id <= last_id AND c.account_id = replay.account_id AND e.at >= replay.since
       AND e.at < replay.until AND webhook_type(e.type) IS NOT NULL
       AND (replay.events = '{}' OR webhook_type(e.type) = ANY (replay.events))
       AND (endpoint.events = '{}' OR webhook_type(e.type) = ANY (endpoint.events))
     ORDER BY e.id LIMIT 500)
    UNION ALL
    (SELECT e.id FROM campaign_events e JOIN campaigns g ON g.id = e.campaign_id
     WHERE e.id > first_id AND e.id <= last_id AND g.account_id = replay.account_id AND e.at >= replay.since
       AND e.at < replay.until
       AND (replay.events = '{}' OR 'campaign.' || e.type = ANY (replay.events))
       AND (endpoint.events = '{}' OR 'campaign.' || e.type = ANY (endpoint.events))
     ORDER BY e.id LIMIT 500)
    ORDER BY id LIMIT 500
  ) x;
  IF cardinality(found_ids) = 500 THEN last_id := found_ids[500]; END IF;

  -- By key, as every statement that locks several messages.
  PERFORM FROM (
    SELECT FROM webhook_messages k WHERE k.event_id = ANY (found_ids) ORDER BY k.id FOR NO KEY UPDATE
  ) x;
  WITH messages AS MATERIALIZED (
    -- The update locks a message that exists, so that retention does not delete it meanwhile.
    INSERT INTO webhook_messages AS m (account_id, call_id, campaign_id, event_id, type, occurred_at, created_at)
    SELECT replay.account_id, e.call_id, e.campaign_id, e.id, e.type, e.at, moment
    FROM (
      SELECT c.id, c.call_id, NULL::uuid AS campaign_id, webhook_type(c.type) AS type, c.at FROM call_events c
      WHERE c.id = ANY (found_ids)
      UNION ALL
      SELECT g.id, NULL, g.campaign_id, 'campaign.' || g.type, g.at FROM campaign_events g WHERE g.id = ANY (found_ids)
    ) e
    WHERE replay.only <> 'failed' OR EXISTS (
      SELECT FROM webhook_messages k JOIN webhook_deliveries d ON d.message_id = k.id AND d.endpoint_id = replay.endpoint_id
      WHERE k.event_id = e.id)
    ORDER BY e.id
    ON CONFLICT (event_id) WHERE event_id IS NOT NULL DO UPDATE SET created_at = m.created_at
    RETURNING m.id, m.call_id, m.campaign_id, m.event_id, m.type
  ), sent AS (
    INSERT INTO webhook_deliveries AS d (message_id, endpoint_id, account_id, lane, call_id, campaign_id, event_id, type,
      tries_left, due_at, created_at)
    SELECT m.id, replay.endpoint_id, replay.account_id, replay.endpoint_id, m.call_id, m.campaign_id, m.event_id, m.type,
      webhook_tries(endpoint.kind), moment, moment
    FROM messages m ORDER BY m.id
    ON CONFLICT (message_id, endpoint_id) DO UPDATE SET state = 'pending', tries_left = excluded.tries_left, due_at = moment,
      in_order = true
      WHERE d.attempts < webhook_most_attempts() AND
            CASE replay.only WHEN 'missing' THEN false WHEN 'all' THEN d.state <> 'pending'
                             ELSE d.state IN ('failed', 'dropped') END
    RETURNING d.message_id
  )
  SELECT COALESCE(array_agg(s.message_id), '{}') INTO sent_ids FROM sent s;
  -- Retention begins anew only for what is sent.
  UPDATE webhook_messages m SET created_at = moment WHERE m.id = ANY (sent_ids) AND m.created_at < moment;

  UPDATE webhook_replays r SET position = last_id, replayed = r.replayed + cardinality(sent_ids),
    state = CASE WHEN last_id >= r.end_id THEN 'done' ELSE 'running' END
  WHERE r.id = replay.id;
  RETURN true;
END $$;
