-- Makes calls of reserved requests. Input: a JSON array of rows; output: one outcome per row. JSON rather than jsonb: the
-- variables and the metadata of a call keep the text in which the client sent them.
--
-- It takes the gate's advisory lock (731) before it reads anything. A VOLATILE function takes a new snapshot for each of
-- its statements, so the statement after the lock sees what was committed during the wait; in one plain statement, the
-- snapshot would be older than the wait. One round trip also means that a stopped client never holds the lock.
--
-- Its plans are made once a session, perhaps while a table is small: the settings leave only the index. Compiling (jit)
-- takes a hundred times as long as running.
CREATE OR REPLACE FUNCTION accept_calls(batch json)
RETURNS TABLE (call_id uuid, reservation_id uuid, outcome text, created_at timestamptz, expires_at timestamptz)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
BEGIN
  PERFORM pg_advisory_xact_lock_shared(731);
  RETURN QUERY
  WITH input AS MATERIALIZED (
    SELECT r.*, v.is_void IS NOT NULL AS is_void,
      r.generation = (SELECT g.generation FROM gate g WHERE g.id = 1) AND r.timeline = (SELECT postgres_timeline())
        AS is_current
    FROM json_to_recordset(batch) AS r(
      id uuid, account_id uuid, agent_id uuid, agent_version int, caller_number text, callee_number text,
      currency text, rate_prefix text, connection_fee_micros bigint, price_per_minute_micros bigint,
      initial_increment_seconds int, increment_seconds int, reservation_id uuid, hold_micros bigint,
      generation bigint, timeline text, max_duration_seconds int, ring_timeout_seconds int,
      variables json, metadata json, idempotency_key text, body_digest text, request_id text, queue_ttl_seconds int,
      -- Only calls that models conduct have it.
      conducted json,
      -- Only calls whose request named one have it; the previous version sends none.
      webhook_url text)
    -- OFFSET 0 keeps it a look-up for each row.
    LEFT JOIN LATERAL (SELECT true AS is_void FROM reservations x WHERE x.id = r.reservation_id OFFSET 0) v ON true
  ), inserted AS (
    INSERT INTO calls (
      id, account_id, agent_id, agent_version, caller_number, callee_number, currency, rate_prefix,
      connection_fee_micros, price_per_minute_micros, initial_increment_seconds, increment_seconds, reservation_id,
      hold_micros, max_duration_seconds, ring_timeout_seconds, variables, metadata, idempotency_key, body_digest,
      request_id, created_at, expires_at, webhook_url)
    SELECT
      i.id, i.account_id, i.agent_id, i.agent_version, i.caller_number, i.callee_number, i.currency, i.rate_prefix,
      i.connection_fee_micros, i.price_per_minute_micros, i.initial_increment_seconds, i.increment_seconds,
      i.reservation_id, i.hold_micros, i.max_duration_seconds, i.ring_timeout_seconds, i.variables, i.metadata,
      i.idempotency_key, decode(i.body_digest, 'hex'), i.request_id, t.now, t.now + make_interval(secs => i.queue_ttl_seconds),
      i.webhook_url
    FROM input i, LATERAL (SELECT clock_timestamp() AS now WHERE i.id IS NOT NULL) t
    WHERE i.is_current AND NOT i.is_void
    -- One order for everybody: two batches that share ids must not wait for each other.
    ORDER BY i.id
    ON CONFLICT DO NOTHING
    RETURNING calls.id, calls.reservation_id, calls.created_at, calls.expires_at
  ), used AS (
    -- No ON CONFLICT: a void row that was committed meanwhile must fail this row, not pass unnoticed.
    INSERT INTO reservations (id, state) SELECT n.reservation_id, 'used' FROM inserted n ORDER BY 1
  ), conducted AS (
    INSERT INTO model_calls (call_id, driver, needs, rates, estimate_micros_per_minute)
    SELECT n.id, i.conducted->>'driver', (i.conducted->'models')::jsonb, (i.conducted->'rates')::jsonb,
      (i.conducted->>'estimate_micros_per_minute')::bigint
    FROM inserted n JOIN input i ON i.id = n.id AND i.reservation_id = n.reservation_id
    WHERE i.conducted IS NOT NULL ORDER BY n.id
  ), events AS (
    INSERT INTO call_events (call_id, at, type) SELECT n.id, n.created_at, 'queued' FROM inserted n
  )
  SELECT i.id, i.reservation_id,
    CASE
      WHEN NOT i.is_current THEN 'gate_stale'
      WHEN i.is_void THEN 'voided'
      WHEN n.id IS NULL THEN 'call_exists'
      ELSE 'accepted'
    END,
    n.created_at, n.expires_at
  FROM input i LEFT JOIN inserted n ON n.id = i.id AND n.reservation_id = i.reservation_id;
END $$;

-- Advances a running replay by one step: at most 20,000 ids and 500 events. Ids commit out of order, so it stops before
-- those that are younger than a minute. It waits while the endpoint has 1,000 deliveries pending: what happens now must not
-- stand behind the past. Returns whether there is more to do at once.
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
      WHERE CASE replay.only WHEN 'missing' THEN false WHEN 'all' THEN d.state <> 'pending'
                             ELSE d.state IN ('failed', 'dropped') END
    RETURNING 1
  )
  SELECT count(*)::int INTO changed FROM sent;

  UPDATE webhook_replays r SET position = last_id, replayed = r.replayed + changed,
    state = CASE WHEN last_id >= r.end_id THEN 'done' ELSE 'running' END
  WHERE r.id = replay.id;
  RETURN true;
END $$;

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

-- A message of an account that no timeline has, for its standing endpoints that want the type. Returns its id; null: no
-- endpoint wants it. `only_to` is the one endpoint that gets it, whatever it wants; `not_to` is one that does not.
CREATE OR REPLACE FUNCTION announce_webhook(account uuid, about text, at timestamptz, sent text, only_to uuid, not_to uuid)
RETURNS uuid LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  moment constant timestamptz := clock_timestamp();
  message uuid := gen_random_uuid();
BEGIN
  INSERT INTO webhook_deliveries (message_id, endpoint_id, account_id, lane, type, tries_left, due_at, created_at)
  SELECT message, p.id, account, webhook_lane(p.id, p.kind, NULL::text), about, webhook_tries(p.kind), moment, moment
  FROM webhook_endpoints p
  WHERE p.account_id = account AND p.state = 'enabled' AND p.kind = 'standing' AND p.id IS DISTINCT FROM not_to
    AND CASE WHEN only_to IS NULL THEN p.events = '{}' OR about = ANY (p.events) ELSE p.id = only_to END;
  IF NOT FOUND THEN RETURN NULL; END IF;
  INSERT INTO webhook_messages (id, account_id, type, occurred_at, created_at, body)
  VALUES (message, account, about, at, moment, sent);
  RETURN message;
END $$;

-- An id of a timeline event such that it and all ids below were written before this moment; 0 if none is known. It bisects
-- the ids. Of 1,000 neighbors, the latest time stands for when they were written: drivers may report an event late. An hour
-- is allowed for that.
CREATE OR REPLACE FUNCTION call_event_before(moment timestamptz) RETURNS bigint
LANGUAGE plpgsql STABLE SET jit = off SET enable_seqscan = off
AS $$
DECLARE
  low bigint := 0;
  high bigint := COALESCE((SELECT e.id FROM call_events e ORDER BY e.id DESC LIMIT 1), 0);
  middle bigint;
  latest timestamptz;
BEGIN
  WHILE low < high LOOP
    middle := (low + high + 1) / 2;
    SELECT max(x.at) INTO latest FROM (
      SELECT e.at FROM call_events e WHERE e.id <= middle ORDER BY e.id DESC LIMIT 1000
    ) x;
    IF latest IS NULL OR latest < moment - interval '1 hour' THEN low := middle; ELSE high := middle - 1; END IF;
  END LOOP;
  RETURN low;
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
      -- An earlier event of the call that has not failed three times. What is in flight ends within seconds.
      SELECT max(CASE WHEN b.claimed_until > moment THEN LEAST(b.due_at, moment + interval '5 seconds') ELSE b.due_at END)
        AS waits_until
      FROM webhook_deliveries b
      WHERE d.in_order AND b.state = 'pending' AND b.lane = d.lane AND b.call_id = d.call_id AND b.event_id < d.event_id
        AND b.in_order AND (b.attempts < 3 OR (b.attempts = 3 AND b.claimed_until > moment))
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

-- Deletes messages of before the retention with their deliveries and attempts, at most `most` messages. What is still
-- pending is dropped first and deleted by a later run; what is in flight stays.
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
  WITH due AS MATERIALIZED (
    SELECT d.message_id, d.endpoint_id FROM webhook_deliveries d
    WHERE d.message_id = ANY (expired) AND d.state = 'pending' AND (d.claimed_until IS NULL OR d.claimed_until <= moment)
    ORDER BY d.message_id, d.endpoint_id FOR UPDATE SKIP LOCKED
  )
  UPDATE webhook_deliveries d SET state = 'dropped', claimed_until = NULL FROM due
  WHERE d.message_id = due.message_id AND d.endpoint_id = due.endpoint_id;

  SELECT array_agg(u.id) INTO expired FROM unnest(expired) AS u(id)
  WHERE NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.message_id = u.id AND d.state = 'pending');
  DELETE FROM webhook_attempts a WHERE a.message_id = ANY (expired);
  DELETE FROM webhook_deliveries d WHERE d.message_id = ANY (expired);
  DELETE FROM webhook_messages m WHERE m.id = ANY (expired);
  GET DIAGNOSTICS deleted = ROW_COUNT;
  RETURN deleted;
END $$;

-- Disables standing endpoints without a success for five days and 20 failures, and tells owners of those that have failed
-- for a day. One process at a time. Returns how many it disabled.
CREATE OR REPLACE FUNCTION disable_failing_webhooks() RETURNS int LANGUAGE plpgsql VOLATILE SET jit = off
AS $$
DECLARE
  moment constant timestamptz := clock_timestamp();
  disabled int := 0;
  failing record;
BEGIN
  IF NOT pg_try_advisory_xact_lock(733) THEN RETURN 0; END IF;
  FOR failing IN
    SELECT p.id, p.account_id, p.url, l.failing_since, l.failures
    FROM webhook_lanes l JOIN webhook_endpoints p ON p.id = l.endpoint_id AND p.kind = 'standing' AND p.state = 'enabled'
    WHERE l.failing_since <= moment - interval '1 day' ORDER BY l.lane LIMIT 1000
  LOOP
    IF failing.failing_since <= moment - interval '5 days' AND failing.failures >= 20 THEN
      IF disable_webhook_endpoint(failing.id, 'failing') THEN disabled := disabled + 1; END IF;
    ELSE
      INSERT INTO account_notices (account_id, kind, data)
      SELECT failing.account_id, 'webhook_endpoint_failing', jsonb_build_object('endpoint_id', failing.id, 'url', failing.url)
      WHERE NOT EXISTS (
        SELECT FROM account_notices n
        WHERE n.account_id = failing.account_id AND n.kind = 'webhook_endpoint_failing'
          AND n.data ->> 'endpoint_id' = failing.id::text AND n.created_at >= failing.failing_since);
    END IF;
  END LOOP;
  RETURN disabled;
END $$;

-- Disables a standing endpoint, tells its account's owners, and its other endpoints. What is pending for it is dropped by
-- `drop_webhooks_of`. Returns whether it was enabled.
CREATE OR REPLACE FUNCTION disable_webhook_endpoint(endpoint_id uuid, reason text) RETURNS boolean
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  moment constant timestamptz(3) := clock_timestamp();
  told text := to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
  endpoint record;
BEGIN
  UPDATE webhook_endpoints p SET state = 'disabled', disabled_reason = reason, disabled_at = moment
  WHERE p.id = disable_webhook_endpoint.endpoint_id AND p.kind = 'standing' AND p.state = 'enabled'
  RETURNING p.id, p.account_id, p.url INTO endpoint;
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO account_notices (account_id, kind, data)
  VALUES (endpoint.account_id, 'webhook_endpoint_disabled',
    jsonb_build_object('endpoint_id', endpoint.id, 'url', endpoint.url, 'reason', reason));
  PERFORM announce_webhook(endpoint.account_id, 'webhook.endpoint_disabled', moment,
    json_build_object('type', 'webhook.endpoint_disabled', 'timestamp', told, 'data', json_build_object('endpoint',
      json_build_object('id', endpoint.id, 'url', endpoint.url, 'disabled_reason', reason, 'disabled_at', told)))::text,
    NULL, endpoint.id);
  RETURN true;
END $$;

-- Drops what is pending for endpoints that are disabled, deleted or expired, at most `most` rows: also what a statement
-- inserted that began before the endpoint was disabled. Removes the rows of endpoints that are gone for a day.
CREATE OR REPLACE FUNCTION drop_webhook_orphans(most int) RETURNS int LANGUAGE plpgsql VOLATILE SET jit = off
AS $$
DECLARE
  moment constant timestamptz := clock_timestamp();
  closed record;
  dropped int := 0;
BEGIN
  FOR closed IN
    SELECT p.id, p.kind, p.deleted_at, p.expires_at FROM webhook_endpoints p
    WHERE (p.state = 'disabled' OR p.expires_at IS NOT NULL) AND (p.state = 'disabled' OR p.expires_at <= moment)
      AND EXISTS (SELECT FROM webhook_lanes_of(p.id, p.kind) AS l(lane), webhook_deliveries d
                  WHERE d.state = 'pending' AND d.lane = l.lane)
    ORDER BY p.id
  LOOP
    dropped := dropped + drop_webhooks_of(closed.id, closed.kind, most - dropped);
    EXIT WHEN dropped >= most;
  END LOOP;
  IF dropped = 0 THEN
    WITH old AS MATERIALIZED (
      SELECT p.id FROM webhook_endpoints p
      WHERE (p.state = 'disabled' OR p.expires_at IS NOT NULL)
        AND (p.deleted_at <= moment - interval '1 day' OR p.expires_at <= moment - interval '1 day')
      LIMIT 100 FOR UPDATE SKIP LOCKED
    ), lanes AS (
      DELETE FROM webhook_lanes l USING old o WHERE l.endpoint_id = o.id
    )
    DELETE FROM webhook_endpoints p USING old o WHERE p.id = o.id;
  END IF;
  RETURN dropped;
END $$;

-- Drops what is pending in lanes of an endpoint, at most `most` rows. What is in flight is dropped too: a success that
-- comes after that still counts.
CREATE OR REPLACE FUNCTION drop_webhooks_of(endpoint_id uuid, kind text, most int) RETURNS int
LANGUAGE plpgsql VOLATILE SET jit = off SET enable_seqscan = off
AS $$
DECLARE
  dropped int;
BEGIN
  -- The caller may have read the endpoint before it was enabled again: what is pending since then must be sent.
  PERFORM FROM webhook_endpoints p WHERE p.id = drop_webhooks_of.endpoint_id
    AND (p.state = 'disabled' OR p.expires_at <= clock_timestamp()) FOR SHARE;
  IF NOT FOUND THEN RETURN 0; END IF;
  WITH due AS MATERIALIZED (
    SELECT d.message_id, d.endpoint_id
    FROM webhook_lanes_of(drop_webhooks_of.endpoint_id, drop_webhooks_of.kind) AS l(lane), webhook_deliveries d
    WHERE d.state = 'pending' AND d.lane = l.lane AND d.endpoint_id = drop_webhooks_of.endpoint_id
    LIMIT most FOR UPDATE OF d SKIP LOCKED
  )
  UPDATE webhook_deliveries d SET state = 'dropped', claimed_until = NULL FROM due
  WHERE d.message_id = due.message_id AND d.endpoint_id = due.endpoint_id;
  GET DIAGNOSTICS dropped = ROW_COUNT;
  RETURN dropped;
END $$;

-- Stores what came of attempts. Input: an array of {message_id, endpoint_id, attempt, lane, started_at_ms, duration_ms,
-- status, error, response_headers, response_body, worker_id, verdict, due_in_ms, lane_delay_ms}, in the order in which they
-- ended. Locks lanes, then endpoints, then deliveries, each by key; a lane only where its health changes.
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
    FROM ROWS FROM (jsonb_to_recordset(batch) AS (lane uuid, verdict text, lane_delay_ms int)) WITH ORDINALITY
      AS r(lane, verdict, lane_delay_ms, place)
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

-- A lane for URLs of calls: an account has 64 of them, so that no customer makes lanes at will. sha256, because md5 raises
-- on hosts that allow only FIPS, and this runs inside the statements of calls.
CREATE OR REPLACE FUNCTION webhook_call_lane(endpoint_id uuid, number int) RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT encode(substr(sha256(convert_to(endpoint_id::text || ' ' || number, 'UTF8')), 1, 16), 'hex')::uuid $$;

-- What is limited together: an endpoint; of URLs of calls, those whose origins fall into one group.
CREATE OR REPLACE FUNCTION webhook_lane(endpoint_id uuid, kind text, call_url text) RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
AS $$
  SELECT CASE kind
    WHEN 'per_call' THEN
      webhook_call_lane(endpoint_id, get_byte(sha256(convert_to(
        lower(split_part(split_part(split_part(call_url, '#', 1), '?', 1), '/', 3)), 'UTF8')), 0) % 64)
    ELSE endpoint_id
  END
$$;

-- Every lane that deliveries for this endpoint may have.
CREATE OR REPLACE FUNCTION webhook_lanes_of(endpoint_id uuid, kind text) RETURNS SETOF uuid LANGUAGE sql STABLE PARALLEL SAFE
AS $$
  SELECT CASE kind WHEN 'per_call' THEN webhook_call_lane(endpoint_id, n) ELSE endpoint_id END
  FROM generate_series(0, CASE kind WHEN 'per_call' THEN 63 ELSE 0 END) AS n
$$;

-- How often a delivery is tried. Repeats TRIES of the webhooks package.
CREATE OR REPLACE FUNCTION webhook_tries(kind text) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT CASE kind WHEN 'per_call' THEN 5 ELSE 10 END $$;

-- The webhook that an event of a timeline becomes; null: none is sent. Repeats WEBHOOK_TYPE_OF_EVENT of the contracts.
CREATE OR REPLACE FUNCTION webhook_type(event_type text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT CASE event_type
    WHEN 'queued' THEN 'call.queued'
    WHEN 'dialing' THEN 'call.dialing'
    WHEN 'ringing' THEN 'call.ringing'
    WHEN 'in_progress' THEN 'call.answered'
    WHEN 'ended' THEN 'call.ended'
    WHEN 'answered_by' THEN 'call.answered_by'
    WHEN 'recording_available' THEN 'call.recording_ready'
    WHEN 'analyzed' THEN 'call.analyzed'
  END
$$;

-- Every path that writes to a timeline fires it.
CREATE OR REPLACE TRIGGER call_events_announced AFTER INSERT ON call_events
  REFERENCING NEW TABLE AS new_events FOR EACH STATEMENT EXECUTE FUNCTION announce_call_events();
