-- Claims deliveries that are due, within the limits of their lanes. Input: {free_slots, free_slots_for_healthy_lanes,
-- after_lane, max_lanes, most_per_account, in_flight}. The last row has no message: it says which lane comes next, and when.
-- No account takes more than `most_per_account` of the process, with its requests in flight (a number by account): slow
-- receivers that succeed would hold up all others. Accounts take turns.
--
-- It locks lanes before it reads what is due: its statements have snapshots of their own, so it counts what the process
-- that had the lock before has claimed. A lane that another process has is left to it. Each attempt is counted before it is
-- made, so a delivery that crashes its worker runs out of tries.
--
-- A session plans it once, and again after an ANALYZE: in tables that are analyzed, each join looks up keys. Postgres would plan
-- it again for each claim of a large lane, which takes longer than the claim.
CREATE OR REPLACE FUNCTION claim_webhooks(input jsonb)
RETURNS TABLE (
  message_id uuid, endpoint_id uuid, account_id uuid, lane uuid, kind text, url text, type text, occurred_at timestamptz,
  call_id uuid, attempts int, tries_left int, is_healthy boolean, api_version text, sealed_secret bytea,
  previous_sealed_secret bytea, body text, next_lane uuid, next_due_at timestamptz)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' SET jit = off
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  moment constant timestamptz := clock_timestamp();
  given record;
  walked uuid[];
  owners uuid[];
  dues timestamptz[];
  locked uuid[];
  most_seen int;
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
  most_seen := GREATEST(20, 6400 / cardinality(locked));

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
    SELECT o.lane, o.is_healthy, o.account_id, f.message_id, f.endpoint_id, f.event_id, f.due_at, f.tries_left, f.waits_until, f.place
    FROM open o CROSS JOIN LATERAL (
      SELECT w.* FROM (
        -- Its place counts those that may be claimed. Each row costs a look-up, so Postgres ends the scan at the first place
        -- beyond the slots (Run Condition).
        SELECT d.*, e.waits_until, row_number() OVER due_first AS seen,
          count(CASE WHEN e.waits_until IS NULL AND d.tries_left > 0 THEN 1 END) OVER due_first AS place
        FROM (
          SELECT d.message_id, d.endpoint_id, d.lane, d.call_id, d.campaign_id, d.event_id, d.due_at, d.tries_left, d.in_order
          FROM webhook_deliveries d WHERE d.state = 'pending' AND d.lane = o.lane AND d.due_at <= moment
          ORDER BY d.due_at, d.event_id LIMIT 200
        ) d CROSS JOIN LATERAL (
          -- An earlier event of the call, or of the campaign, that has not failed three times: by the tries that it has left, because
          -- attempts also count what was released, and what was before a replay. While one is in flight it stays due: its outcome,
          -- which skips rows that a claim has locked, must not leave it behind.
          SELECT max(CASE WHEN b.claimed_until > moment THEN d.due_at ELSE b.due_at END) AS waits_until
          FROM (
            SELECT c.due_at, c.claimed_until, c.tries_left, c.in_order FROM webhook_deliveries c
            WHERE d.call_id IS NOT NULL AND c.state = 'pending' AND c.lane = d.lane AND c.call_id = d.call_id
              AND c.event_id < d.event_id
            UNION ALL
            SELECT c.due_at, c.claimed_until, c.tries_left, c.in_order FROM webhook_deliveries c
            WHERE d.campaign_id IS NOT NULL AND c.state = 'pending' AND c.lane = d.lane AND c.campaign_id = d.campaign_id
              AND c.event_id < d.event_id
          ) b
          WHERE d.in_order AND b.in_order AND b.tries_left >= webhook_tries(o.kind) - 3
            AND (b.tries_left > webhook_tries(o.kind) - 3 OR b.claimed_until > moment)
        ) e
        WINDOW due_first AS (ORDER BY d.due_at, d.event_id ROWS UNBOUNDED PRECEDING)
      ) w
      -- Without OFFSET, Postgres merges the two queries and reads all rows.
      WHERE w.place <= o.slots AND w.seen <= most_seen OFFSET 0
    ) f
    WHERE o.slots > 0
  ), in_turn AS (
    SELECT c.*, row_number() OVER (PARTITION BY c.account_id ORDER BY c.place, c.due_at, c.event_id) AS turn
    FROM candidates c WHERE c.waits_until IS NULL AND c.tries_left > 0
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
    -- By key. `state = 'pending'` would allow the scan of an index of all that is pending, which costs nothing in a small table.
    SELECT d.message_id, d.endpoint_id, c.is_healthy FROM chosen c JOIN webhook_deliveries d
      ON d.message_id = c.message_id AND d.endpoint_id = c.endpoint_id
    WHERE d.state <> ALL ('{delivered,failed,dropped}') AND d.due_at <= moment
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
    WHERE c.waits_until > c.due_at AND d.state <> ALL ('{delivered,failed,dropped}') AND d.due_at = c.due_at
    ORDER BY d.message_id, d.endpoint_id FOR UPDATE OF d SKIP LOCKED
  ), moved AS (
    UPDATE webhook_deliveries d SET due_at = b.waits_until FROM blocked b
    WHERE d.message_id = b.message_id AND d.endpoint_id = b.endpoint_id
  ), spent AS MATERIALIZED (
    -- Its last attempt was claimed, and its worker is gone.
    SELECT d.message_id, d.endpoint_id FROM candidates c JOIN webhook_deliveries d
      ON d.message_id = c.message_id AND d.endpoint_id = c.endpoint_id
    WHERE c.tries_left <= 0 AND d.state <> ALL ('{delivered,failed,dropped}') AND d.due_at <= moment
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
