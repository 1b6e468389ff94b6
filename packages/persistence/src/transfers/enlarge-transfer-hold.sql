-- Stores a larger hold of a second leg that the gate has granted. Input: {id, call_id, epoch, hold_micros, generation,
-- timeline}. For the lock and the settings, see ../accept/accept-calls.sql.
CREATE OR REPLACE FUNCTION enlarge_transfer_hold(input jsonb) RETURNS TABLE (outcome text)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  given record;
  is_current boolean;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(731);
  SELECT r.* INTO given FROM jsonb_to_record(input) AS r(
    id uuid, call_id uuid, epoch int, hold_micros bigint, generation bigint, timeline text);
  PERFORM FROM calls c
  WHERE c.id = given.call_id AND c.epoch = given.epoch AND c.status NOT IN ('scheduled', 'queued', 'ended')
  FOR NO KEY UPDATE OF c;
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'fenced';
    RETURN;
  END IF;
  SELECT g.generation = given.generation AND given.timeline = postgres_timeline() INTO is_current FROM gate g WHERE g.id = 1;
  IF NOT is_current THEN
    RETURN QUERY SELECT 'gate_stale';
    RETURN;
  END IF;
  UPDATE transfer_legs t SET hold_micros = GREATEST(t.hold_micros, given.hold_micros)
  WHERE t.id = given.id AND t.settled_at IS NULL;
  RETURN QUERY SELECT CASE WHEN FOUND THEN 'enlarged' ELSE 'fenced' END;
END $$;
