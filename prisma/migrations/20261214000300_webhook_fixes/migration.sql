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
  changed int;
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
    SELECT e.id FROM call_events e JOIN calls c ON c.id = e.call_id
    WHERE e.id > first_id AND e.id <= last_id AND c.account_id = replay.account_id AND e.at >= replay.since
      AND e.at < replay.until AND webhook_type(e.type) IS NOT NULL
      AND (replay.events = '{}' OR webhook_type(e.type) = ANY (replay.events))
      AND (endpoint.events = '{}' OR webhook_type(e.type) = ANY (endpoint.events))
    ORDER BY e.id LIMIT 500
  ) x;
  IF cardinality(found_ids) = 500 THEN last_id := found_ids[500]; END IF;

  -- By key, as every statement that locks several messages.
  PERFORM FROM (
    SELECT FROM webhook_messages k WHERE k.event_id = ANY (found_ids) ORDER BY k.id FOR NO KEY UPDATE
  ) x;
  WITH messages AS MATERIALIZED (
    -- The update locks a message that exists, so that retention does not delete it meanwhile.
    INSERT INTO webhook_messages AS m (account_id, call_id, event_id, type, occurred_at, created_at)
    SELECT replay.account_id, e.call_id, e.id, webhook_type(e.type), e.at, moment FROM call_events e
    WHERE e.id = ANY (found_ids) AND (replay.only <> 'failed' OR EXISTS (
      SELECT FROM webhook_messages k JOIN webhook_deliveries d ON d.message_id = k.id AND d.endpoint_id = replay.endpoint_id
      WHERE k.event_id = e.id))
    ORDER BY e.id
    ON CONFLICT (event_id) WHERE event_id IS NOT NULL DO UPDATE SET created_at = moment
    RETURNING m.id, m.call_id, m.event_id, m.type
  ), sent AS (
    INSERT INTO webhook_deliveries AS d (message_id, endpoint_id, account_id, lane, call_id, event_id, type, tries_left, due_at,
      created_at)
    SELECT m.id, replay.endpoint_id, replay.account_id, replay.endpoint_id, m.call_id, m.event_id, m.type,
      webhook_tries(endpoint.kind), moment, moment
    FROM messages m ORDER BY m.id
    ON CONFLICT (message_id, endpoint_id) DO UPDATE SET state = 'pending', tries_left = excluded.tries_left, due_at = moment
      WHERE d.attempts < webhook_most_attempts() AND
            CASE replay.only WHEN 'missing' THEN false WHEN 'all' THEN d.state <> 'pending'
                             ELSE d.state IN ('failed', 'dropped') END
    RETURNING 1
  )
  SELECT count(*)::int INTO changed FROM sent;

  UPDATE webhook_replays r SET position = last_id, replayed = r.replayed + changed,
    state = CASE WHEN last_id >= r.end_id THEN 'done' ELSE 'running' END
  WHERE r.id = replay.id;
  RETURN true;
END $$;

-- Deletes messages of before the retention with their deliveries and attempts, at most `most` messages. What is still
-- pending is dropped first; what is in flight stays, with its message.
CREATE OR REPLACE FUNCTION delete_expired_webhooks(retention_days int, most int) RETURNS int
LANGUAGE plpgsql VOLATILE SET jit = off SET enable_seqscan = off
AS $$
DECLARE
  moment constant timestamptz := clock_timestamp();
  expired uuid[];
  deleted int;
BEGIN
  -- Locked before the deliveries are read: a replay that adds one to a message has the message's row.
  SELECT array_agg(x.id) INTO expired FROM (
    SELECT m.id FROM webhook_messages m WHERE m.created_at < moment - make_interval(days => retention_days)
    ORDER BY m.created_at LIMIT most FOR UPDATE SKIP LOCKED
  ) x;
  -- All of them by key, as outcomes lock them, before any is changed: in another order each would wait for the other.
  PERFORM FROM (
    SELECT FROM webhook_deliveries d WHERE d.message_id = ANY (expired)
    ORDER BY d.message_id, d.endpoint_id FOR UPDATE OF d
  ) x;
  UPDATE webhook_deliveries d SET state = 'dropped', claimed_until = NULL
  WHERE d.message_id = ANY (expired) AND d.state = 'pending' AND (d.claimed_until IS NULL OR d.claimed_until <= moment);

  SELECT array_agg(u.id) INTO expired FROM unnest(expired) AS u(id)
  WHERE NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.message_id = u.id AND d.state = 'pending');
  DELETE FROM webhook_attempts a WHERE a.message_id = ANY (expired);
  DELETE FROM webhook_deliveries d WHERE d.message_id = ANY (expired);
  DELETE FROM webhook_messages m WHERE m.id = ANY (expired);
  GET DIAGNOSTICS deleted = ROW_COUNT;
  RETURN deleted;
END $$;

-- Disables standing endpoints without a success for five days and 20 failures, and tells owners of those that have failed
-- for a day. One process at a time. It looks only at endpoints that it will change, a thousand of each at most: however many
-- fail, each has its turn. Returns how many it disabled.
CREATE OR REPLACE FUNCTION disable_failing_webhooks() RETURNS int LANGUAGE plpgsql VOLATILE SET jit = off
AS $$
DECLARE
  moment constant timestamptz := clock_timestamp();
  disabled int := 0;
  failing record;
BEGIN
  IF NOT pg_try_advisory_xact_lock(733) THEN RETURN 0; END IF;
  FOR failing IN
    SELECT x.id FROM (
      SELECT p.id FROM webhook_lanes l
        JOIN webhook_endpoints p ON p.id = l.endpoint_id AND p.kind = 'standing' AND p.state = 'enabled'
      WHERE l.failing_since <= moment - interval '5 days' AND l.failures >= 20
      ORDER BY l.failing_since LIMIT 1000
    -- By key, as outcomes disable them.
    ) x ORDER BY x.id
  LOOP
    IF disable_webhook_endpoint(failing.id, 'failing') THEN disabled := disabled + 1; END IF;
  END LOOP;

  INSERT INTO account_notices (account_id, kind, data)
  SELECT p.account_id, 'webhook_endpoint_failing', jsonb_build_object('endpoint_id', p.id, 'url', p.url)
  FROM webhook_lanes l
    JOIN webhook_endpoints p ON p.id = l.endpoint_id AND p.kind = 'standing' AND p.state = 'enabled'
  WHERE l.failing_since <= moment - interval '1 day'
    AND NOT (l.failing_since <= moment - interval '5 days' AND l.failures >= 20)
    AND NOT EXISTS (
      SELECT FROM account_notices n
      WHERE n.account_id = p.account_id AND n.kind = 'webhook_endpoint_failing'
        AND n.data ->> 'endpoint_id' = p.id::text AND n.created_at >= l.failing_since)
  ORDER BY l.failing_since LIMIT 1000;
  RETURN disabled;
END $$;

-- Stores what came of attempts. Input: an array of {message_id, endpoint_id, attempt, lane, started_at_ms, duration_ms,
-- status, error, response_headers, response_body, worker_id, verdict, due_in_ms, lane_delay_ms}, in the order in which they
-- ended. Locks lanes, then endpoints, then deliveries, each by key; a lane only where its health changes. A body that could
-- not be formed is no failure of the receiver.
CREATE OR REPLACE FUNCTION finish_webhooks(batch jsonb)
RETURNS void LANGUAGE plpgsql VOLATILE SET jit = off SET enable_seqscan = off
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
    SELECT d.message_id, d.endpoint_id, d.lane, d.call_id, d.event_id, d.state, d.attempts, d.tries_left
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
    SELECT l.message_id, l.endpoint_id, l.lane, l.call_id, l.event_id, i.status, i.error, l.attempts,
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
    WHERE d.attempts = 0 AND d.in_order
    ORDER BY d.message_id, d.endpoint_id FOR UPDATE OF d SKIP LOCKED
  ), latest AS (
    SELECT l.message_id, l.endpoint_id, max(l.due_at) AS due_at FROM later l GROUP BY l.message_id, l.endpoint_id
  )
  UPDATE webhook_deliveries d SET due_at = l.due_at FROM latest l
  WHERE d.message_id = l.message_id AND d.endpoint_id = l.endpoint_id AND d.attempts = 0;
END $$;

-- The most attempts of a delivery that a resend or a replay may ask for: each is logged, and keeps its message from expiring.
CREATE OR REPLACE FUNCTION webhook_most_attempts() RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT 100 $$;
