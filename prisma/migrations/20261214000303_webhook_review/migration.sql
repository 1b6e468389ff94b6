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
    ON CONFLICT (event_id) WHERE event_id IS NOT NULL DO UPDATE SET created_at = m.created_at
    RETURNING m.id, m.call_id, m.event_id, m.type
  ), sent AS (
    INSERT INTO webhook_deliveries AS d (message_id, endpoint_id, account_id, lane, call_id, event_id, type, tries_left, due_at,
      created_at)
    SELECT m.id, replay.endpoint_id, replay.account_id, replay.endpoint_id, m.call_id, m.event_id, m.type,
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

-- Claims deliveries that are due, within the limits of their lanes. Input: {free_slots, free_slots_for_healthy_lanes,
-- after_lane, max_lanes, most_per_account, in_flight}. The last row has no message: it says which lane comes next, and when.
-- No account takes more than `most_per_account` of the process, with its requests in flight (a number by account): slow
-- receivers that succeed would hold up all others. Accounts take turns.
--
-- It locks lanes before it reads what is due: its statements have snapshots of their own, so it counts what the process
-- that had the lock before has claimed. A lane that another process has is left to it. Each attempt is counted before it is
-- made, so a delivery that crashes its worker runs out of tries.
CREATE OR REPLACE FUNCTION claim_webhooks(input jsonb)
RETURNS TABLE (
  message_id uuid, endpoint_id uuid, account_id uuid, lane uuid, kind text, url text, type text, occurred_at timestamptz,
  call_id uuid, attempts int, tries_left int, is_healthy boolean, api_version text, sealed_secret bytea,
  previous_sealed_secret bytea, body text, next_lane uuid, next_due_at timestamptz)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  moment constant timestamptz := clock_timestamp();
  given record;
  walked uuid[];
  owners uuid[];
  dues timestamptz[];
  locked uuid[];
BEGIN
  SELECT r.* INTO given FROM jsonb_to_record(input) AS r(
    free_slots int, free_slots_for_healthy_lanes int, after_lane uuid, max_lanes int, most_per_account int, in_flight jsonb);
  IF given.free_slots <= 0 OR (SELECT s.webhooks_paused FROM system_settings s WHERE s.id = 1) THEN RETURN; END IF;

  -- One look-up for each lane, however much is pending in it.
  WITH RECURSIVE walk AS (
    (SELECT d.lane, d.endpoint_id, d.due_at, 1 AS place FROM webhook_deliveries d
     WHERE d.state = 'pending' AND d.lane > COALESCE(given.after_lane, '00000000-0000-0000-0000-000000000000'::uuid)
     ORDER BY d.lane, d.due_at, d.event_id LIMIT 1)
    UNION ALL
    SELECT n.lane, n.endpoint_id, n.due_at, w.place + 1 FROM walk w, LATERAL (
      SELECT d.lane, d.endpoint_id, d.due_at FROM webhook_deliveries d
      WHERE d.state = 'pending' AND d.lane > w.lane ORDER BY d.lane, d.due_at, d.event_id LIMIT 1
    ) n WHERE w.place < given.max_lanes
  )
  SELECT array_agg(w.lane ORDER BY w.place), array_agg(w.endpoint_id ORDER BY w.place), array_agg(w.due_at ORDER BY w.place)
  INTO walked, owners, dues FROM walk w;

  INSERT INTO webhook_lanes (lane, endpoint_id)
  SELECT u.lane, u.owner FROM unnest(walked, owners, dues) AS u(lane, owner, due)
    JOIN webhook_endpoints p ON p.id = u.owner AND p.state = 'enabled' AND p.kind <> 'listener'
  WHERE u.due <= moment AND NOT EXISTS (SELECT FROM webhook_lanes l WHERE l.lane = u.lane)
  ORDER BY u.lane ON CONFLICT DO NOTHING;

  SELECT array_agg(x.lane) INTO locked FROM (
    SELECT l.lane FROM unnest(walked, dues) AS u(lane, due) JOIN webhook_lanes l ON l.lane = u.lane
    WHERE u.due <= moment AND l.not_before <= moment ORDER BY l.lane FOR NO KEY UPDATE OF l SKIP LOCKED
  ) x;

  RETURN QUERY
  WITH open AS MATERIALIZED (
    SELECT l.lane, l.failures = 0 AS is_healthy, p.account_id, p.kind, p.rate_per_second,
      LEAST(
        CASE WHEN l.failures >= 5 THEN 1 WHEN p.kind = 'per_call' THEN 2 ELSE p.max_in_flight END - b.in_flight,
        -- A quarter of a second of its rate; at least one, because a lane with a low rate would never send.
        given.free_slots, CASE WHEN p.rate_per_second IS NOT NULL THEN GREATEST(1, ceil(p.rate_per_second * 0.25))::int END
      ) AS slots
    FROM webhook_lanes l JOIN webhook_endpoints p ON p.id = l.endpoint_id, LATERAL (
      SELECT count(*)::int AS in_flight FROM webhook_deliveries d
      WHERE d.state = 'pending' AND d.lane = l.lane AND d.claimed_until > moment
    ) b
    WHERE l.lane = ANY (locked) AND p.state = 'enabled' AND p.kind <> 'listener'
  ), candidates AS MATERIALIZED (
    SELECT o.lane, o.slots, o.is_healthy, o.account_id, d.message_id, d.endpoint_id, d.event_id, d.due_at, d.tries_left, e.waits_until
    FROM open o CROSS JOIN LATERAL (
      SELECT d.message_id, d.endpoint_id, d.lane, d.call_id, d.event_id, d.due_at, d.tries_left, d.in_order
      FROM webhook_deliveries d WHERE d.state = 'pending' AND d.lane = o.lane AND d.due_at <= moment
      ORDER BY d.due_at, d.event_id LIMIT LEAST(200, GREATEST(20, 6400 / cardinality(locked)))
    ) d CROSS JOIN LATERAL (
      -- An earlier event of the call that has not failed three times: by the tries that it has left, because attempts also
      -- count what was released, and what was before a replay. While one is in flight it stays due: its outcome, which skips
      -- rows that a claim has locked, must not leave it behind.
      SELECT max(CASE WHEN b.claimed_until > moment THEN d.due_at ELSE b.due_at END) AS waits_until
      FROM webhook_deliveries b
      WHERE d.in_order AND b.state = 'pending' AND b.lane = d.lane AND b.call_id = d.call_id AND b.event_id < d.event_id
        AND b.in_order AND b.tries_left >= webhook_tries(o.kind) - 3
        AND (b.tries_left > webhook_tries(o.kind) - 3 OR b.claimed_until > moment)
    ) e
    WHERE o.slots > 0
  ), ranked AS (
    SELECT c.*, row_number() OVER (PARTITION BY c.lane ORDER BY c.due_at, c.event_id) AS place FROM candidates c
    WHERE c.waits_until IS NULL AND c.tries_left > 0
  ), in_turn AS (
    SELECT r.*, row_number() OVER (PARTITION BY r.account_id ORDER BY r.place, r.due_at, r.event_id) AS turn
    FROM ranked r WHERE r.place <= r.slots
  ), shared AS (
    SELECT t.*, row_number() OVER (PARTITION BY t.is_healthy ORDER BY t.turn, t.due_at, t.event_id) AS health_place
    FROM in_turn t
    WHERE given.most_per_account IS NULL
      OR t.turn + COALESCE((given.in_flight ->> t.account_id::text)::int, 0) <= given.most_per_account
  ), chosen AS MATERIALIZED (
    SELECT s.message_id, s.endpoint_id, s.is_healthy FROM shared s
    WHERE s.is_healthy OR s.health_place <= given.free_slots - given.free_slots_for_healthy_lanes
    ORDER BY s.turn, s.due_at, s.event_id LIMIT given.free_slots
  ), held AS MATERIALIZED (
    SELECT d.message_id, d.endpoint_id, c.is_healthy FROM chosen c JOIN webhook_deliveries d
      ON d.message_id = c.message_id AND d.endpoint_id = c.endpoint_id
    WHERE d.state = 'pending' AND d.due_at <= moment
    ORDER BY d.message_id, d.endpoint_id FOR UPDATE OF d SKIP LOCKED
  ), claimed AS (
    UPDATE webhook_deliveries d SET attempts = d.attempts + 1, tries_left = d.tries_left - 1,
      claimed_until = moment + interval '60 seconds', due_at = moment + interval '60 seconds'
    FROM held h WHERE d.message_id = h.message_id AND d.endpoint_id = h.endpoint_id
    RETURNING d.message_id, d.endpoint_id, d.account_id, d.lane, d.type, d.call_id, d.attempts, d.tries_left, h.is_healthy
  ), paced AS (
    UPDATE webhook_lanes l SET not_before = moment + make_interval(secs => n.claims::float8 / o.rate_per_second)
    FROM open o JOIN (SELECT c.lane, count(*) AS claims FROM claimed c GROUP BY c.lane) n ON n.lane = o.lane
    WHERE l.lane = o.lane AND o.rate_per_second IS NOT NULL
    RETURNING l.lane, l.not_before
  ), blocked AS MATERIALIZED (
    SELECT d.message_id, d.endpoint_id, c.waits_until FROM candidates c JOIN webhook_deliveries d
      ON d.message_id = c.message_id AND d.endpoint_id = c.endpoint_id
    WHERE c.waits_until > c.due_at AND d.state = 'pending' AND d.due_at = c.due_at
    ORDER BY d.message_id, d.endpoint_id FOR UPDATE OF d SKIP LOCKED
  ), moved AS (
    UPDATE webhook_deliveries d SET due_at = b.waits_until FROM blocked b
    WHERE d.message_id = b.message_id AND d.endpoint_id = b.endpoint_id
  ), spent AS MATERIALIZED (
    -- Its last attempt was claimed, and its worker is gone.
    SELECT d.message_id, d.endpoint_id FROM candidates c JOIN webhook_deliveries d
      ON d.message_id = c.message_id AND d.endpoint_id = c.endpoint_id
    WHERE c.tries_left <= 0 AND d.state = 'pending' AND d.due_at <= moment
    ORDER BY d.message_id, d.endpoint_id FOR UPDATE OF d SKIP LOCKED
  ), ended AS (
    UPDATE webhook_deliveries d SET state = 'failed', claimed_until = NULL FROM spent s
    WHERE d.message_id = s.message_id AND d.endpoint_id = s.endpoint_id
  )
  SELECT c.message_id, c.endpoint_id, c.account_id, c.lane, p.kind, COALESCE(p.url, k.webhook_url), c.type, m.occurred_at,
    c.call_id, c.attempts, c.tries_left, c.is_healthy, p.api_version, p.sealed_secret,
    CASE WHEN p.previous_until > moment THEN p.previous_sealed_secret END, m.body, NULL::uuid, NULL::timestamptz
  FROM claimed c JOIN webhook_messages m ON m.id = c.message_id JOIN webhook_endpoints p ON p.id = c.endpoint_id
    LEFT JOIN calls k ON k.id = c.call_id AND p.kind = 'per_call'
  WHERE COALESCE(p.url, k.webhook_url) IS NOT NULL;

  RETURN QUERY
  SELECT NULL::uuid, NULL::uuid, NULL::uuid, NULL::uuid, NULL, NULL, NULL, NULL::timestamptz, NULL::uuid, NULL::int, NULL::int,
    NULL::boolean, NULL, NULL::bytea, NULL::bytea, NULL,
    CASE WHEN cardinality(walked) >= given.max_lanes THEN walked[cardinality(walked)] END,
    (SELECT min(GREATEST(u.due, l.not_before)) FROM unnest(walked, owners, dues) AS u(lane, owner, due)
       JOIN webhook_endpoints p ON p.id = u.owner AND p.state = 'enabled' AND p.kind <> 'listener'
       LEFT JOIN webhook_lanes l ON l.lane = u.lane
     WHERE GREATEST(u.due, l.not_before) > moment);
END $$;

-- Hands out deliveries that are due for listeners, and keeps the listeners alive. Input: {listening: an array of
-- {listener_id, account_id, room}, most}. Returns a row for each delivery, in the order of events, and one without a message
-- for each listener that lives and gets nothing. A listener that is missing is gone.
--
-- The order of a call is that of `claim_webhooks`: an event waits for the one before it. Accounts take turns. Nothing is
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
      SELECT d.message_id, d.lane, d.call_id, d.event_id, d.due_at, d.tries_left, d.in_order FROM webhook_deliveries d
      WHERE d.state = 'pending' AND d.lane = l.id AND d.due_at <= moment ORDER BY d.due_at, d.event_id LIMIT 50
    ) d CROSS JOIN LATERAL (
      SELECT max(CASE WHEN b.claimed_until > moment THEN d.due_at ELSE b.due_at END) AS waits_until
      FROM webhook_deliveries b
      WHERE d.in_order AND b.state = 'pending' AND b.lane = d.lane AND b.call_id = d.call_id AND b.event_id < d.event_id
        AND b.in_order AND b.tries_left >= webhook_tries('listener') - 3
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
