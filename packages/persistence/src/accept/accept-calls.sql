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
DECLARE
  moment timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(731);
  moment := clock_timestamp();
  RETURN QUERY
  WITH input AS MATERIALIZED (
    SELECT r.*, v.is_void IS NOT NULL AS is_void,
      EXISTS (SELECT FROM suppressions_of(r.account_id, r.callee_number)) AS is_suppressed,
      EXISTS (SELECT FROM caps_reached(r.account_id, r.callee_number, moment, NULL)) AS is_capped,
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
      webhook_url text,
      -- Only calls with retries have it: {give_up_at_ms, retry}.
      schedule json,
      -- Where the callee may be; the previous version sends none.
      callee_zones text[], callee_regions text[], callee_time_zone text,
      -- Only calls whose request is traced have it.
      trace_parent text)
    -- OFFSET 0 keeps it a look-up for each row.
    LEFT JOIN LATERAL (SELECT true AS is_void FROM reservations x WHERE x.id = r.reservation_id OFFSET 0) v ON true
  ), inserted AS (
    INSERT INTO calls (
      id, account_id, agent_id, agent_version, caller_number, callee_number, currency, rate_prefix,
      connection_fee_micros, price_per_minute_micros, initial_increment_seconds, increment_seconds, reservation_id,
      hold_micros, max_duration_seconds, ring_timeout_seconds, variables, metadata, idempotency_key, body_digest,
      request_id, created_at, expires_at, webhook_url, callee_zones, callee_regions, callee_time_zone,
      trace_parent)
    SELECT
      i.id, i.account_id, i.agent_id, i.agent_version, i.caller_number, i.callee_number, i.currency, i.rate_prefix,
      i.connection_fee_micros, i.price_per_minute_micros, i.initial_increment_seconds, i.increment_seconds,
      i.reservation_id, i.hold_micros, i.max_duration_seconds, i.ring_timeout_seconds, i.variables, i.metadata,
      i.idempotency_key, decode(i.body_digest, 'hex'), i.request_id, t.now,
      LEAST(t.now + make_interval(secs => i.queue_ttl_seconds), from_epoch_ms((i.schedule->>'give_up_at_ms')::bigint)),
      i.webhook_url, i.callee_zones, i.callee_regions, i.callee_time_zone, i.trace_parent
    FROM input i, LATERAL (SELECT clock_timestamp() AS now WHERE i.id IS NOT NULL) t
    WHERE i.is_current AND NOT i.is_void AND NOT i.is_suppressed AND NOT i.is_capped
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
  ), planned AS (
    INSERT INTO call_schedules (call_id, account_id, give_up_at, due_at, is_waiting, queue_ttl_seconds, retry)
    SELECT n.id, i.account_id, from_epoch_ms((i.schedule->>'give_up_at_ms')::bigint), n.created_at, false,
      i.queue_ttl_seconds, (i.schedule->'retry')::jsonb
    FROM inserted n JOIN input i ON i.id = n.id AND i.reservation_id = n.reservation_id
    WHERE i.schedule IS NOT NULL ORDER BY n.id
  ), events AS (
    INSERT INTO call_events (call_id, at, type) SELECT n.id, n.created_at, 'queued' FROM inserted n
  )
  SELECT i.id, i.reservation_id,
    CASE
      WHEN NOT i.is_current THEN 'gate_stale'
      WHEN i.is_void THEN 'voided'
      -- A request that is repeated learns of its call, whatever became of the number since.
      WHEN (i.is_suppressed OR i.is_capped) AND NOT EXISTS (SELECT FROM calls c WHERE c.id = i.id OFFSET 0)
        THEN CASE WHEN i.is_suppressed THEN 'suppressed' ELSE 'frequency_capped' END
      WHEN n.id IS NULL THEN 'call_exists'
      ELSE 'accepted'
    END,
    n.created_at, n.expires_at
  FROM input i LEFT JOIN inserted n ON n.id = i.id AND n.reservation_id = i.reservation_id;
END $$;
