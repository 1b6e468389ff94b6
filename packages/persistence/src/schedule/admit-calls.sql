-- Makes queued calls of scheduled ones that have a reservation. Input: a JSON array of rows; output: one outcome per row. For
-- the lock and the settings, see ../accept/accept-calls.sql.
--
-- It locks the calls before it asks for the time: the token of an admission counts until then, however long it waited. The
-- rate and the models are those of this moment.
CREATE OR REPLACE FUNCTION admit_calls(batch json)
RETURNS TABLE (call_id uuid, outcome text, late_ms double precision)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
BEGIN
  PERFORM pg_advisory_xact_lock_shared(731);
  -- Campaigns before calls, as everybody does. A pause that was committed before is seen below.
  PERFORM FROM (
    SELECT FROM campaigns g
    WHERE g.id IN (SELECT c.campaign_id FROM calls c JOIN json_to_recordset(batch) AS r(id uuid) ON r.id = c.id)
    ORDER BY g.id FOR SHARE
  ) y;
  PERFORM FROM (
    SELECT FROM calls c JOIN json_to_recordset(batch) AS r(id uuid) ON r.id = c.id ORDER BY c.id FOR NO KEY UPDATE OF c
  ) x;
  RETURN QUERY
  WITH input AS MATERIALIZED (
    SELECT r.*, v.is_void IS NOT NULL AS is_void,
      r.generation = (SELECT g.generation FROM gate g WHERE g.id = 1) AND r.timeline = (SELECT postgres_timeline())
        AS is_current
    FROM json_to_recordset(batch) AS r(
      id uuid, admit_token uuid, reservation_id uuid, generation bigint, timeline text, hold_micros bigint, rate_prefix text,
      connection_fee_micros bigint, price_per_minute_micros bigint, initial_increment_seconds int, increment_seconds int,
      conducted json,
      -- Where the callee may be, as far as it is known now; the previous version sends none.
      callee_zones text[], callee_regions text[])
    LEFT JOIN LATERAL (SELECT true AS is_void FROM reservations x WHERE x.id = r.reservation_id OFFSET 0) v ON true
  ), judged AS MATERIALIZED (
    SELECT i.*, s.due_at, t.now, LEAST(t.now + make_interval(secs => s.queue_ttl_seconds), s.give_up_at,
        (SELECT g.ends_at FROM campaigns g WHERE g.id = c.campaign_id)) AS expires_at,
      CASE
        WHEN NOT i.is_current THEN 'gate_stale'
        WHEN i.is_void THEN 'voided'
        WHEN c.status = 'scheduled' AND s.admit_token = i.admit_token AND s.admitting_until > t.now AND s.give_up_at > t.now
          AND (c.campaign_id IS NULL OR EXISTS (
            SELECT FROM campaigns g
            WHERE g.id = c.campaign_id AND g.state = 'running' AND (g.ends_at IS NULL OR g.ends_at > t.now)))
          THEN CASE
            WHEN EXISTS (SELECT FROM suppressions_of(c.account_id, c.callee_number)) THEN 'suppressed'
            WHEN EXISTS (SELECT FROM caps_reached(c.account_id, c.callee_number, t.now, NULL)) THEN 'frequency_capped'
            ELSE 'admitted'
          END
        ELSE 'gone'
      END AS outcome
    FROM input i LEFT JOIN calls c ON c.id = i.id LEFT JOIN call_schedules s ON s.call_id = i.id,
      LATERAL (SELECT clock_timestamp() AS now WHERE i.id IS NOT NULL) t
  ), admitted AS (
    UPDATE calls c
    SET status = 'queued', reservation_id = j.reservation_id, hold_micros = j.hold_micros, rate_prefix = j.rate_prefix,
        connection_fee_micros = j.connection_fee_micros, price_per_minute_micros = j.price_per_minute_micros,
        initial_increment_seconds = j.initial_increment_seconds, increment_seconds = j.increment_seconds, queued_at = j.now,
        expires_at = j.expires_at, callee_zones = COALESCE(j.callee_zones, c.callee_zones),
        callee_regions = COALESCE(j.callee_regions, c.callee_regions)
    FROM judged j WHERE c.id = j.id AND j.outcome = 'admitted'
    RETURNING c.id, c.queued_at, c.reservation_id
  ), schedules AS (
    UPDATE call_schedules s SET is_waiting = false, waiting_for = NULL, admit_token = NULL, admitting_until = NULL
    FROM admitted n WHERE s.call_id = n.id
  ), used AS (
    -- No ON CONFLICT: a void row that was committed meanwhile must fail this row, not pass unnoticed.
    INSERT INTO reservations (id, state) SELECT n.reservation_id, 'used' FROM admitted n ORDER BY 1
  ), conducted AS (
    INSERT INTO model_calls (call_id, driver, needs, rates, estimate_micros_per_minute)
    SELECT n.id, j.conducted->>'driver', (j.conducted->'models')::jsonb, (j.conducted->'rates')::jsonb,
      (j.conducted->>'estimate_micros_per_minute')::bigint
    FROM admitted n JOIN judged j ON j.id = n.id WHERE j.conducted IS NOT NULL ORDER BY n.id
  ), events AS (
    INSERT INTO call_events (call_id, at, type) SELECT n.id, n.queued_at, 'queued' FROM admitted n ORDER BY n.id
  )
  SELECT j.id, j.outcome, EXTRACT(epoch FROM j.now - j.due_at)::double precision * 1000 FROM judged j;
END $$;
