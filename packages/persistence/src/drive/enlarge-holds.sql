-- Stores larger holds that the gate has granted. Input: [{id, epoch, hold_micros, generation, timeline}].
-- For the lock and the settings, see accept-calls.sql.
CREATE OR REPLACE FUNCTION enlarge_holds(batch jsonb) RETURNS TABLE (call_id uuid, outcome text)
LANGUAGE plpgsql VOLATILE
SET lock_timeout = '500ms' SET jit = off SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
#variable_conflict use_column
BEGIN
  PERFORM pg_advisory_xact_lock_shared(731);
  RETURN QUERY
  WITH input AS MATERIALIZED (
    SELECT r.*,
      r.generation = (SELECT g.generation FROM gate g WHERE g.id = 1) AND r.timeline = (SELECT postgres_timeline())
        AS is_current
    FROM jsonb_to_recordset(batch) AS r(id uuid, epoch int, hold_micros bigint, generation bigint, timeline text)
  ), locked AS (
    SELECT c.id, c.hold_micros AS before_micros
    FROM calls c JOIN input i ON c.id = i.id ORDER BY c.id FOR NO KEY UPDATE OF c
  ), written AS (
    UPDATE calls c SET hold_micros = GREATEST(c.hold_micros, i.hold_micros)
    FROM input i JOIN locked l ON l.id = i.id
    WHERE c.id = i.id AND c.epoch = i.epoch AND c.status NOT IN ('scheduled', 'queued', 'ended') AND i.is_current
    RETURNING c.id, c.hold_micros, l.before_micros
  ), events AS (
    INSERT INTO call_events (call_id, at, type, data)
    SELECT w.id, clock_timestamp(), 'hold_enlarged', jsonb_build_object('hold', w.hold_micros / 1e6::double precision)
    FROM written w WHERE w.hold_micros > w.before_micros
  )
  SELECT i.id, CASE WHEN NOT i.is_current THEN 'gate_stale' WHEN w.id IS NULL THEN 'fenced' ELSE 'enlarged' END
  FROM input i LEFT JOIN written w ON w.id = i.id;
END $$;
