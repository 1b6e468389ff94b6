-- Stores what came of attempts. Input: an array of {message_id, endpoint_id, attempt, lane, started_at_ms, duration_ms,
-- status, error, response_headers, response_body, worker_id, verdict, due_in_ms, lane_delay_ms}, in the order in which they
-- ended. Locks lanes, then endpoints, then deliveries, each by key; a lane only where its health changes. A body that could
-- not be formed is no failure of the receiver. A session plans it once, and again after an
-- ANALYZE: in tables that are analyzed, each join looks up keys.
CREATE OR REPLACE FUNCTION finish_webhooks(batch jsonb)
RETURNS void LANGUAGE plpgsql VOLATILE SET jit = off
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  moment constant timestamptz := clock_timestamp();
  gone uuid;
BEGIN
  WITH input AS MATERIALIZED (
    SELECT r.lane, r.verdict, r.lane_delay_ms, r.place
    FROM ROWS FROM (jsonb_to_recordset(batch) AS (lane uuid, verdict text, error text, lane_delay_ms int)) WITH ORDINALITY
      AS r(lane, verdict, error, lane_delay_ms, place)
    WHERE r.error IS DISTINCT FROM 'body'
  ), summed AS MATERIALIZED (
    SELECT i.lane, bool_or(i.verdict = 'delivered') AS succeeded, max(i.lane_delay_ms) AS delay_ms,
      count(*) FILTER (WHERE i.verdict <> 'delivered' AND i.place > COALESCE(
        (SELECT max(s.place) FROM input s WHERE s.lane = i.lane AND s.verdict = 'delivered'), 0))::int AS failures
    FROM input i GROUP BY i.lane
  ), changed AS MATERIALIZED (
    SELECT l.lane FROM webhook_lanes l JOIN summed s ON s.lane = l.lane
    WHERE s.failures > 0 OR l.failures > 0 OR s.delay_ms > 0
      OR l.last_success_at IS NULL OR l.last_success_at < moment - interval '1 minute'
    ORDER BY l.lane FOR NO KEY UPDATE OF l
  )
  UPDATE webhook_lanes l SET
    failures = LEAST(1000000, s.failures + CASE WHEN s.succeeded THEN 0 ELSE l.failures END),
    failing_since = CASE WHEN s.failures = 0 THEN NULL WHEN s.succeeded THEN moment ELSE COALESCE(l.failing_since, moment) END,
    last_success_at = CASE WHEN s.succeeded THEN moment ELSE l.last_success_at END,
    not_before = CASE WHEN s.delay_ms > 0 THEN GREATEST(l.not_before, moment + s.delay_ms * interval '1 millisecond')
                      ELSE l.not_before END
  FROM changed c JOIN summed s ON s.lane = c.lane WHERE l.lane = c.lane;

  -- 410: the receiver says that it wants no more.
  FOR gone IN
    SELECT DISTINCT r.endpoint_id FROM jsonb_to_recordset(batch) AS r(endpoint_id uuid, verdict text)
    WHERE r.verdict = 'gone' ORDER BY 1
  LOOP
    PERFORM disable_webhook_endpoint(gone, 'gone');
  END LOOP;

  WITH input AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(batch) AS r(
      message_id uuid, endpoint_id uuid, attempt int, started_at_ms bigint, duration_ms int, status int, error text,
      response_headers jsonb, response_body text, worker_id text, verdict text, due_in_ms bigint)
  ), locked AS MATERIALIZED (
    SELECT d.message_id, d.endpoint_id, d.lane, d.call_id, d.campaign_id, d.event_id, d.state, d.attempts, d.tries_left
    FROM input i JOIN webhook_deliveries d ON d.message_id = i.message_id AND d.endpoint_id = i.endpoint_id
    ORDER BY d.message_id, d.endpoint_id FOR UPDATE OF d
  ), logged AS (
    INSERT INTO webhook_attempts (message_id, endpoint_id, number, started_at, duration_ms, status, error, response_headers,
      response_body, worker_id)
    SELECT i.message_id, i.endpoint_id, i.attempt, from_epoch_ms(i.started_at_ms), i.duration_ms, i.status, i.error,
      i.response_headers, i.response_body, i.worker_id
    FROM input i JOIN locked l ON l.message_id = i.message_id AND l.endpoint_id = i.endpoint_id
    ON CONFLICT DO NOTHING
  ), judged AS MATERIALIZED (
    SELECT l.message_id, l.endpoint_id, l.lane, l.call_id, l.campaign_id, l.event_id, i.status, i.error, l.attempts,
      CASE WHEN i.verdict = 'delivered' THEN 'delivered'
           WHEN i.verdict = 'retry' AND l.tries_left > 0 THEN 'pending' ELSE 'failed' END AS state,
      moment + COALESCE(i.due_in_ms, 0) * interval '1 millisecond' AS due_at
    FROM locked l JOIN input i ON i.message_id = l.message_id AND i.endpoint_id = l.endpoint_id
    -- A success counts whoever has the claim by now; anything else only of the present attempt.
    WHERE (i.verdict = 'delivered' AND l.state <> 'delivered') OR (l.state = 'pending' AND l.attempts = i.attempt)
  ), written AS (
    UPDATE webhook_deliveries d SET state = j.state, claimed_until = NULL, last_status = j.status, last_error = j.error,
      due_at = CASE WHEN j.state = 'pending' THEN j.due_at ELSE d.due_at END,
      delivered_at = CASE WHEN j.state = 'delivered' THEN moment ELSE d.delivered_at END
    FROM judged j WHERE d.message_id = j.message_id AND d.endpoint_id = j.endpoint_id
  ), later AS MATERIALIZED (
    -- Later events of the call that wait for this one: they become due when it is tried again, or now.
    SELECT d.message_id, d.endpoint_id,
      CASE WHEN j.state = 'pending' AND j.attempts < 3 THEN j.due_at ELSE moment END AS due_at
    FROM judged j JOIN webhook_deliveries d ON d.state = 'pending' AND d.lane = j.lane AND d.call_id = j.call_id
      AND d.event_id > j.event_id
    WHERE j.call_id IS NOT NULL AND d.attempts = 0 AND d.in_order
    ORDER BY d.message_id, d.endpoint_id FOR UPDATE OF d SKIP LOCKED
  ), later_of_campaigns AS MATERIALIZED (
    SELECT d.message_id, d.endpoint_id,
      CASE WHEN j.state = 'pending' AND j.attempts < 3 THEN j.due_at ELSE moment END AS due_at
    FROM judged j JOIN webhook_deliveries d ON d.state = 'pending' AND d.lane = j.lane AND d.campaign_id = j.campaign_id
      AND d.event_id > j.event_id
    WHERE j.campaign_id IS NOT NULL AND d.attempts = 0 AND d.in_order
    ORDER BY d.message_id, d.endpoint_id FOR UPDATE OF d SKIP LOCKED
  ), latest AS (
    SELECT l.message_id, l.endpoint_id, max(l.due_at) AS due_at
    FROM (SELECT * FROM later UNION ALL SELECT * FROM later_of_campaigns) l GROUP BY l.message_id, l.endpoint_id
  )
  UPDATE webhook_deliveries d SET due_at = l.due_at FROM latest l
  WHERE d.message_id = l.message_id AND d.endpoint_id = l.endpoint_id AND d.attempts = 0;
END $$;
