-- Set by a claim whose driver writes each leg down before it sends anything. A driver of the version before does not:
-- a call that it claimed may have a leg that nobody knows of.
ALTER TABLE "calls" ADD COLUMN "records_ahead" BOOLEAN NOT NULL DEFAULT false;

-- As it was, but the leg as it will be is written down with the attempt, in the place of the dialog of the one before:
-- by that an orphan's CANCEL would go to the wrong trunk. A driver of the version before gives none.
-- Input: [{id, epoch, number, carrier, trunk, dialog, generation, timeline}].
CREATE OR REPLACE FUNCTION begin_attempts(batch jsonb)
RETURNS TABLE (call_id uuid, outcome text, end_requested boolean)
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
    FROM jsonb_to_recordset(batch) AS r(
      id uuid, epoch int, number int, carrier text, trunk text, dialog jsonb, generation bigint, timeline text)
  ), locked AS MATERIALIZED (
    SELECT c.id, c.end_requested_at FROM calls c JOIN input i ON c.id = i.id
    WHERE c.epoch = i.epoch AND c.status NOT IN ('queued', 'ended') AND i.is_current
    ORDER BY c.id FOR NO KEY UPDATE OF c
  ), begun AS (
    INSERT INTO call_attempts (call_id, number, trunk, epoch, begun_at)
    SELECT i.id, i.number, i.trunk, i.epoch, clock_timestamp() FROM input i JOIN locked l ON l.id = i.id
    ON CONFLICT DO NOTHING RETURNING call_attempts.call_id
  ), written AS (
    UPDATE calls c SET carrier = i.carrier, dialog = i.dialog
    FROM input i JOIN begun b ON b.call_id = i.id WHERE c.id = i.id
  )
  SELECT i.id, CASE WHEN NOT i.is_current THEN 'gate_stale' WHEN l.id IS NULL THEN 'fenced' ELSE 'written' END,
    COALESCE(l.end_requested_at IS NOT NULL, false)
  FROM input i LEFT JOIN locked l ON l.id = i.id;
END $$;
